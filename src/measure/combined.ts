import type { Timeline } from './timeline.ts';
import type { SteadyRate } from './trial-record.ts';
import { cutIntervals } from './windows.ts';

/** Loads that run side by side for less than this share of their time have no combined rate. */
export const MIN_OVERLAP = 0.8;

export interface CombinedLoad {
  readonly timeline: Timeline;
  readonly tailMs: number;
  readonly recordBytes: number;
}

export interface Combined {
  readonly rate: SteadyRate | null;
  /** Time in which all loads ran ÷ time in which any ran. */
  readonly overlapShare: number;
  /** True when the overlap is what is missing. */
  readonly noOverlap: boolean;
  readonly why: string | null;
}

/**
 * The combined rate of loads on clocks that agree: Σ of each load's rate over the interval common to all, from the
 * last start + ramp to the first end − the longest tail. Rates of different times are never summed.
 */
export function combinedRate(loads: readonly CombinedLoad[], rampMs: number): Combined {
  const starts = loads.map((load) => load.timeline.startedAtMs);
  const ends = loads.map((load) => load.timeline.endedAtMs);
  const common = { from: Math.max(...starts), to: Math.min(...ends) };
  const union = Math.max(...ends) - Math.min(...starts);
  const overlapShare = loads.length > 0 && union > 0 ? Math.max(0, common.to - common.from) / union : 0;
  if (overlapShare < MIN_OVERLAP) {
    const why = `all loads ran at once for ${(overlapShare * 100).toFixed(0)} % of the time; ${MIN_OVERLAP * 100} % are needed`;
    return { rate: null, overlapShare, noOverlap: true, why };
  }
  const fromMs = common.from + rampMs;
  const toMs = common.to - Math.max(...loads.map((load) => load.tailMs));
  const cuts = loads.map((load) => ({
    load,
    cut: cutIntervals(load.timeline, fromMs - load.timeline.startedAtMs, toMs - load.timeline.startedAtMs),
  }));
  if (cuts.some(({ cut }) => cut.elapsedMs <= 0)) {
    return {
      rate: null,
      overlapShare,
      noOverlap: false,
      why: 'a load has no whole interval inside the common window',
    };
  }
  const rates = cuts.map(({ load, cut }) => ({
    perS: (cut.records / cut.elapsedMs) * 1000,
    bytes: load.recordBytes,
  }));
  const rate: SteadyRate = {
    recordsPerS: rates.reduce((sum, one) => sum + one.perS, 0),
    bytesPerS: rates.reduce((sum, one) => sum + one.perS * one.bytes, 0),
    windowMs: Math.min(...cuts.map(({ cut }) => cut.elapsedMs)),
    intervals: cuts.reduce((sum, { cut }) => sum + cut.intervals.length, 0),
    stalls: cuts.reduce((sum, { cut }) => sum + cut.intervals.filter((line) => line.stall).length, 0),
    over: 'overlap',
    fromMs,
    toMs,
  };
  return { rate, overlapShare, noOverlap: false, why: null };
}
