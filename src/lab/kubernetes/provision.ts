import { until } from '../wait.ts';
import { type Call, type Cluster, isClusterError, type Ref, type Typed } from './api/cluster.ts';
import { remakeClients } from './client-pods.ts';
import { readLabPods } from './lab-pods.ts';
import { type LabObject, labObjects } from './objects/all.ts';
import type { LabDesign } from './objects/lab-design.ts';
import { awaitPods, type PodLimits } from './pods-ready.ts';
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
  const { namespace } = design.names;
  const call: Call = { signal };
  let record = sameLab(await keeper.read(), design) ?? firstRecord(design, cluster.server);
  await keeper.write(record);
  for (const object of labObjects(design)) {
    if (object.kind === 'Pod') continue;
    signal.throwIfAborted();
    say(`${object.kind} ${object.metadata?.name ?? ''}`);
    const { uid } = await applyAny(cluster, object, call);
    record = withUid(record, refOf(object), uid);
    await keeper.write(record);
  }
  await makeClients(job);
  const pods = await readLabPods(cluster, namespace, design.ids.key);
  for (const { name, uid } of pods.values()) record = withUid(record, { kind: 'Pod', namespace, name }, uid);
  await keeper.write(record);
  await awaitPods(job);
  record = withVolumes(record, await seenVolumes(cluster, { namespace, key: design.ids.key }, call));
  await keeper.write(record);
  return record;
}

/** The record, if it is of this very lab. */
function sameLab(record: LabRecord | null, { ids }: LabDesign): LabRecord | null {
  if (record === null || record.ids.key !== ids.key) return null;
  return record.ids.clusterId === ids.clusterId ? record : null;
}

/** In a new namespace the service account that every pod has, used or not, is there a moment later. */
const ACCOUNT_LIMIT_MS = 30_000;

async function makeClients({ cluster, design, say, signal }: Provisioning): Promise<void> {
  const startedAt = performance.now();
  await until(
    async () => {
      try {
        await remakeClients(cluster, design, { say, signal });
        return true;
      } catch (error) {
        const early =
          isClusterError(error, 'forbidden') && /serviceaccount|service account/.test(error.message);
        if (!early || performance.now() - startedAt > ACCOUNT_LIMIT_MS) throw error;
        return undefined;
      }
    },
    { everyMs: 500, limitMs: 2 * ACCOUNT_LIMIT_MS, signal },
  );
}

/** A class's parameters cannot change, and those of a later call may (its expiry): one that is there stays. */
function applyAny(
  cluster: Cluster,
  object: Exclude<LabObject, Typed<'Pod'>>,
  call: Call,
): Promise<{ readonly uid: string }> {
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
    default:
      return object satisfies never;
  }
}

function refOf({ kind, metadata }: LabObject): Ref {
  const { name = '', namespace } = metadata ?? {};
  return { kind, name, ...(namespace === undefined ? {} : { namespace }) };
}
