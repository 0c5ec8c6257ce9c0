import { payloadRecordBytes } from './payloads.ts';
import type { PayloadPlan, Scenario } from './plan.ts';

/** No fill is slower than this, payload bytes per second; a deadline, not an estimate. */
const SLOWEST_BYTES_PER_S = 2 * 1024 * 1024;
/** Start of the tool, counting, and what is done with the page cache. */
const OVERHEAD_MS = 5 * 60_000;

/** The hard deadline for filling the topics of a scenario; null = none is filled. */
export function fillLimitMs(scenario: Scenario, payloads: readonly PayloadPlan[]): number | null {
  const fills = scenario.topics.flatMap(({ fill }) => (fill === null ? [] : [fill]));
  if (fills.length === 0) return null;
  const bytes = fills.reduce((sum, { records, payload }) => {
    return sum + records * (payloadRecordBytes(payloads, payload) ?? 0);
  }, 0);
  return Math.ceil(fills.length * OVERHEAD_MS + (1000 * bytes) / SLOWEST_BYTES_PER_S);
}
