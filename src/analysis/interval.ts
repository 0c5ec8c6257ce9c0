import { STOPPING_WIDENING } from '../design/precision.ts';
import type { Plan } from '../design/plan.ts';
import { tHalfWidth } from '../design/statistics/power.ts';
import type { Interval } from './analysis.ts';
import { ALPHA } from './decide.ts';
import type { PairedT } from './statistics/paired-t.ts';

/** What t intervals are widened by: 1.10 where the data may end the experiment, capped runs included (facts: statistics). */
export function wideningOf(plan: Pick<Plan, 'until'>): number {
  return plan.until ? STOPPING_WIDENING : 1;
}

/** Half-width of the t interval of a mean of logs, over m of them simultaneously (Bonferroni), widened. */
export function halfWidth(t: PairedT, m: number, widening: number): number {
  return widening * tHalfWidth(t.sd, t.n, ALPHA / Math.max(1, m));
}

/** The t interval of exp(mean); over m of them it holds for all together, so the confidence is that of the family. */
export function tInterval(t: PairedT, m: number, widening: number): Interval {
  const half = halfWidth(t, m, widening);
  return { low: Math.exp(t.mean - half), high: Math.exp(t.mean + half), confidence: 1 - ALPHA };
}
