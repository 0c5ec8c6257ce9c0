import type { Metric } from '../design/plan.ts';
import type { LoadRecord, MetricValue, SteadyRate } from './trial-record.ts';
import type { SetRate, TrialMeasurement } from './trial-rate.ts';

/** The tool keeps at most so many latencies of a load. */
const MOST_SAMPLES = 500_000;
/** A percentile from fewer samples of one trial is not estimable (facts: statistics). */
const LEAST_SAMPLES = { p50: 2, p95: 20, p99: 100, p999: 1_000 } as const;

type Percentile = keyof typeof LEAST_SAMPLES;

/**
 * Every metric of one trial. Rates are records (or bytes) per second of all loads, the producers or the consumers,
 * several over their common interval; `achieved` is the producers' steady rate ÷ the rate asked of them. A metric
 * whose loads the trial does not have is absent; one that could not be measured is null and says why.
 *
 * @param loads records of the trial's loads.
 */
export function metricValues(
  measurement: TrialMeasurement,
  loads: readonly LoadRecord[],
): Readonly<Partial<Record<Metric, MetricValue>>> {
  const { all, producers, consumers } = measurement.sets;
  const senders = loads.filter((load) => load.kind === 'producer');
  return {
    ...present('rate', rateValue(all, loads, 'records/s')),
    ...present('byteRate', rateValue(all, loads, 'bytes/s')),
    ...present('produceRate', rateValue(producers, loads, 'records/s')),
    ...present('consumeRate', rateValue(consumers, loads, 'records/s')),
    ...present('achieved', achieved(producers, senders)),
    ...Object.fromEntries(
      (Object.keys(LEAST_SAMPLES) as Percentile[]).flatMap((p) =>
        Object.entries(present(p, percentile(p, senders))),
      ),
    ),
  };
}

function present(metric: Metric, value: MetricValue | null): Partial<Record<Metric, MetricValue>> {
  return value === null ? {} : { [metric]: value };
}

function rateValue(
  set: SetRate,
  loads: readonly LoadRecord[],
  unit: 'records/s' | 'bytes/s',
): MetricValue | null {
  if (set.of.length === 0) return null;
  const value = set.rate === null ? null : unit === 'bytes/s' ? set.rate.bytesPerS : set.rate.recordsPerS;
  return { value, unit, over: overOf(set, loads), loads: set.of, why: value === null ? whyNone(set) : null };
}

function whyNone(set: SetRate): string {
  return set.why ?? 'there is no steady rate';
}

function overOf(set: SetRate, loads: readonly LoadRecord[]): SteadyRate['over'] {
  if (set.rate !== null) return set.rate.over;
  if (set.of.length > 1) return 'overlap';
  return loads.find((load) => load.name === set.of[0])?.kind === 'consumer' ? 'fetch' : 'own';
}

/** null where a producer has no limit: nothing was asked of it. */
function achieved(set: SetRate, senders: readonly LoadRecord[]): MetricValue | null {
  const asked = senders.map((load) => load.askedRecordsPerS ?? null);
  if (asked.length === 0 || asked.includes(null)) return null;
  const total = asked.reduce<number>((sum, perS) => sum + (perS ?? 0), 0);
  const value = set.rate === null ? null : set.rate.recordsPerS / total;
  const over = overOf(set, senders);
  return { value, unit: 'share', over, loads: set.of, why: value === null ? whyNone(set) : null };
}

/** Of one producer only: percentiles of several loads cannot be joined, they only bound the pooled one. */
function percentile(which: Percentile, senders: readonly LoadRecord[]): MetricValue | null {
  const [only, ...more] = senders;
  if (only === undefined) return null;
  const base = { unit: 'ms', over: 'whole-load', loads: senders.map((load) => load.name) } as const;
  if (more.length > 0) {
    const each = senders.map((load) => load.latencyMs?.[which] ?? null);
    const known = each.every((ms) => ms !== null);
    const bounds = known ? ` (between ${Math.min(...each)} and ${Math.max(...each)} ms)` : '';
    return {
      ...base,
      value: null,
      why: `the loads have a percentile each, and only bounds together${bounds}`,
    };
  }
  const { latencyMs, finalCount } = only;
  if (latencyMs === null)
    return {
      ...base,
      value: null,
      why: 'the tool printed no latency that means anything (acks 0, or no record)',
    };
  const samples = Math.min(MOST_SAMPLES, finalCount ?? 0);
  if (samples < LEAST_SAMPLES[which])
    return { ...base, value: null, why: `${samples} latencies are too few for it` };
  return { ...base, value: latencyMs[which], why: null };
}
