/** A pilot pass has no rate to go by. */
const UNKNOWN_RATE_LIMIT_MS = 8 * 60_000;
const START_AND_STALLS_MS = 90_000;
/** Nothing that anybody measures is slower, payload bytes per second. */
const SLOWEST_BYTES_PER_S = 4 * 1024 * 1024;

/**
 * The hard deadline of a load, enforced by its runner: four times what it should take, and 90 s for the start
 * of the JVM and for stalls.
 *
 * @param expectedRecordsPerS from the pass before or the rate limit; null when nobody knows.
 * @param recordBytes makes a deadline for a large count of a load whose rate nobody knows.
 */
export function loadLimitMs(records: number, expectedRecordsPerS: number | null, recordBytes = 0): number {
  if (expectedRecordsPerS === null || expectedRecordsPerS <= 0)
    return Math.max(UNKNOWN_RATE_LIMIT_MS, limitAt(records, SLOWEST_BYTES_PER_S / Math.max(1, recordBytes)));
  return limitAt(records, expectedRecordsPerS);
}

function limitAt(records: number, recordsPerS: number): number {
  return Math.ceil(START_AND_STALLS_MS + (4_000 * records) / recordsPerS);
}
