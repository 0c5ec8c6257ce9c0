import type { TimedInterval, Timeline } from './timeline.ts';
import type { SteadyRate } from './trial-record.ts';

/** The least tail that is cut, in ms. */
export const MIN_TAIL_MS = 2_000;
/** Kafka's default buffer.memory. */
export const DEFAULT_BUFFER_BYTES = 33_554_432;
/** The steady rate may differ from the total by this share before it is flagged. */
export const STEADY_AGREES_WITHIN = 0.1;
/** Sums of rounded lengths may leave a window by this much. */
const EDGE_MS = 1;

/**
 * The tail to cut, in ms: max(2 s, buffer.memory ÷ rate), because after the last send the buffer empties with the
 * client idle (design §7).
 */
export function tailMs(bufferBytes: number, bytesPerS: number): number {
  if (!(bytesPerS > 0)) return MIN_TAIL_MS;
  return Math.max(MIN_TAIL_MS, (bufferBytes / bytesPerS) * 1000);
}

/**
 * The tail of a rate-limited load, in ms. The tool does not send faster than asked, so its last send is not before
 * records ÷ asked rate: only what comes after that can be tail, and never more than a full buffer takes. A load that
 * kept its rate has an empty buffer and no more than the least tail.
 */
export function limitedTailMs(load: {
  readonly records: number;
  readonly askedRecordsPerS: number;
  readonly totalMs: number;
  readonly fullBufferMs: number;
}): number {
  const lateMs = load.totalMs - (1000 * load.records) / load.askedRecordsPerS;
  return Math.max(MIN_TAIL_MS, Math.min(load.fullBufferMs, lateMs));
}

/** What whole intervals inside a part of a load add up to. */
export interface Cut {
  readonly records: number;
  readonly elapsedMs: number;
  readonly intervals: readonly TimedInterval[];
}

/** The whole intervals between two times (ms since the load's start); lines over an edge belong to neither side. */
export function cutIntervals(timeline: Timeline, fromMs: number, toMs: number): Cut {
  const intervals = timeline.intervals.filter(
    (line) => line.startMs >= fromMs - EDGE_MS && line.endMs <= toMs + EDGE_MS,
  );
  return {
    intervals,
    records: intervals.reduce((sum, line) => sum + line.records, 0),
    elapsedMs: intervals.reduce((sum, line) => sum + line.lengthMs, 0),
  };
}

export interface OwnWindow {
  readonly steady: SteadyRate | null;
  /** Why there is none; null when there is one. */
  readonly why: string | null;
  /** steady ÷ total outside ramp and tail − 1; null without a steady rate. */
  readonly againstTotal: number | null;
}

/** The steady rate of one load over its own window: Σ records ÷ Σ elapsed of the whole intervals between ramp and tail. */
export function ownWindow(
  timeline: Timeline,
  cut: { readonly rampMs: number; readonly tailMs: number; readonly recordBytes: number },
): OwnWindow {
  const toMs = timeline.totalMs - cut.tailMs;
  const inside = cutIntervals(timeline, cut.rampMs, toMs);
  const first = inside.intervals[0];
  const last = inside.intervals.at(-1);
  if (first === undefined || last === undefined || inside.elapsedMs <= 0) {
    const s = (ms: number): string => (ms / 1000).toFixed(1);
    const why = `no whole interval lies between the ramp (${s(cut.rampMs)} s) and the tail (${s(cut.tailMs)} s) of a load of ${s(timeline.totalMs)} s`;
    return { steady: null, why, againstTotal: null };
  }
  const recordsPerS = (inside.records / inside.elapsedMs) * 1000;
  const steady: SteadyRate = {
    recordsPerS,
    bytesPerS: recordsPerS * cut.recordBytes,
    windowMs: inside.elapsedMs,
    intervals: inside.intervals.length,
    stalls: inside.intervals.filter((line) => line.stall).length,
    over: 'own',
    fromMs: timeline.startedAtMs + first.startMs,
    toMs: timeline.startedAtMs + last.endMs,
  };
  return { steady, why: null, againstTotal: againstTotal(timeline, first, last, recordsPerS) };
}

/**
 * The steady rate against what the final line leaves outside ramp and tail. From the tool's totals (count and
 * count ÷ total rate) the printed lines before and after the window are taken off; what is left holds the window
 * and whatever the lines did not tell: lost or misread lines make the two differ.
 */
function againstTotal(
  timeline: Timeline,
  first: TimedInterval,
  last: TimedInterval,
  recordsPerS: number,
): number | null {
  const outside = timeline.intervals.filter(
    (line) => line.endMs <= first.startMs || line.startMs >= last.endMs,
  );
  const records = timeline.records - outside.reduce((sum, line) => sum + line.records, 0);
  const elapsedMs = timeline.totalMs - outside.reduce((sum, line) => sum + line.lengthMs, 0);
  if (records <= 0 || elapsedMs <= 0) return -1;
  return recordsPerS / ((records / elapsedMs) * 1000) - 1;
}
