import type { DepletePlan, Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { pairLoads } from './series.ts';

/** One reading of what the load moves. */
export interface DepletionReading {
  /** Since the load began. */
  readonly atMs: number;
  readonly bytesPerS: number;
}

export type Depletion = 'depleted' | 'going-on' | 'limit';

/** A rate counts as fallen when it stays below for this long: one stalled line is no empty bucket. */
const STAYS_BELOW_MS = 10_000;

/**
 * Whether burst credits are used up: the rate was once above `upper`, and has since been below `lower` in every reading of
 * at least 10 s. Never seen above = nothing is known to have been used up, and only the limit ends it: by the clock, since
 * trials that are void or too short give no readings at all.
 *
 * @param readings so far, oldest first.
 * @param goneMs since the depletion began.
 */
export function depleted(
  plan: DepletePlan,
  readings: readonly DepletionReading[],
  goneMs: number,
): Depletion {
  const above = readings.findLastIndex((r) => r.bytesPerS > plan.upperBytesPerS);
  const last = readings.at(-1);
  if (above >= 0 && last !== undefined) {
    const notBelow = readings.findLastIndex((r) => r.bytesPerS >= plan.lowerBytesPerS);
    const since = readings[notBelow + 1];
    if (since !== undefined && last.atMs - since.atMs >= STAYS_BELOW_MS) return 'depleted';
  }
  return goneMs >= plan.limitMs ? 'limit' : 'going-on';
}

/**
 * What the producers of these trials moved, second by second since the depletion began: bytes of payload per second
 * over all of them. Readings inside the ramp of a trial are left out: a start is no empty bucket.
 */
export function depletionReadings(
  plan: Plan,
  trials: readonly TrialRecord[],
  startedAtMs: number,
): readonly DepletionReading[] {
  return trials.flatMap((trial) => {
    const perSecond = new Map<number, number>();
    const starts = trial.loads.flatMap((l) => (l.startedAtMs === null ? [] : [l.startedAtMs]));
    const fromMs = Math.max(0, ...starts) + STARTING_MS;
    for (const { planned, record } of pairLoads(plan, trial)) {
      if (record.startedAtMs === null) continue;
      for (const line of record.series) {
        const at = record.startedAtMs + line.endMs;
        if (at < fromMs || line.lengthMs <= 0) continue;
        const second = Math.round(at / 1000);
        const rate = (1000 * line.records * planned.recordBytes) / line.lengthMs;
        perSecond.set(second, (perSecond.get(second) ?? 0) + rate);
      }
    }
    return [...perSecond].map(([second, bytesPerS]) => ({ atMs: second * 1000 - startedAtMs, bytesPerS }));
  });
}

/** The start of a load rises for so long. */
const STARTING_MS = 5_000;
