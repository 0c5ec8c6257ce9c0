import { type Billed, type Cost, costFor, NOT_INCLUDED, usdText } from './cost.ts';
import type { KubernetesPlan, PodPlan } from './kubernetes-plan.ts';
import type { LabPlan, Plan } from './plan.ts';

/** What of a lab costs money, as far as the spec tells it. */
export interface BilledParts {
  readonly billed: readonly Billed[];
  /** What it does not tell, in words: it has no price before the lab is up. */
  readonly unknown: readonly string[];
}

export interface CostEstimate {
  readonly low: Cost;
  readonly high: Cost;
  readonly unknown: readonly string[];
}

const INSTANCE_TYPE = 'node.kubernetes.io/instance-type';
const HOUR_MS = 3_600_000;
const GIB = 1024 ** 3;

/** Nodes and volumes of a lab on Kubernetes, a node for each pod: pods that share one cost less. Nothing of other labs. */
export function billedParts({ kubernetes, brokers, clients }: LabPlan): BilledParts {
  if (kubernetes === undefined) return { billed: [], unknown: [] };
  const parts = [
    nodesOf('brokers', kubernetes.brokers, brokers.count),
    nodesOf('clients', kubernetes.clients, clients.names.length),
    volumesOf(kubernetes, brokers.count),
  ];
  return {
    billed: parts.filter((part) => typeof part !== 'string'),
    unknown: parts.filter((part) => typeof part === 'string'),
  };
}

function nodesOf(kind: string, { nodeLabels }: PodPlan, count: number): Billed | string {
  const type = nodeLabels[INSTANCE_TYPE];
  return type === undefined ? `nodes of the ${kind}: no ${INSTANCE_TYPE}` : { kind: 'instance', count, type };
}

function volumesOf({ storageClass, brokers }: KubernetesPlan, count: number): Billed | string {
  if (storageClass.mode === 'given')
    return `volumes: their type is that of StorageClass ${storageClass.name}`;
  const { type, iops, throughputMiBps } = storageClass;
  return { kind: 'volume', count, type, sizeGiB: brokers.diskBytes / GIB, iops, throughputMiBps };
}

/** What an experiment costs by its planned time; null for another lab, or without prices in the spec. */
export function costEstimate(plan: Pick<Plan, 'lab' | 'estimates' | 'keepMs'>): CostEstimate | null {
  const { kubernetes } = plan.lab;
  if (kubernetes === undefined || kubernetes.prices === null) return null;
  const { billed, unknown } = billedParts(plan.lab);
  const { low, high } = plan.estimates.durationMs;
  const { prices } = kubernetes;
  const of = (ms: number) => costFor(billed, prices, (ms + (plan.keepMs ?? 0)) / HOUR_MS);
  return { low: of(low), high: of(high), unknown };
}

/** The estimate, one fact a line; what is not in it always belongs to it. */
export function costLines({ low, high, unknown }: CostEstimate): readonly string[] {
  const [from, to] = [usdText(low.usd), usdText(high.usd)];
  const parts = low.items.filter(({ usd }) => usd !== null).map(({ what }) => what);
  const missing = [...low.unpriced, ...unknown];
  return [
    `cost: ${from === to ? `about ${from}` : `${from} to ${to}`} for ${parts.join(' + ') || 'nothing that has a price'}, at prices of ${low.priceDate}`,
    ...(missing.length > 0 ? [`cost: without a price here: ${missing.join('; ')}`] : []),
    `cost: not included: ${NOT_INCLUDED.join('; ')}`,
  ];
}
