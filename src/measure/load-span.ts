import type { ConsumerSummary } from './consumer-summary.ts';
import type { TimedInterval, Timeline } from './timeline.ts';
import { cutIntervals } from './windows.ts';

/** What a load did between two times. */
export interface SpanPart {
  readonly recordsPerS: number;
  readonly bytesPerS: number;
  /** Time that the rate is over; 0 = nothing of it lies there. */
  readonly elapsedMs: number;
  readonly intervals: readonly TimedInterval[];
}

/** One load in wall clock, as far as rates over a common interval need it. */
export interface LoadSpan {
  readonly name: string;
  readonly kind: 'producer' | 'consumer';
  /** First send; of a consumer the start of its fetch time. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  /** Cut from the end; a consumer has none. */
  readonly tailMs: number;
  between(fromMs: number, toMs: number): SpanPart;
}

/** A producer is known line by line. */
export function producerSpan(load: {
  readonly name: string;
  readonly timeline: Timeline;
  readonly tailMs: number;
  readonly recordBytes: number;
}): LoadSpan {
  const { timeline } = load;
  const { startedAtMs, endedAtMs } = timeline;
  return {
    name: load.name,
    kind: 'producer',
    startedAtMs,
    endedAtMs,
    tailMs: load.tailMs,
    between: (fromMs, toMs) => {
      const { records, elapsedMs, intervals } = cutIntervals(
        timeline,
        fromMs - startedAtMs,
        toMs - startedAtMs,
      );
      const recordsPerS = elapsedMs > 0 ? (records / elapsedMs) * 1000 : 0;
      return { recordsPerS, bytesPerS: recordsPerS * load.recordBytes, elapsedMs, intervals };
    },
  };
}

/** A consumer prints totals only: its fetch-time rate is taken as uniform from the first fetch to its end. */
export function consumerSpan(load: {
  readonly name: string;
  readonly fetch: FetchRate;
  readonly endedAtMs: number;
}): LoadSpan {
  const { fetch, endedAtMs } = load;
  const startedAtMs = endedAtMs - fetch.fetchMs;
  const { recordsPerS, bytesPerS } = fetch;
  return {
    name: load.name,
    kind: 'consumer',
    startedAtMs,
    endedAtMs,
    tailMs: 0,
    between: (fromMs, toMs) => {
      const elapsedMs = Math.max(0, Math.min(toMs, endedAtMs) - Math.max(fromMs, startedAtMs));
      return { recordsPerS, bytesPerS, elapsedMs, intervals: [] };
    },
  };
}

/** The estimate of a consumer: what it read ÷ its fetch time, the rebalance left out (design §7). */
export interface FetchRate {
  readonly recordsPerS: number;
  readonly bytesPerS: number;
  readonly fetchMs: number;
}

/**
 * From the summary row; a text says why there is none.
 *
 * @param mostMs time in which there was anything to fetch, where that is less than the tool's fetch time.
 */
export function fetchRateOf(final: ConsumerSummary, mostMs = Number.POSITIVE_INFINITY): FetchRate | string {
  if (final.inconsistent !== null) return final.inconsistent;
  const { records, mib } = final;
  const fetchMs = final.fetchMs === null ? null : Math.min(final.fetchMs, mostMs);
  if (fetchMs === null) return final.absent ?? 'the tool printed no fetch time';
  if (records === 0 || fetchMs <= 0) return 'nothing was read';
  // The printed rates are these quotients; from the amounts they keep their digits.
  const perS = (amount: number): number => (amount / fetchMs) * 1000;
  return { recordsPerS: perS(records), bytesPerS: perS((mib ?? 0) * 1024 * 1024), fetchMs };
}
