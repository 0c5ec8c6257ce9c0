import type { Metric } from '../design/plan.ts';
import type { MetricValue, TrialRecord } from '../measure/trial-record.ts';
import { countText } from './format.ts';

/** Fewer records than this inside a trial say nothing about the percentile (facts: statistics). */
const LEAST_RECORDS: Readonly<Partial<Record<Metric, number>>> = { p99: 100, p999: 1_000 };

const NOUNS: Readonly<Record<Metric, string>> = {
  rate: 'rate',
  byteRate: 'byte rate',
  produceRate: 'produce rate',
  consumeRate: 'consume rate',
  achieved: 'achieved share',
  p50: 'p50',
  p95: 'p95',
  p99: 'p99',
  p999: 'p99.9',
};

/** What sentences call a metric: `rate`, `p99.9`. */
export function metricNoun(metric: Metric): string {
  return NOUNS[metric];
}

/** Percentiles of the producer's latency: lower is better, and a verdict needs rate-limited loads. */
export function isLatency(metric: Metric): boolean {
  return metric === 'p50' || metric === 'p95' || metric === 'p99' || metric === 'p999';
}

/** A value with its unit for people: `140,164 records/s`, `61.2 MiB/s`, `12 ms`, `99.5 %`. */
export function valueText(value: number, unit: MetricValue['unit']): string {
  if (unit === 'records/s') return `${countText(value)} records/s`;
  if (unit === 'bytes/s') return `${(value / 2 ** 20).toPrecision(3)} MiB/s`;
  if (unit === 'share') return `${Number((100 * value).toFixed(2))} %`;
  return `${Number(value.toPrecision(3))} ms`;
}

/**
 * One metric of one trial; older records have a rate only. null: the record says nothing about this metric. A value
 * of null carries why it cannot be estimated.
 */
export function metricOf(trial: TrialRecord, metric: Metric): MetricValue | null {
  const value = trial.values?.[metric] ?? olderRate(trial, metric);
  if (value === null || value.value === null) return value;
  const why = notEstimable(trial, metric, value);
  return why === null ? value : { ...value, value: null, why };
}

function olderRate({ rate, loads }: TrialRecord, metric: Metric): MetricValue | null {
  if (rate === null || (metric !== 'rate' && metric !== 'byteRate')) return null;
  const shared = { over: rate.over, loads: loads.map((l) => l.name), why: null };
  return metric === 'rate'
    ? { value: rate.recordsPerS, unit: 'records/s', ...shared }
    : { value: rate.bytesPerS, unit: 'bytes/s', ...shared };
}

/** Too few records for the percentile; or a value that has no logarithm. */
function notEstimable(trial: TrialRecord, metric: Metric, { loads, value }: MetricValue): string | null {
  const least = LEAST_RECORDS[metric] ?? 0;
  const counts = trial.loads.filter((l) => loads.includes(l.name)).map((l) => l.finalCount ?? 0);
  const fewest = Math.min(...counts, Number.POSITIVE_INFINITY);
  if (fewest < least)
    return `${metricNoun(metric)} cannot be estimated from ${fewest} records (${least} are needed)`;
  if (value === null || value > 0) return null;
  return isLatency(metric)
    ? `${metricNoun(metric)} is below the whole milliseconds in which the tool counts`
    : `the ${metricNoun(metric)} is 0`;
}

/** `p99` as a subject, a rate with its article: for sentences. */
export function theMetric(metric: Metric): string {
  return isLatency(metric) ? metricNoun(metric) : `the ${metricNoun(metric)}`;
}
