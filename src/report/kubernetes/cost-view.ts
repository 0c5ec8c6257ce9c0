import {
  type Billed,
  type BilledSpan,
  type Cost,
  costOf,
  NOT_INCLUDED,
  type PriceTable,
  usdPerHour,
  usdText,
} from '../../design/cost.ts';
import { billedParts, costEstimate } from '../../design/lab-cost.ts';
import type { PodPlan } from '../../design/kubernetes-plan.ts';
import type { LabPlan } from '../../design/plan.ts';
import type { TimeSpan } from '../../measure/cloudwatch.ts';
import { spanOf } from '../../store/trial-span.ts';
import type { NumberedLab, Results } from '../results.ts';
import { labOf, labsOf } from './labs.ts';

/** Between which two sums something lies, US dollars. */
export interface UsdRange {
  readonly low: number;
  readonly high: number;
}

/** What an experiment cost, as far as the spec's prices and the recorded times tell. */
export interface CostView {
  /** By the plan, before anything was started; null = no prices. */
  readonly estimated: UsdRange | null;
  /** By what was there and when; null = no prices, or no lab. */
  readonly attributed: UsdRange | null;
  readonly stays: StayingNodes | null;
  /** Everything in sentences, in the order in which it is read; what no sum holds always belongs to it. */
  readonly lines: readonly string[];
}

/** Assay ends pods and volumes, never nodes. */
export interface StayingNodes {
  readonly what: readonly string[];
  /** null = some have no price. */
  readonly usdPerHour: number | null;
}

const NO_PRICES =
  'Cost is not known: lab.kubernetes.prices, which says what a node and a volume cost, is left out of the spec.';

export function costView(results: Results): CostView {
  const labs = labsOf(results);
  const plan = withListedPrices(results);
  const prices = plan.lab.kubernetes?.prices ?? null;
  const stays = stayingNodes(plan.lab, labs, prices);
  const staying = stays === null ? [] : [stayingText(stays)];
  if (prices === null) {
    const why = results.prices == null ? NO_PRICES : `Cost is not known. ${results.prices.message}`;
    return { estimated: null, attributed: null, stays, lines: [why, ...staying] };
  }
  const estimate = costEstimate(plan);
  const attribution = attributed(results, labs, prices);
  const unknown = [
    ...(estimate?.unknown ?? []),
    ...(estimate?.low.unpriced ?? []),
    ...(attribution?.high.unpriced ?? []),
  ];
  return {
    estimated: estimate && rangeOf(estimate),
    attributed: attribution && rangeOf(attribution),
    stays,
    lines: [
      ...(estimate === null ? [] : [`Estimated before: ${rangeText(estimate)} at prices of ${prices.date}.`]),
      attribution === null ? 'Nothing was provisioned: nothing is attributed.' : attributedText(attribution),
      ...(unknown.length > 0 ? [`Without a price, and in no sum: ${[...new Set(unknown)].join('; ')}.`] : []),
      ...(results.prices == null ? [] : [results.prices.message]),
      ...staying,
      `Not included: ${NOT_INCLUDED.join('; ')}.`,
    ],
  };
}

/** The plan with the prices that AWS listed, where the spec gives none. */
function withListedPrices({ plan, prices }: Results): Results['plan'] {
  const { kubernetes } = plan.lab;
  if (kubernetes === undefined || kubernetes.prices !== null || prices == null) return plan;
  return { ...plan, lab: { ...plan.lab, kubernetes: { ...kubernetes, prices: prices.prices } } };
}

interface Attribution {
  readonly low: Cost;
  readonly high: Cost;
}

/**
 * Low: from each lab's first trial to its last one, when it was surely there. High: from the end of the lab before (or the
 * experiment's start) to the beginning of the next (or the experiment's end), when it cannot have been there for longer.
 */
function attributed(results: Results, labs: readonly NumberedLab[], prices: PriceTable): Attribution | null {
  const spans = labs.flatMap((lab) => {
    const { least, most } = spansOf(results, lab.lab);
    return billedIn(results.plan.lab, lab).map((billed) => ({ billed, least, most }));
  });
  if (spans.length === 0) return null;
  const of = (which: 'least' | 'most'): Cost =>
    costOf(
      spans.map((one): BilledSpan => ({ ...one.billed, ...one[which] })),
      prices,
      0,
    );
  return { low: of('least'), high: of('most') };
}

