import { incomparable } from '../design/incomparable.ts';
import type { ExpectationPlan, Frozen, Metric, Plan, Scenario } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { ExpectationResult, Interval } from './analysis.ts';
import { type Cell, validCells, whyNoValue } from './cells.ts';
import { type EffectPlan, blockRatios } from './effects.ts';
import { ratioText } from './format.ts';
import { tInterval, wideningOf } from './interval.ts';
import { latencyHindrance } from './latency.ts';
import { isLatency, theMetric, valueText } from './metrics.ts';
import { REHEARSED, unlike } from './hindrance.ts';
import { recordBytesOf } from './record-bytes.ts';
import { type BlockLog, FEWEST_LABS, replicateText, replicatesOf } from './replicates.ts';
import { pairedT } from './statistics/paired-t.ts';
import { unequalVoiding } from './voiding.ts';

/** Fewer repeats make a t interval that leans on its assumptions alone. */
const FEWEST = 6;

/** What expectations need of a plan. */
export type ExpectationsPlan = EffectPlan & Pick<Plan, 'expectations' | 'payloads'>;

/**
 * Every expectation of the spec: the t interval on logs of a scenario's value over blocks (or of the ratio within blocks), 95 % for all expectations
 * together (Bonferroni), against its bounds. Passed = the whole interval inside, failed = wholly outside, else inconclusive.
 */
export function meetExpectations(
  plan: ExpectationsPlan,
  trials: readonly TrialRecord[],
  frozen: Frozen | null,
): readonly ExpectationResult[] {
  return (plan.expectations ?? []).map((expected) => meet(plan, expected, trials, frozen));
}

/** The numbers behind an expectation, or why there are none. */
interface Seen {
  readonly logs: readonly BlockLog[];
  readonly unit: ExpectationResult['unit'];
  /** Why there is no number, or no outcome whatever the number. */
  readonly hindrance: string | null;
}

function meet(
  plan: ExpectationsPlan,
  expected: ExpectationPlan,
  trials: readonly TrialRecord[],
  frozen: Frozen | null,
): ExpectationResult {
  const seen =
    expected.versus === null ? ofOne(plan, expected, trials, frozen) : ofTwo(plan, expected, trials, frozen);
  const { logs, unit: repeat } = replicatesOf(plan.labs, seen.logs);
  const t = logs.length >= 2 ? pairedT(logs) : null;
  const interval = t && tInterval(t, plan.expectations.length, wideningOf(plan));
  const base = {
    text: expected.text,
    metric: expected.metric,
    estimate: t && Math.exp(t.mean),
    interval,
    unit: seen.unit,
    n: logs.length,
  };
  const why =
    (plan.smoke ? REHEARSED : null) ??
    seen.hindrance ??
    (logs.length < FEWEST || interval === null
      ? `${replicateText(logs.length, repeat)} can be counted; ${FEWEST} are needed${repeat === 'lab' ? ` (with ${FEWEST_LABS} labs or more a lab is one repeat)` : ''}`
      : null);
  if (why !== null || interval === null)
    return { ...base, outcome: 'inconclusive', because: why ?? 'there is no interval' };
  return { ...base, ...against(expected, interval, seen.unit) };
}

/** The outcome of an interval against the bounds. */
function against(
  { min, max }: ExpectationPlan,
  interval: Interval,
  unit: ExpectationResult['unit'],
): Pick<ExpectationResult, 'outcome' | 'because'> {
  const text = (value: number) => (unit === 'ratio' ? ratioText(value) : valueText(value, unit));
  const where = `the interval ${text(interval.low)} to ${text(interval.high)}`;
  const low = min?.value ?? Number.NEGATIVE_INFINITY;
  const high = max?.value ?? Number.POSITIVE_INFINITY;
  if (interval.low >= low && interval.high <= high)
    return { outcome: 'passed', because: `${where} lies inside` };
  if (interval.high < low || interval.low > high)
    return { outcome: 'failed', because: `${where} lies outside` };
  return { outcome: 'inconclusive', because: `${where} holds the bound` };
}

