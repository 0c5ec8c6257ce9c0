import type { LabPlan } from '../../design/plan.ts';
import type { Cluster } from './api/cluster.ts';
import { leaks, leakText } from './leaks.ts';
import { type LabDesign, labDesign, type LabIds } from './objects/lab-design.ts';
import type { Watch } from './broker-pods.ts';
import { preflight, preflightError } from './preflight.ts';
import { provision } from './provision.ts';
import { type LabRecord, newClusterId, type RecordKeeper } from './record.ts';
import { teardown } from './teardown.ts';
import { doomedLab } from './teardown-job.ts';

/** What makes and removes the objects of one lab. */
export interface LabMaker {
  /** Makes all of them, each recorded before, and waits until the pods are ready; finds them made. */
  provision(watch: Watch): Promise<LabIds>;
  /** Whose lab it is, as it was recorded; null = it was never provisioned. */
  ids(): Promise<LabIds | null>;
  teardown(): Promise<void>;
  /** What is left, and where we may not look; each in a sentence. */
  leaks(): Promise<readonly string[]>;
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
    async teardown() {
      const design = (await known()) ?? labDesign(plan, { ...ids, clusterId: '' });
      const { signal } = new AbortController();
      await teardown({ cluster, lab: doomedLab(design), keeper, say: () => undefined, signal });
    },
    async leaks() {
      const design = (await known()) ?? labDesign(plan, { ...ids, clusterId: '' });
      const found = await leaks(cluster, doomedLab(design), await keeper.read());
      return [...found.leaks.map(leakText), ...found.unverified.map((what) => `unverified: ${what}`)];
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
