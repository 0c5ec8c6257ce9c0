/** One look at a topic's records in the log. */
export interface OffsetReading {
  readonly atMs: number;
  readonly records: number;
}

/** Offsets that are not what was expected count as final after this long without a change. */
export const UNCHANGED_MS = 5_000;

/**
 * Whether a topic's end offsets may be read as final (design §9): they equal the sum that is expected, or stayed
 * unchanged for 5 s with full ISR. The latest offset is the high watermark, which lags behind at acks 0 and 1, so a
 * first look may be short without anything being lost. The caller bounds the wait.
 */
export function offsetsSettled(
  history: readonly OffsetReading[],
  expected: number,
  nowMs: number,
  fullIsr: boolean,
): { readonly settled: boolean; readonly because: 'equal' | 'unchanged' | null } {
  const last = history.at(-1);
  if (last === undefined) return { settled: false, because: null };
  if (last.records === expected) return { settled: true, because: 'equal' };
  const changedAt = history.findLastIndex((one) => one.records !== last.records);
  const since = history[changedAt + 1]?.atMs ?? last.atMs;
  // It must have been looked at over the whole time: nowMs alone proves nothing.
  const seenMs = Math.min(nowMs, last.atMs) - since;
  const settled = fullIsr && seenMs >= UNCHANGED_MS;
  return { settled, because: settled ? 'unchanged' : null };
}
