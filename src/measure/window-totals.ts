import type { ProducerNumbers } from './producer-line.ts';

/** What all interval lines of an output come to, however many there are. */
export interface WindowTotals {
  readonly lines: number;
  /** Not the load's count: the last, partial window is never printed. */
  readonly records: number;
  readonly minRecordsPerS: number | null;
  readonly maxRecordsPerS: number | null;
  readonly maxLatencyMs: number | null;
  /** The windows lasted at least this long together: a rate is printed with one decimal, so a length has an error. */
  readonly atLeastMs: number;
}

/** Adds interval lines up with flat memory. */
export function windowTotals(): { add(numbers: ProducerNumbers): void; totals(): WindowTotals } {
  let lines = 0;
  let records = 0;
  let min = Infinity;
  let max = -Infinity;
  let latency = -Infinity;
  let seconds = 0;
  return {
    add(numbers) {
      lines += 1;
      records += numbers.records;
      const rate = numbers.recordsPerS;
      if (rate !== null) {
        if (rate < min) min = rate;
        if (rate > max) max = rate;
        seconds += numbers.records / (rate + 0.05);
      }
      if (numbers.maxLatencyMs !== null && numbers.maxLatencyMs > latency) latency = numbers.maxLatencyMs;
    },
    totals: () => ({
      lines,
      records: Math.min(records, Number.MAX_SAFE_INTEGER),
      minRecordsPerS: finite(min),
      maxRecordsPerS: finite(max),
      maxLatencyMs: finite(latency),
      atLeastMs: seconds * 1000,
    }),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
