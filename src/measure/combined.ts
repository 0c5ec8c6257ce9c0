import type { LoadSpan } from './load-span.ts';
import type { SteadyRate } from './trial-record.ts';

/** Loads that run side by side for less than this share of their time have no combined rate. */
export const MIN_OVERLAP = 0.8;

export interface Combined {
  readonly rate: SteadyRate | null;
  /** Time in which all loads ran ÷ time in which any ran. */
  readonly overlapShare: number;
  /** True when the overlap is what is missing. */
  readonly noOverlap: boolean;
  readonly why: string | null;
}

/**
 * The combined rate of loads on clocks that agree: Σ of each load's rate over the interval that is common to all of
 * `within`, from the last start + ramp to the first end − the longest tail. Rates of different times are never summed.
 * Ramp and tail are the producers'; a consumer counts with its uniform fetch-time rate.
 *
 * @param within loads whose common interval it is; default the same. More of them: the interval of a whole trial.
 */
export function combinedRate(
  loads: readonly LoadSpan[],
  rampMs: number,
  within: readonly LoadSpan[] = loads,
): Combined {
  const starts = within.map((load) => load.startedAtMs);
  const ends = within.map((load) => load.endedAtMs);
  const common = Math.min(...ends) - Math.max(...starts);
  const union = Math.max(...ends) - Math.min(...starts);
  const overlapShare = loads.length > 0 && union > 0 ? Math.max(0, common) / union : 0;
  if (overlapShare < MIN_OVERLAP) {
    const why = `all loads ran at once for ${(overlapShare * 100).toFixed(0)} % of the time; ${MIN_OVERLAP * 100} % are needed`;
    return { rate: null, overlapShare, noOverlap: true, why };
  }
  const { fromMs, toMs } = commonWindow(within, rampMs);
  const parts = loads.map((load) => load.between(fromMs, toMs));
  if (toMs <= fromMs || parts.some((part) => part.elapsedMs <= 0)) {
    const why = 'a load has no whole interval inside the common window';
    return { rate: null, overlapShare, noOverlap: false, why };
  }
  const rate: SteadyRate = {
    recordsPerS: parts.reduce((sum, part) => sum + part.recordsPerS, 0),
    bytesPerS: parts.reduce((sum, part) => sum + part.bytesPerS, 0),
    windowMs: Math.min(...parts.map((part) => part.elapsedMs)),
    intervals: parts.reduce((sum, part) => sum + part.intervals.length, 0),
    stalls: parts.reduce((sum, part) => sum + part.intervals.filter((line) => line.stall).length, 0),
    over: 'overlap',
    fromMs,
    toMs,
  };
  return { rate, overlapShare, noOverlap: false, why: null };
}

function commonWindow(
  within: readonly LoadSpan[],
  rampMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const producers = within.filter((load) => load.kind === 'producer');
  const tailMs = Math.max(0, ...producers.map((load) => load.tailMs));
  return {
    fromMs: Math.max(
      ...within.map((load) => load.startedAtMs),
      ...producers.map((load) => load.startedAtMs + rampMs),
    ),
    toMs: Math.min(
      ...within.map((load) => load.endedAtMs),
      ...producers.map((load) => load.endedAtMs - tailMs),
    ),
  };
}
