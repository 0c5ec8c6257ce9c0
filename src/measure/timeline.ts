import type { ProducerInterval, ProducerOutput } from './producer.ts';

/** One whole interval line, placed in time; milliseconds since the load's first send. */
export interface TimedInterval {
  readonly startMs: number;
  readonly endMs: number;
  readonly lengthMs: number;
  readonly records: number;
  readonly avgLatencyMs: number | null;
  /** Longer than 1.5 × the reporting interval: kept and counted. */
  readonly stall: boolean;
}

/** A producer's load in time. */
export interface Timeline {
  /** First send in wall clock, ms since the epoch: end − count ÷ total rate. */
  readonly startedAtMs: number;
  /** Final line in wall clock. */
  readonly endedAtMs: number;
  /** count ÷ total rate. */
  readonly totalMs: number;
  readonly records: number;
  readonly recordsPerS: number;
  readonly intervals: readonly TimedInterval[];
}

export type TimelineResult =
  | { readonly timeline: Timeline; readonly why: null }
  | { readonly timeline: null; readonly why: string };

/** A line longer than this many reporting intervals is a stall. */
export const STALL_FACTOR = 1.5;
/** The tool rounds a line's rate to one decimal. */
const RATE_ROUNDING = 0.05;

/**
 * Places the interval lines of a producer in time (design §7): an interval lasts records ÷ rate, and intervals are
 * contiguous from the first send. Where the tool's rounding leaves room (`1 records sent, 0.6 records/sec` lasts
 * 1.54–1.82 s) the stamps decide inside that room. `endedAtMs` is used when the final line carries no stamp.
 */
export function timelineOf(
  output: ProducerOutput,
  options: { readonly intervalMs: number; readonly endedAtMs: number | null },
): TimelineResult {
  const none = (why: string): TimelineResult => ({ timeline: null, why });
  const { final } = output;
  if (final === null)
    return none(
      output.finalLines === 0 ? 'there is no final line' : `there are ${output.finalLines} final lines`,
    );
  if (final.records === 0 || final.recordsPerS === null || final.recordsPerS <= 0)
    return none('nothing was sent');
  if (output.toolWarmupRecords !== null) return none("the tool's own warm-up restarts its intervals");
  if (output.intervalsDropped > 0) return none('there are too many interval lines');
  const endedAtMs = output.finalStamp?.wallMs ?? options.endedAtMs;
  if (endedAtMs === null) return none('the end of the load is not known');
  const totalMs = (final.records / final.recordsPerS) * 1000;
  const startedAtMs = endedAtMs - totalMs;
  const intervals = placeIntervals(output, options.intervalMs, startedAtMs);
  if (intervals.length < output.intervals.length) return none('an interval line has no length');
  return {
    timeline: {
      startedAtMs,
      endedAtMs,
      totalMs,
      records: final.records,
      recordsPerS: final.recordsPerS,
      intervals,
    },
    why: null,
  };
}

/**
 * Lengths and ends of the interval lines up to the first without a length. `startedAtMs` (wall clock) is null when
 * the first send is not known, as in a killed load.
 */
export function placeIntervals(
  output: ProducerOutput,
  intervalMs: number,
  startedAtMs: number | null,
): TimedInterval[] {
  // Stamps help only while the wall clock did not step.
  const steady = output.clock.steps === 0 && !output.clock.rebooted;
  const intervals: TimedInterval[] = [];
  let startMs = 0;
  let before = steady ? startedAtMs : null;
  for (const line of output.intervals) {
    const lengthMs = lengthOf(line, before);
    if (lengthMs === null) break;
    const endMs = startMs + lengthMs;
    const stall = lengthMs > STALL_FACTOR * intervalMs;
    intervals.push({
      startMs,
      endMs,
      lengthMs,
      records: line.records,
      avgLatencyMs: line.avgLatencyMs,
      stall,
    });
    startMs = endMs;
    before = steady ? (line.stamp?.wallMs ?? null) : null;
  }
  return intervals;
}

function lengthOf(line: ProducerInterval, beforeMs: number | null): number | null {
  const { records, recordsPerS, stamp } = line;
  if (recordsPerS === null || records === 0) return null;
  const shortest = (records / (recordsPerS + RATE_ROUNDING)) * 1000;
  const longest = recordsPerS > RATE_ROUNDING ? (records / (recordsPerS - RATE_ROUNDING)) * 1000 : null;
  if (stamp !== null && beforeMs !== null) {
    const seen = Math.max(stamp.wallMs - beforeMs, shortest);
    return longest === null ? seen : Math.min(seen, longest);
  }
  return recordsPerS > 0 ? (records / recordsPerS) * 1000 : null;
}
