import { payloadRecordBytes } from '../design/payloads.ts';
import { loadLimitMs } from '../design/load-limit.ts';
import type { LoadPlan, Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { Counts } from './counts.ts';

/** A load may wait for others that start before it. */
const JOIN_FIRST_MS = 10_000;

/** Scenario → hard deadline of its loads: of the slowest, by its own rate in the pass before or the one it is asked for. */
export function loadLimitsMs(
  plan: Plan,
  counts: Counts,
  before: readonly TrialRecord[],
): Record<string, number> {
  return Object.fromEntries(
    plan.scenarios.map(({ slug, loads }) => {
      const ran = before.findLast((t) => t.scenario === slug)?.loads ?? [];
      const each = loads.map((load) => {
        const records = counts[slug]?.[load.name] ?? 0;
        const seen = ran.find((l) => l.name === load.name);
        const rate = seen?.steady?.recordsPerS ?? seen?.totalRecordsPerS ?? askedRate(load);
        return loadLimitMs(records, rate, recordBytesOf(plan, load));
      });
      return [slug, JOIN_FIRST_MS + Math.max(0, ...each)];
    }),
  );
}

function askedRate(load: LoadPlan): number | null {
  return load.kind === 'producer' ? load.recordsPerS : null;
}

function recordBytesOf(plan: Plan, load: LoadPlan): number {
  const payload = load.kind === 'producer' ? load.payload : '';
  return payloadRecordBytes(plan.payloads, payload) ?? 0;
}
