import type { LabPlan } from '../../design/plan.ts';
import type { Leftovers } from '../lab.ts';
import type { Cluster } from './api/cluster.ts';
import type { LabPod } from './lab-pods.ts';
import { leaks, leakText } from './leaks.ts';
import { type LabDesign, labDesign, type LabIds } from './objects/lab-design.ts';
import type { Watch } from './broker-pods.ts';
import { preflight, preflightError } from './preflight.ts';
import { provision } from './provision.ts';
import { allVolumes, type LabRecord, newClusterId, type RecordKeeper, withUid } from './record.ts';
import { teardown } from './teardown.ts';
import { doomedLab } from './teardown-job.ts';

/** What makes and removes the objects of one lab. */
export interface LabMaker {
  /** Makes all of them, each recorded before, and waits until the pods are ready; finds them made. */
  provision(watch: Watch): Promise<LabIds>;
  /** Whose lab it is, as it was recorded; null = it was never provisioned. */
  ids(): Promise<LabIds | null>;
  /** Pod of a client → its UID when it was brought up, as it was recorded. */
  clientUids(): Promise<ReadonlyMap<string, string>>;
  /** Records that these pods are the clients now. */
  adoptClients(pods: ReadonlyMap<string, LabPod>): Promise<void>;
  teardown(): Promise<void>;
  /** What is left in the cluster of this lab and of the volumes of all labs before it. */
  leaks(): Promise<Leftovers>;
}

export interface LabMakerOptions {
  readonly cluster: Cluster;
  readonly plan: LabPlan;
  /** All but the Kafka cluster's, which each lab has anew. */
  readonly ids: Omit<LabIds, 'clusterId'>;
  readonly keeper: RecordKeeper;
  /** How long the experiment is to take, for nodes that will not live so long. */
  readonly plannedMs: number;
}

export function createLabMaker(options: LabMakerOptions): LabMaker {
  const { cluster, plan, ids, keeper, plannedMs } = options;
  const known = async (): Promise<LabDesign | null> => {
    const record = await keeper.read();
    return record === null ? null : labDesign(plan, record.ids);
  };
  return {
    async provision({ say, signal }) {
      const design = await designNow(options);
      say('looking at the cluster');
      const time = { nowMs: Date.now(), plannedMs };
      const error = preflightError(await preflight(cluster, design, time, { signal }));
      if (error !== null) throw error;
      return (await provision({ cluster, design, keeper, say, signal })).ids;
    },
    ids: async () => (await keeper.read())?.ids ?? null,
    async clientUids() {
      const record = await keeper.read();
      const { names } = labDesign(plan, record?.ids ?? { ...ids, clusterId: '' });
      const clients = plan.clients.names.map((client) => names.clientPod(client));
      const pods = (record?.objects ?? []).filter(
        ({ kind, name }) => kind === 'Pod' && clients.includes(name),
      );
      return new Map(pods.flatMap(({ name, uid }) => (uid === null ? [] : [[name, uid] as const])));
    },
    async adoptClients(pods) {
      const before = await keeper.read();
      if (before === null) return;
      const { names } = labDesign(plan, before.ids);
      const record = plan.clients.names.reduce((so, client) => {
        const pod = pods.get(names.clientPod(client));
        const { namespace } = names;
        return pod === undefined ? so : withUid(so, { kind: 'Pod', namespace, name: pod.name }, pod.uid);
      }, before);
      await keeper.write(record);
    },
    async teardown() {
      const design = (await known()) ?? labDesign(plan, { ...ids, clusterId: '' });
      const { signal } = new AbortController();
      await teardown({ cluster, lab: doomedLab(design), keeper, say: () => undefined, signal });
    },
    async leaks() {
      const design = (await known()) ?? labDesign(plan, { ...ids, clusterId: '' });
      const record = await keeper.read();
      const volumes = await allVolumes(keeper);
      const found = await leaks(cluster, doomedLab(design), record && { ...record, volumes });
      return { leaks: found.leaks.map(leakText), unverified: found.unverified };
    },
  };
}

/** The lab that is recorded, or the next one: after a teardown a lab of the same names has another Kafka cluster id. */
async function designNow({ cluster, plan, ids, keeper }: LabMakerOptions): Promise<LabDesign> {
  const record = await keeper.read();
  const clusterId =
    record === null || (await isGone(cluster, record)) ? newClusterId() : record.ids.clusterId;
  return labDesign(plan, { ...ids, clusterId });
}

/** Its brokers were made once, and are not there any more. */
async function isGone(cluster: Cluster, record: LabRecord): Promise<boolean> {
  const brokers = record.objects.find(({ kind }) => kind === 'StatefulSet');
  if (brokers?.uid == null || brokers.namespace === null) return false;
  const { name, namespace, uid } = brokers;
  const there = await cluster.get({ kind: 'StatefulSet', namespace, name });
  return there?.metadata?.uid !== uid;
}
