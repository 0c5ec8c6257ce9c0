import type { SampleInterval } from './sample-intervals.ts';

/** The part of an interval that lies in a window, as a share of the interval. */
export interface SamplePart {
  readonly interval: SampleInterval;
  readonly share: number;
}

/** What of these intervals lies between two moments of the wall clock, ms since the epoch. */
export function partsOf(
  intervals: readonly SampleInterval[],
  window: { readonly fromMs: number; readonly toMs: number },
): SamplePart[] {
  return intervals.flatMap((interval) => {
    const inside = Math.min(interval.toMs, window.toMs) - Math.max(interval.fromMs, window.fromMs);
    return inside <= 0 ? [] : [{ interval, share: Math.min(1, inside / interval.elapsedMs) }];
  });
}

/** Σ count ÷ Σ ms over the parts in which the count is known; null = in none. */
export function rate(
  parts: readonly SamplePart[],
  pick: (interval: SampleInterval) => number | null,
): number | null {
  let amount = 0;
  let ms = 0;
  for (const { interval, share } of parts) {
    const value = pick(interval);
    if (value === null) continue;
    amount += value * share;
    ms += interval.elapsedMs * share;
  }
  return ms > 0 ? amount / ms : null;
}
