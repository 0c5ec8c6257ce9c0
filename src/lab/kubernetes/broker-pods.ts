import { InfrastructureError } from '../errors.ts';
import type { LabState } from '../lab.ts';
import { until } from '../wait.ts';
import type { Cluster } from './api/cluster.ts';
import { identityOf, isAlive, type LabPod, readLabPods } from './lab-pods.ts';
import type { LabDesign } from './objects/lab-design.ts';
import { statefulSet } from './objects/stateful-set.ts';
import type { BrokerSection } from './objects/broker-env.ts';
import type { PodAdmin } from './pod-admin.ts';
import { awaitPods } from './pods-ready.ts';

/** One broker of the lab: `b1` is the pod of ordinal 0, which is its node id. */
export interface BrokerPlace {
  readonly name: string;
  readonly nodeId: number;
  readonly pod: string;
}

export function brokerPlaces({ plan, names }: Pick<LabDesign, 'plan' | 'names'>): readonly BrokerPlace[] {
  return Array.from({ length: plan.brokers.count }, (_, i) => ({
    name: `b${i + 1}`,
    nodeId: i,
    pod: names.brokerPod(i),
  }));
}

/** Which brokers live, and what each is now. The number of restarts is the incarnation; only the words tell them apart. */
export function stateOf(places: readonly BrokerPlace[], pods: ReadonlyMap<string, LabPod>): LabState {
  const brokers = places.map(({ name, nodeId, pod: podName }) => {
    const pod = pods.get(podName);
    const identity = pod === undefined ? 'gone' : identityOf(pod);
    const alive = isAlive(pod);
    return { name, nodeId, incarnation: pod?.restarts ?? 0, alive, pid: null, startTicks: null, identity };
  });
  const identity = brokers.map((b) => `${b.name}: ${b.alive ? b.identity : 'dead'}`).join('; ');
  return { brokers, identity };
}

/** What waits say while they wait, and what ends them. */
export interface Watch {
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
}

const WHOLE_LIMIT_MS = 5 * 60_000;
/** Beyond the time that a broker may take to shut down. */
const ENDING_SLACK_MS = 60_000;
const LOOK_MS = 1_000;

/** Waits until all brokers are registered and every partition, internal ones too, has its full ISR and its own leader. */
export async function awaitWhole(admin: PodAdmin, { say, signal }: Watch): Promise<void> {
  let last = 'nothing was heard of them';
  const whole = await until(
    async () => {
      const why = await admin.whyNotWhole().catch((error: unknown) => (error as Error).message);
      if (why === null) return true;
      last = why;
      say(`waiting for the brokers: ${why}`);
      return undefined;
    },
    { everyMs: LOOK_MS, limitMs: WHOLE_LIMIT_MS, signal },
  );
  if (whole === undefined)
    throw new InfrastructureError(
      'brokers-slow',
      `The brokers are not whole after ${WHOLE_LIMIT_MS / 60_000} minutes: ${last}.`,
      "Look at the brokers' logs; a cluster that is very busy may only need another try.",
    );
  await admin.electPreferredLeaders(signal);
}

/**
 * Restarts all brokers with other settings: the template changes, which by itself changes nothing (OnDelete), and every pod
 * is asked to end, so that logs are closed cleanly. Also when nothing differs.
 */
export async function restartBrokers(
  cluster: Cluster,
  design: LabDesign,
  settings: BrokerSection,
  watch: Watch,
): Promise<void> {
  const { names, ids } = design;
  await cluster.apply(statefulSet(design, settings), { signal: watch.signal });
  const pods = await readLabPods(cluster, names.namespace, ids.key);
  const former = brokerPlaces(design).flatMap(({ pod }) => pods.get(pod) ?? []);
  watch.say('restarting the brokers');
  await Promise.all(
    former.map(({ name, uid }) => cluster.delete({ kind: 'Pod', namespace: names.namespace, name, uid })),
  );
  await awaitEnd(cluster, design, former, watch);
  await awaitPods({ cluster, design, ...watch });
}

async function awaitEnd(
  cluster: Cluster,
  { names, ids, kubernetes }: LabDesign,
  former: readonly LabPod[],
  { signal }: Watch,
): Promise<void> {
  const limitMs = kubernetes.brokers.graceS * 1000 + ENDING_SLACK_MS;
  const ended = await until(
    async () => {
      const pods = await readLabPods(cluster, names.namespace, ids.key);
      return former.some(({ name, uid }) => pods.get(name)?.uid === uid) ? undefined : true;
    },
    { everyMs: LOOK_MS, limitMs, signal },
  );
  if (ended === undefined)
    throw new InfrastructureError(
      'brokers-slow',
      `The brokers' pods did not end within ${limitMs / 1000} s.`,
      `Look at \`kubectl -n ${names.namespace} get pods\`: a node that does not answer keeps its pods.`,
    );
}
