import type { PodPlan, TolerationPlan } from '../../../design/kubernetes-plan.ts';
import type { CustomObject, Kinds } from '../api/cluster.ts';
import type { LabDesign } from '../objects/lab-design.ts';
import { numberOf } from '../objects/quantity.ts';
import { type Findings, NOTHING, note, problem, together } from './finding.ts';
import { type NodePool, readNodePool } from './node-pool.ts';

/** The nodes of the cluster as seen now; null = we may not look. Pools: null = we may not, or there is no Karpenter. */
export interface SeenNodes {
  readonly nodes: readonly Kinds['Node'][] | null;
  readonly pools: readonly CustomObject[] | null;
  readonly nowMs: number;
  /** The planned time of the experiment at most. */
  readonly plannedMs: number;
}

const POOL_LABEL = 'karpenter.sh/nodepool';
const DISRUPTED_TAINT = 'karpenter.sh/disrupted';

/**
 * Whether pods could be placed, and whether their nodes live long enough. Hints: nodes may come (Karpenter, an
 * autoscaler) and room on them is not known, so what lacks is a note; the scheduler has the last word. Pure.
 */
export function nodeFindings(seen: SeenNodes, design: LabDesign): Findings {
  const { kubernetes, plan } = design;
  const pools = seen.pools?.map(readNodePool) ?? null;
  const { spread } = kubernetes.brokers;
  const { apart } = kubernetes.clients;
  const count = plan.clients.names.length;
  return together([
    roomFor('broker', kubernetes.brokers, spread === 'node' ? plan.brokers.count : 1, seen, pools),
    roomFor('client', kubernetes.clients, apart === 'node' ? count : 1, seen, pools),
    ...(pools ?? []).map((pool) => poolExpiry(pool, kubernetes.brokers, seen)),
    nodeExpiry(kubernetes.brokers, seen, pools ?? []),
  ]);
}

function roomFor(
  who: string,
  pods: PodPlan,
  wanted: number,
  { nodes }: SeenNodes,
  pools: readonly NodePool[] | null,
): Findings {
  if (nodes === null) return NOTHING;
  const labelled = nodes.filter((node) => hasLabels(node, pods.nodeLabels));
  const usable = labelled.filter((node) => takes(node, pods));
  if (usable.length >= wanted) return NOTHING;
  const coming = pools?.find((pool) => pool.mayHave(pods.nodeLabels));
  const have = `${usable.length} of the ${wanted} nodes that the ${who}s need ${usable.length === 1 ? 'is' : 'are'} there (labels ${labelsText(pods.nodeLabels)}; ${pods.requests.cpu} cores; taints)`;
  if (coming !== undefined) return note(`${have}; Karpenter's NodePool ${coming.name} may bring more.`);
  const otherwise =
    pools === null
      ? 'unless an autoscaler brings more, pods will not be placed'
      : `no NodePool of Karpenter makes such nodes, so ${who}s will probably not be placed`;
  return note(`${have}; ${otherwise}. See lab.kubernetes.${who}s.nodes.`);
}

function hasLabels(node: Kinds['Node'], wanted: Readonly<Record<string, string>>): boolean {
  const labels = node.metadata?.labels ?? {};
  return Object.entries(wanted).every(([key, value]) => labels[key] === value);
}

/** Schedulable, large enough when empty, and without a taint that the pod does not put up with. */
function takes({ spec, status }: Kinds['Node'], { requests, tolerations }: PodPlan): boolean {
  const { cpu, memory } = status?.allocatable ?? {};
  const taints = (spec?.taints ?? []).filter((taint) => taint.effect !== 'PreferNoSchedule');
  return (
    spec?.unschedulable !== true &&
    numberOf(cpu ?? '0') >= numberOf(requests.cpu) &&
    numberOf(memory ?? '0') >= requests.memoryBytes &&
    taints.every((taint) => tolerations.some((toleration) => tolerates(toleration, taint)))
  );
}

function tolerates(
  { key, operator, value, effect }: TolerationPlan,
  taint: { readonly key: string; readonly value?: string; readonly effect: string },
): boolean {
  return (
    (key === undefined || key === taint.key) &&
    (effect === undefined || effect === taint.effect) &&
    (operator === 'Exists' || (value ?? '') === (taint.value ?? ''))
  );
}

/** New nodes of a pool that ends them within the experiment. `do-not-disrupt` does not bind where it also bounds the drain. */
function poolExpiry(pool: NodePool, brokers: PodPlan, { plannedMs }: SeenNodes): Findings {
  const { name, expireAfterMs, drainLimitMs } = pool;
  if (expireAfterMs === null || expireAfterMs > plannedMs || !pool.mayHave(brokers.nodeLabels))
    return NOTHING;
  const text = `nodes of it end ${hours(expireAfterMs)} after they came, and the experiment may take ${hours(plannedMs)}`;
  if (drainLimitMs === null)
    return note(`NodePool ${name}: ${text}; pods that may not be disrupted hold them until the lab is gone.`);
  return problem({
    code: 'node-expiry',
    what: 'Nodes would be taken away in the middle of the experiment',
    where: `NodePool ${name}`,
    why: `${text}; its terminationGracePeriod drains them by force`,
    fix: 'Raise expireAfter of the NodePool, take nodes of another, or lower design.deadline.',
  });
}

/** Nodes that are there and old, or on their way out. */
function nodeExpiry(brokers: PodPlan, seen: SeenNodes, pools: readonly NodePool[]): Findings {
  const { nodes, nowMs, plannedMs } = seen;
  const notes = (nodes ?? [])
    .filter((node) => hasLabels(node, brokers.nodeLabels))
    .flatMap((node) => {
      const name = node.metadata?.name ?? '';
      if (node.spec?.taints?.some((taint) => taint.key === DISRUPTED_TAINT))
        return [`Node ${name} is being taken away by Karpenter (taint ${DISRUPTED_TAINT}).`];
      const pool = pools.find((one) => one.name === node.metadata?.labels?.[POOL_LABEL]);
      const bornMs = node.metadata?.creationTimestamp?.getTime();
      if (pool === undefined || pool.expireAfterMs === null || bornMs === undefined) return [];
      const leftMs = bornMs + pool.expireAfterMs - nowMs;
      return leftMs > plannedMs
        ? []
        : [
            `Node ${name} of NodePool ${pool.name} ends in ${hours(Math.max(0, leftMs))}, and the experiment may take ${hours(plannedMs)}.`,
          ];
    });
  return note(...notes);
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return all.length === 0 ? 'any' : all.join(', ');
}

function hours(ms: number): string {
  return `${Number((ms / 3_600_000).toFixed(1))} h`;
}
