import { passesOfBlock } from '../design/passes.ts';
import type { Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { type Counts, writtenBytesOf } from './counts.ts';
import { filledEachAttempt } from './fill-bytes.ts';
import { plannedLoads } from './series.ts';

/**
 * How many measured blocks of these counts design.budget.written has room for after block 0, all copies counted and
 * uncompressed; null = no limit.
 */
export function blocksWithinBudget(
  plan: Plan,
  counts: Counts,
  block0: readonly TrialRecord[],
): number | null {
  const limit = plan.estimates.writtenBytesLimit;
  if (limit === null) return null;
  const filled = plan.scenarios.reduce((sum, scenario) => sum + filledEachAttempt(plan, scenario), 0);
  const sent = plan.scenarios
    .flatMap((s) => plannedLoads(plan, s).map((p) => ({ ...p, records: counts[s.slug]?.[p.load.name] ?? 0 })))
    .reduce((sum, p) => sum + p.records * p.recordBytes * p.replication, 0);
  const blockBytes = (sent + filled) * passesOfBlock(plan);
  if (blockBytes === 0) return null;
  return Math.max(0, Math.floor((limit - writtenBytesOf(plan, block0)) / blockBytes));
}
