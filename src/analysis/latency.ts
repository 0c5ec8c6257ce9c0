import type { Frozen, Plan } from '../design/plan.ts';
import { RATE_REACHED } from '../measure/flags.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { countText } from './format.ts';
import { metricOf } from './metrics.ts';
import { producersOf } from './series.ts';

/** A producer that waits for buffer space for more of its time than this is held back by its full buffer. */
const BUFFER_WAIT_SHARE = 0.001;
const BUFFER_WAIT = 'producer-metrics:bufferpool-wait-time-ns-total';

/** What a latency verdict needs to know of the plan. */
export type LatencyPlan = Pick<Plan, 'scenarios'>;

/**
 * Why the latencies of these scenarios carry no verdict; null when they do. Latency means something only where the load
 * keeps a limited rate: otherwise it is the time that records wait in a full buffer (facts: statistics). All trials
 * count: leaving out those that fell behind would be a choice made after seeing the outcome.
 *
 * @param trials the valid trials that would enter the estimate.
 */
export function latencyHindrance(
  plan: LatencyPlan,
  frozen: Frozen | null,
  scenarios: readonly string[],
  trials: readonly TrialRecord[],
): string | null {
  const asked = scenarios.map((slug) => askedRates(plan, frozen, slug));
  const unlimited = scenarios.find((_, i) => asked[i]?.some((rate) => rate === null));
  if (unlimited !== undefined)
    return `queueing, buffer-bound: ${unlimited} sends as fast as it can, so a record's latency is its wait in a full buffer; limit the rate (producers.*.rate)`;
  const texts = asked.map((rates) => rates.map((r) => countText(r ?? 0)).join(' + '));
  if (new Set(texts).size > 1)
    return `the asked rates differ (${texts.join(' against ')} records/s), and latencies compare only at one rate`;
  const behind = trials.flatMap((trial) => {
    const why = whyBehind(trial);
    return why === null ? [] : [{ id: trial.id, why }];
  });
  const [first] = behind;
  if (first === undefined) return null;
  return `queueing, buffer-bound: ${behind.length} of ${trials.length} trials did not keep the asked rate throughout (${first.id}: ${first.why})`;
}

/** Records/s asked of each producer, null = no limit; in the order of their names. */
function askedRates(plan: LatencyPlan, frozen: Frozen | null, slug: string): readonly (number | null)[] {
  const scenario = plan.scenarios.find((s) => s.slug === slug);
  const producers = scenario === undefined ? [] : producersOf(scenario);
  return producers
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((load) => frozen?.rates?.[slug]?.[load.name] ?? load.recordsPerS);
}

function whyBehind(trial: TrialRecord): string | null {
  const achieved = metricOf(trial, 'achieved')?.value ?? null;
  if (achieved !== null && achieved < RATE_REACHED)
    return `${(100 * achieved).toFixed(1)} % of the asked rate, ${100 * RATE_REACHED} % are needed`;
  const flag = trial.verdict.flags.find((f) => f.code === 'co-suspect' || f.code === 'rate-not-reached');
  if (flag !== undefined) return flag.message;
  const waiting = trial.loads.find((load) => {
    const { startedAtMs, endedAtMs, metrics } = load;
    if (startedAtMs === null || endedAtMs === null) return false;
    return (metrics[BUFFER_WAIT] ?? 0) / 1e6 > BUFFER_WAIT_SHARE * (endedAtMs - startedAtMs);
  });
  return waiting === undefined ? null : `${waiting.name} waited for buffer space`;
}