/** The value of one scenario in each block. */
function ofOne(
  plan: ExpectationsPlan,
  expected: ExpectationPlan,
  trials: readonly TrialRecord[],
  frozen: Frozen | null,
): Seen {
  const { of, min, max } = expected;
  const inBytes = (min ?? max)?.kind === 'bytes/s';
  const metric = inBytes && expected.metric === 'rate' ? 'byteRate' : expected.metric;
  const cells = [...validCells(trials, of, metric).values()];
  const recordsToBytes = inBytes && cells[0]?.unit === 'records/s';
  const scenario = plan.scenarios.find((s) => s.slug === of);
  const factor = recordsToBytes && scenario ? recordBytesOf(plan, scenario, metric) : 1;
  const logs = cells.map(({ trial, value }) => ({
    block: trial.block,
    lab: trial.lab ?? 1,
    log: Math.log(value * (factor ?? 1)),
  }));
  const unit = recordsToBytes ? 'bytes/s' : (cells[0]?.unit ?? unitOf(expected));
  const hindrance =
    leftOutText(frozen, of) ??
    (new Set(cells.map((c) => c.over)).size > 1
      ? `${theMetric(metric)} of ${of} is not over the same times in every trial`
      : null) ??
    (factor === null ? `records of ${of} differ in size, so its bytes per second are not known` : null) ??
    noOutcome(plan, [of], metric, cells, trials, frozen);
  return { logs, unit, hindrance };
}

/** The ratio of two scenarios within each block. */
function ofTwo(
  plan: ExpectationsPlan,
  { metric, of, versus }: ExpectationPlan,
  trials: readonly TrialRecord[],
  frozen: Frozen | null,
): Seen {
  const pair = [of, versus ?? of];
  const cells = pair.map((slug) => [...validCells(trials, slug, metric).values()]);
  const [above, below] = pair.map((slug) => plan.scenarios.find((s) => s.slug === slug));
  const apart =
    leftOutText(frozen, of) ??
    leftOutText(frozen, versus ?? of) ??
    incomparableText(metric, above, below) ??
    unlike({ numerator: of, denominator: versus ?? of }, cells);
  if (apart !== null) return { logs: [], unit: 'ratio', hindrance: apart };
  const ratios = blockRatios(cells[0] ?? [], cells[1] ?? []);
  return {
    logs: ratios.map(({ block, lab, ratio }) => ({ block, lab, log: Math.log(ratio) })),
    unit: 'ratio',
    hindrance:
      noOutcome(plan, pair, metric, cells.flat(), trials, frozen) ?? unequalVoiding(trials, of, versus ?? of),
  };
}

function incomparableText(
  metric: Metric,
  above: Scenario | undefined,
  below: Scenario | undefined,
): string | null {
  if (above === undefined || below === undefined) return 'the plan has no such scenario';
  return incomparable(metric, above, below).incomparable ?? null;
}

function leftOutText(frozen: Frozen | null, slug: string): string | null {
  const why = frozen?.leftOut?.[slug];
  return why === undefined ? null : `${slug} was not measured: ${why}`;
}

/** Latencies of loads that fell behind, and trials without a value: no outcome stands on what is left. */
function noOutcome(
  plan: ExpectationsPlan,
  scenarios: readonly string[],
  metric: Metric,
  cells: readonly Cell[],
  trials: readonly TrialRecord[],
  frozen: Frozen | null,
): string | null {
  const gap = scenarios.flatMap((slug) => whyNoValue(trials, slug, metric).map((why) => ({ slug, why })))[0];
  if (gap !== undefined)
    return `${theMetric(metric)} of a valid trial of ${gap.slug} is not known: ${gap.why}`;
  const seen = cells.map((c) => c.trial);
  return isLatency(metric) ? latencyHindrance(plan, frozen, scenarios, seen) : null;
}

function unitOf({ min, max }: ExpectationPlan): ExpectationResult['unit'] {
  return (min ?? max)?.kind ?? 'ratio';
}
