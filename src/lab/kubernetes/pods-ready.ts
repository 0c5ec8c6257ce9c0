import { InfrastructureError } from '../errors.ts';
import { until } from '../wait.ts';
import type { Call, Cluster, Kinds } from './api/cluster.ts';
import type { LabDesign } from './objects/lab-design.ts';
import { type Trouble, whyNotCreated, whyNotReady } from './pod-trouble.ts';

/** How long pods may take. */
export interface PodLimits {
  /** Until all are ready. */
  readonly readyMs: number;
  /** Without a node: an autoscaler needs a minute or two to bring one. */
  readonly unplacedMs: number;
  /** With a trouble that seldom mends itself (an image that cannot be had, a container that ends again and again). */
  readonly troubleMs: number;
  readonly everyMs: number;
}

const DEFAULTS = { unplacedMs: 300_000, troubleMs: 90_000, everyMs: 2_000 } as const;
/** For volumes, images and the first elections, beside the time of the startup probe. */
const BESIDE_STARTUP_MS = 300_000;

function podLimits(design: LabDesign, given: Partial<PodLimits> = {}): PodLimits {
  const { startup } = design.kubernetes.brokers;
  const startMs = startup.periodS * startup.failures * 1000;
  return { ...DEFAULTS, readyMs: DEFAULTS.unplacedMs + BESIDE_STARTUP_MS + startMs, ...given };
}

interface Waiting {
  readonly cluster: Cluster;
  readonly design: LabDesign;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  readonly limits?: Partial<PodLimits>;
}

/**
 * Waits until every broker and client is ready. A trouble that stays for its limit ends the wait early, with what the
 * scheduler, the kubelet or the driver says.
 * @throws InfrastructureError
 */
export async function awaitPods({ cluster, design, say, signal, limits: given }: Waiting): Promise<void> {
  const limits = podLimits(design, given);
  const since = new Map<string, number>();
  let troubles: readonly Trouble[] = [];
  const done = await until(
    async () => {
      const pods = await podsOf(cluster, design, { signal });
      const missing = pods.filter((pod) => !isReady(pod.seen)).map(({ name }) => name);
      const awaited = missing.length === 0 ? '' : `; waiting for ${missing.join(', ')}`;
      say(`${pods.length - missing.length} of ${pods.length} pods ready${awaited}`);
      if (missing.length === 0) return true;
      troubles = (await Promise.all(pods.map((pod) => troubleOf(cluster, design, pod, { signal })))).filter(
        (trouble) => trouble !== null,
      );
      const lasting = troubles.find((trouble) => hasLasted(trouble, since, limits));
      if (lasting !== undefined) throw errorOf([lasting, ...troubles.filter((one) => one !== lasting)]);
      return undefined;
    },
    { everyMs: limits.everyMs, limitMs: limits.readyMs, signal },
  );
  if (done === undefined) throw errorOf(troubles, limits.readyMs);
}

interface WantedPod {
  readonly name: string;
  readonly seen: Kinds['Pod'] | null;
}

async function podsOf(
  cluster: Cluster,
  { plan, names }: LabDesign,
  call: Call,
): Promise<readonly WantedPod[]> {
  const wanted = [
    ...Array.from({ length: plan.brokers.count }, (_, i) => names.brokerPod(i)),
    ...plan.clients.names.map((client) => names.clientPod(client)),
  ];
  const { namespace } = names;
  return Promise.all(
    wanted.map(async (name) => ({ name, seen: await cluster.get({ kind: 'Pod', namespace, name }, call) })),
  );
}

function isReady(pod: Kinds['Pod'] | null): boolean {
  const ready = pod?.status?.conditions?.find((condition) => condition.type === 'Ready');
  return ready?.status === 'True' && pod?.metadata?.deletionTimestamp === undefined;
}

function troubleOf(cluster: Cluster, design: LabDesign, pod: WantedPod, call: Call): Promise<Trouble | null> {
  if (isReady(pod.seen)) return Promise.resolve(null);
  return pod.seen === null
    ? whyNotCreated(cluster, design, pod.name, call)
    : whyNotReady(cluster, design, pod.seen, call);
}

/** Whether this trouble has been there for as long as its kind may be. */
function hasLasted(trouble: Trouble, since: Map<string, number>, limits: PodLimits): boolean {
  if (trouble.kind === 'waiting') return false;
  const id = `${trouble.code} ${trouble.pod}`;
  const first = since.get(id) ?? performance.now();
  since.set(id, first);
  const limitMs = trouble.kind === 'unplaced' ? limits.unplacedMs : limits.troubleMs;
  return performance.now() - first >= limitMs;
}

function errorOf(troubles: readonly Trouble[], waitedMs?: number): InfrastructureError {
  const [first] = troubles;
  const waited = waitedMs === undefined ? '' : ` within ${Math.round(waitedMs / 1000)} s`;
  if (first === undefined)
    return new InfrastructureError(
      'pods-not-ready',
      `The pods of the lab were not ready${waited}.`,
      'Try again.',
    );
  const others = [...new Set(troubles.map((trouble) => trouble.why))].slice(0, 4).join(' ');
  return new InfrastructureError(first.code, `The lab did not come up${waited}. ${others}`, first.fix);
}
