import { combinedRate } from './combined.ts';
import type { ProducerOutput } from './producer.ts';
import type { TimedInterval, Timeline } from './timeline.ts';
import { placeIntervals, timelineOf } from './timeline.ts';
import type { LoadRecord, SteadyRate } from './trial-record.ts';
import { limitedTailMs, ownWindow, STEADY_AGREES_WITHIN, tailMs } from './windows.ts';

/** One load of a trial, as far as its rate needs it. */
export interface MeasuredLoad {
  readonly name: string;
  readonly output: ProducerOutput;
  /** `--reporting-interval` of the tool, ms. */
  readonly intervalMs: number;
  /** Bytes of one record's value. */
  readonly recordBytes: number;
  /** buffer.memory of the producer. */
  readonly bufferBytes: number;
  /** null = as fast as it can. */
  readonly askedRecordsPerS: number | null;
  /** End of the process in wall clock, used only when the final line carries no stamp. */
  readonly endedAtMs: number | null;
}

export interface LoadMeasurement {
  readonly name: string;
  readonly steady: SteadyRate | null;
  /** Why there is no steady rate; null when there is one. */
  readonly why: string | null;
  readonly series: LoadRecord['series'];
  readonly totalRecordsPerS: number | null;
  /** First send and final line, wall clock ms. */
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly tailMs: number | null;
  /** steady ÷ total outside ramp and tail − 1. */
  readonly againstTotal: number | null;
  readonly steadyDiffers: boolean;
}

export interface TrialMeasurement {
  readonly loads: readonly LoadMeasurement[];
  /** One load: its own steady rate. Several: the combined rate over their common interval, or none. */
  readonly rate: SteadyRate | null;
  readonly why: string | null;
  /** null for a single load, or when some load has no timeline. */
  readonly overlapShare: number | null;
  readonly noOverlap: boolean;
}

/**
 * The rates of a trial from the outputs of its loads (design §7). `rampMs` is the experiment's one ramp. A trial
 * with several loads always counts over their common interval: own windows of different times are not summed.
 */
export function measureTrial(
  loads: readonly MeasuredLoad[],
  cut: { readonly rampMs: number },
): TrialMeasurement {
  const timed = loads.map((load) => ({ load, ...timelineOf(load.output, load) }));
  const measured = timed.map(({ load, timeline, why }) =>
    timeline === null ? unmeasured(load, why ?? 'unknown') : measureLoad(load, timeline, cut.rampMs),
  );
  const base = { loads: measured, overlapShare: null, noOverlap: false };
  const [only] = measured;
  if (only === undefined) return { ...base, rate: null, why: 'the trial has no load' };
  if (measured.length === 1) return { ...base, rate: only.steady, why: only.why };
  const missing = measured.find((load) => load.startedAtMs === null);
  if (missing !== undefined) return { ...base, rate: null, why: `${missing.name}: ${missing.why}` };
  const sides = timed.flatMap(({ load, timeline }) =>
    timeline === null ? [] : [{ timeline, tailMs: tailOf(load, timeline), recordBytes: load.recordBytes }],
  );
  const combined = combinedRate(sides, cut.rampMs);
  return {
    loads: measured,
    rate: combined.rate,
    why: combined.why,
    overlapShare: combined.overlapShare,
    noOverlap: combined.noOverlap,
  };
}

function tailOf(load: MeasuredLoad, timeline: Timeline): number {
  const fullBufferMs = tailMs(load.bufferBytes, timeline.recordsPerS * load.recordBytes);
  const { askedRecordsPerS } = load;
  if (askedRecordsPerS === null) return fullBufferMs;
  const { records, totalMs } = timeline;
  return limitedTailMs({ records, askedRecordsPerS, totalMs, fullBufferMs });
}

function measureLoad(load: MeasuredLoad, timeline: Timeline, rampMs: number): LoadMeasurement {
  const tail = tailOf(load, timeline);
  const own = ownWindow(timeline, { rampMs, tailMs: tail, recordBytes: load.recordBytes });
  return {
    name: load.name,
    steady: own.steady,
    why: own.why,
    series: seriesOf(timeline.intervals),
    totalRecordsPerS: timeline.recordsPerS,
    startedAtMs: timeline.startedAtMs,
    endedAtMs: timeline.endedAtMs,
    tailMs: tail,
    againstTotal: own.againstTotal,
    steadyDiffers: own.againstTotal !== null && Math.abs(own.againstTotal) > STEADY_AGREES_WITHIN,
  };
}

/** The series that a record keeps: each whole interval line. */
function seriesOf(intervals: readonly TimedInterval[]): LoadRecord['series'] {
  return intervals.map(({ endMs, lengthMs, records, avgLatencyMs, stall }) => ({
    endMs,
    lengthMs,
    records,
    avgLatencyMs,
    stall,
  }));
}

function unmeasured(load: MeasuredLoad, why: string): LoadMeasurement {
  return {
    name: load.name,
    steady: null,
    why,
    series: seriesOf(placeIntervals(load.output, load.intervalMs, null)),
    totalRecordsPerS: load.output.final?.recordsPerS ?? null,
    startedAtMs: null,
    endedAtMs: null,
    tailMs: null,
    againstTotal: null,
    steadyDiffers: false,
  };
}
