import type { Findings } from './inspect-findings.ts';
import type { ConsumerSummary } from './consumer-summary.ts';
import type { ProducerSummary } from './producer-line.ts';

/** Whole-load rates. "MB" of the tools is MiB of uncompressed payload. null = not known or not to be believed. */
export interface InspectRates {
  readonly recordsPerS: number | null;
  readonly mibPerS: number | null;
  /** Consumers from 2.x on: without the rebalance. */
  readonly fetchRecordsPerS: number | null;
  readonly fetchMibPerS: number | null;
}

export interface InspectTimes {
  /** First send to last acknowledgement; of a consumer its rebalance and idle wait included. */
  readonly elapsedMs: number | null;
  readonly rebalanceMs: number | null;
  readonly fetchMs: number | null;
}

/** Of the whole load, from send to acknowledgement, in sampled whole milliseconds. */
export interface InspectLatency {
  readonly avgMs: number | null;
  readonly maxMs: number | null;
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
}

/** Rates of a producer's final line; null when nothing was sent. */
export function producerRates(final: ProducerSummary): InspectRates | null {
  return orNull({
    recordsPerS: final.recordsPerS,
    // 0.00 with records is a small rate, not none.
    mibPerS: final.mibPerS === 0 ? null : final.mibPerS,
    fetchRecordsPerS: null,
    fetchMibPerS: null,
  });
}

/** Rates of a consumer's row; null when it read nothing. */
export function consumerRates(final: ConsumerSummary): InspectRates | null {
  if (final.records === 0) return null;
  const some = (value: number | null): number | null => (value === 0 ? null : value);
  return orNull({
    recordsPerS: some(final.totalRecordsPerS),
    mibPerS: some(final.totalMibPerS),
    fetchRecordsPerS: some(final.fetchRecordsPerS),
    fetchMibPerS: some(final.fetchMibPerS),
  });
}

export function producerTimes(final: ProducerSummary): InspectTimes | null {
  if (final.recordsPerS === null || final.recordsPerS <= 0) return null;
  const elapsedMs = Math.round((final.records / final.recordsPerS) * 1000);
  return Number.isFinite(elapsedMs) ? { elapsedMs, rebalanceMs: null, fetchMs: null } : null;
}

export function consumerTimes(final: ConsumerSummary): InspectTimes | null {
  return orNull({ elapsedMs: final.elapsedMs, rebalanceMs: final.rebalanceMs, fetchMs: final.fetchMs });
}

/** Latencies of a producer's final line; null when nothing was sent. */
export function latencyOfFinal(final: ProducerSummary): InspectLatency | null {
  return orNull({
    avgMs: final.avgLatencyMs,
    maxMs: final.maxLatencyMs,
    p50Ms: final.p50Ms,
    p95Ms: final.p95Ms,
    p99Ms: final.p99Ms,
    p999Ms: final.p999Ms,
  });
}

/** At acks=0 no broker answers: the tool says so itself, or its table has no request latency though it sent. */
export function answersNobody(found: Findings): boolean {
  if (found.hints.acksZero) return true;
  const text = (name: string): string | undefined =>
    found.producer.metrics.rows.find((row) => row.group === 'producer-metrics' && row.name === name)?.text;
  return text('request-latency-avg') === 'NaN' && Number(text('record-send-total') ?? 0) > 0;
}

function orNull<T extends object>(values: T): T | null {
  return Object.values(values).every((value) => value === null) ? null : values;
}
