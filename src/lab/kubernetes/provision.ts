import type { Call, Cluster, Kinds, Ref } from './api/cluster.ts';
import { type LabObject, labObjects } from './objects/all.ts';
import type { LabDesign } from './objects/lab-design.ts';
import { awaitPods, type PodLimits } from './pods-ready.ts';
import { isOurs } from './preflight/owned-names.ts';
import { firstRecord, type LabRecord, type RecordKeeper, withUid, withVolumes } from './record.ts';
import { seenVolumes } from './volumes.ts';

export interface Provisioning {
  readonly cluster: Cluster;
  readonly design: LabDesign;
  readonly keeper: RecordKeeper;
  /** Gets short progress texts. */
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  readonly limits?: Partial<PodLimits>;
}

/**
 * Makes the lab, or finds it made: records every name, then applies object by object, then waits until every pod is ready.
 * May be called again after it was cut off anywhere. Give it the ids of the record where there is one: a lab keeps its
 * Kafka cluster id for life.
 * @throws InfrastructureError that says why pods are not placed or do not start; ClusterError.
 */
export async function provision(job: Provisioning): Promise<LabRecord> {
  const { cluster, design, keeper, say, signal } = job;
  const call: Call = { signal };
  let record = sameLab(await keeper.read(), design) ?? firstRecord(design, cluster.server);
  await keeper.write(record);
  await dropEndedClients(job);
  for (const object of labObjects(design)) {
    signal.throwIfAborted();
    say(`${object.kind} ${object.metadata?.name ?? ''}`);
    const { uid } = await applyAny(cluster, object, call);
    record = withUid(record, refOf(object), uid);
    await keeper.write(record);
  }
  await awaitPods(job);
  const { namespace } = design.names;
  record = withVolumes(record, await seenVolumes(cluster, { namespace, key: design.ids.key }, call));
  await keeper.write(record);
  return record;
}

/** The record, if it is of this very lab. */
function sameLab(record: LabRecord | null, { ids }: LabDesign): LabRecord | null {
  if (record === null || record.ids.key !== ids.key) return null;
  return record.ids.clusterId === ids.clusterId ? record : null;
}

/** A client pod that ended (evicted, its node gone) never runs again; another takes its name. */
async function dropEndedClients({ cluster, design, signal }: Provisioning): Promise<void> {
  const { namespace } = design.names;
  for (const client of design.plan.clients.names) {
    const name = design.names.clientPod(client);
    const pod = await cluster.get({ kind: 'Pod', namespace, name }, { signal });
    const ended = pod?.status?.phase === 'Failed' || pod?.status?.phase === 'Succeeded';
    const uid = pod?.metadata?.uid;
    if (!ended || uid === undefined || pod?.metadata?.labels?.['assay.dev/experiment'] !== design.ids.key)
      continue;
    await cluster.delete({ kind: 'Pod', namespace, name, uid }, { gracePeriodS: 0 }, { signal });
  }
}

function hasEnded({ status }: Kinds['Pod']): boolean {
  return status?.phase === 'Failed' || status?.phase === 'Succeeded';
}

/** A class's parameters cannot change, and those of a later call may (its expiry): one that is there stays. */
function applyAny(cluster: Cluster, object: LabObject, call: Call): Promise<{ readonly uid: string }> {
  switch (object.kind) {
    case 'Namespace':
      return cluster.apply<'Namespace'>(object, call);
    case 'StorageClass':
      return cluster.createIfAbsent<'StorageClass'>(object, call);
    case 'Service':
      return cluster.apply<'Service'>(object, call);
    case 'NetworkPolicy':
      return cluster.apply<'NetworkPolicy'>(object, call);
    case 'StatefulSet':
      return cluster.apply<'StatefulSet'>(object, call);
    case 'Pod':
      return cluster.apply<'Pod'>(object, call);
  }
}

function refOf({ kind, metadata }: LabObject): Ref {
  const { name = '', namespace } = metadata ?? {};
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
