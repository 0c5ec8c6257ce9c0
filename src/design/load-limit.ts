/** A pilot pass has no rate to go by. */
const UNKNOWN_RATE_LIMIT_MS = 8 * 60_000;
const START_AND_STALLS_MS = 90_000;

/**
 * The hard deadline of a load, enforced by its runner: four times what it should take, and 90 s for the start
 * of the JVM and for stalls.
 *
 * @param expectedRecordsPerS from the pass before or the rate limit; null when nobody knows.
 */
export function loadLimitMs(records: number, expectedRecordsPerS: number | null): number {
  if (expectedRecordsPerS === null || expectedRecordsPerS <= 0) return UNKNOWN_RATE_LIMIT_MS;
  return Math.ceil(START_AND_STALLS_MS + (4_000 * records) / expectedRecordsPerS);
}