function spansOf(
  { trials, experiment }: Results,
  lab: number,
): { readonly least: TimeSpan; readonly most: TimeSpan } {
  const of = (which: (n: number) => boolean) => spanOf(trials.filter((trial) => which(labOf(trial))));
  const [before, mine, after] = [of((n) => n < lab), of((n) => n === lab), of((n) => n > lab)];
  const all = spanOf(trials);
  const startMs = experiment === null ? all?.fromMs : Date.parse(experiment.startedAt);
  const endMs = experiment === null ? all?.toMs : Date.parse(experiment.endedAt);
  const fromMs = before?.toMs ?? startMs ?? 0;
  const most = { fromMs, toMs: after?.fromMs ?? endMs ?? fromMs };
  return { least: mine ?? { fromMs: most.fromMs, toMs: most.fromMs }, most };
}

/** The nodes that pods were seen on, each once, and the volumes of the brokers; what is not known of them by the plan. */
function billedIn(plan: LabPlan, { environment }: NumberedLab): readonly Billed[] {
  const planned = billedParts(plan).billed;
  const volumes = (environment.volumes ?? []).length;
  const ofVolumes = planned.flatMap((one) =>
    one.kind === 'volume' && volumes > 0 ? [{ ...one, count: volumes }] : [],
  );
  return [...nodesIn(plan, environment), ...ofVolumes];
}

function nodesIn(
  { kubernetes }: LabPlan,
  { pods = [] }: NumberedLab['environment'],
): readonly Extract<Billed, { kind: 'instance' }>[] {
  const typeByNode = new Map<string, string>();
  for (const { who, pod, node, facts } of pods) {
    const planned = who.startsWith('broker ') ? kubernetes?.brokers : kubernetes?.clients;
    typeByNode.set(node ?? `the node of ${pod}`, facts['instanceType'] ?? typeOf(planned));
  }
  const types = [...typeByNode.values()];
  return [...new Set(types)].map((type) => ({
    kind: 'instance',
    type,
    count: types.filter((one) => one === type).length,
  }));
}

function typeOf(pods: PodPlan | undefined): string {
  return pods?.nodeLabels['node.kubernetes.io/instance-type'] ?? 'node of unknown type';
}

function stayingNodes(
  plan: LabPlan,
  labs: readonly NumberedLab[],
  prices: PriceTable | null,
): StayingNodes | null {
  const last = labs.at(-1);
  const nodes = last === undefined ? [] : nodesIn(plan, last.environment);
  if (nodes.length === 0) return null;
  const priced = prices === null ? [] : nodes.flatMap((one) => usdPerHour(one, prices) ?? []);
  return {
    what: nodes.map(({ count, type }) => `${count} × ${type}`),
    usdPerHour: priced.length < nodes.length ? null : priced.reduce((sum, usd) => sum + usd, 0),
  };
}

function stayingText({ what, usdPerHour: usd }: StayingNodes): string {
  const price = usd === null ? 'what they cost an hour is not known' : `${usdText(usd)} an hour`;
  return `Nodes are the cluster's, and Assay ends none: ${what.join(' + ')} stay until its autoscaler or its owner ends them, ${price}.`;
}

function attributedText({ low, high }: Attribution): string {
  const parts = high.items.filter(({ usd }) => usd !== null).map(({ what }) => what);
  return `Attributed after: ${rangeText({ low, high })} for ${parts.join(' + ') || 'nothing that has a price'} (lower sum: from the first trial to the last; upper sum: from the experiment's start to its end, waiting for CloudWatch included).`;
}

function rangeOf({ low, high }: Attribution): UsdRange {
  return { low: low.usd, high: high.usd };
}

function rangeText({ low, high }: Attribution): string {
  const [from, to] = [usdText(low.usd), usdText(high.usd)];
  return from === to ? `about ${from}` : `${from} to ${to}`;
}
