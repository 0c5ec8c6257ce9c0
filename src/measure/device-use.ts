import type { TimeSpan } from './cloudwatch.ts';
import type { SampleInterval } from './sample-intervals.ts';
import { partsOf, rate } from './sample-parts.ts';

/** What the kernel of a node counted on one device over some stretches of time. null = not known, never 0. */
export interface DeviceUse {
  readonly readBytesPerS: number | null;
  readonly readOpsPerS: number | null;
  readonly writeBytesPerS: number | null;
  readonly writeOpsPerS: number | null;
  /** Share of the stretches in which the counters were read, 0 to 1. */
  readonly coverage: number;
}

/**
 * Rates of a sampled device over stretches of time that do not overlap, e.g. the whole minutes that CloudWatch has of a
 * trial: Σ ÷ time of the intervals in which the counters are known.
 */
export function deviceUse(intervals: readonly SampleInterval[], spans: readonly TimeSpan[]): DeviceUse {
  const parts = spans.flatMap((span) => partsOf(intervals, span));
  const lengthMs = spans.reduce((sum, { fromMs, toMs }) => sum + Math.max(0, toMs - fromMs), 0);
  const known = parts.filter(({ interval }) => interval.writeBytes !== null);
  const coveredMs = known.reduce((sum, { interval, share }) => sum + interval.elapsedMs * share, 0);
  const perS = (pick: (interval: SampleInterval) => number | null): number | null => {
    const perMs = rate(parts, pick);
    return perMs === null ? null : perMs * 1_000;
  };
  return {
    readBytesPerS: perS((interval) => interval.readBytes),
    readOpsPerS: perS((interval) => interval.readOps),
    writeBytesPerS: perS((interval) => interval.writeBytes),
    writeOpsPerS: perS((interval) => interval.writeOps),
    coverage: lengthMs === 0 ? 0 : Math.min(1, coveredMs / lengthMs),
  };
}
