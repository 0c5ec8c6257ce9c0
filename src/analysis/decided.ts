import { fewestBlocks } from '../design/order.ts';
import type { Plan } from '../design/plan.ts';
import type { Findings } from './answer.ts';

/**
 * Whether the experiment came to what it was planned for: false with too few valid blocks, or when an expectation stays
 * inconclusive. An "inconclusive" contrast of a complete experiment is an answer, and so is a contrast that was never to be decided: its
 * sides have no common measure, or its series ended in block 0. A rehearsal decides nothing, so there it is whether every scenario ran.
 */
export function isDecided(plan: Plan, findings: Findings): boolean {
  const { effects, expectations, capacities } = findings;
  const scenarios = findings.scenarios.filter((s) => s.leftOut == null);
  if (plan.smoke) return scenarios.every((s) => s.valid > 0);
  if (expectations.some((e) => e.outcome === 'inconclusive')) return false;
  if (!capacities.every((c) => c.decided)) return false;
  const out = new Set(findings.scenarios.filter((s) => s.leftOut != null).map((s) => s.scenario));
  const open = effects.filter(
    (e, i) =>
      plan.contrasts[i]?.incomparable === undefined && !out.has(e.numerator) && !out.has(e.denominator),
  );
  if (open.length > 0) return open.every((e) => e.word !== 'cannot be decided');
  if (effects.length > 0) return out.size > 0;
  if (capacities.length > 0) return true;
  // Without contrasts there is nothing to decide, but a median of a few blocks is still no result.
  return scenarios.every((s) => s.valid >= fewestBlocks(1));
}
