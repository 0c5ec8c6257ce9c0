/*
 * Passes of block 0 are numbered from 1. Whatever else warms a lab, searches or uses up credits is kept apart by its
 * hundred; none of it is ever estimated.
 */

/** Passes of block 0 proper are below this; the spec allows ten. */
export const FIRST_OTHER_PASS = 100;
export const FIRST_REPAIR_PASS = 101;
export const FIRST_DEPLETION_PASS = 201;
export const FIRST_PLOT_PASS = 301;
export const FIRST_SEARCH_PASS = 401;
export const FIRST_LAB_PASS = 501;

/** Whether a pass belongs to block 0 proper, from which counts and the ramp come. */
export function isWarmUpPass(pass: number | null): boolean {
  return pass !== null && pass < FIRST_OTHER_PASS;
}

/** Whether a pass is a run of a search. */
export function isSearchPass(pass: number | null): boolean {
  return pass !== null && pass >= FIRST_SEARCH_PASS && pass < FIRST_LAB_PASS;
}

/** Whether a pass uses up credits. */
export function isDepletionPass(pass: number | null): boolean {
  return pass !== null && pass >= FIRST_DEPLETION_PASS && pass < FIRST_PLOT_PASS;
}

/** What decides how often a pass over all scenarios is run. */
interface Runs {
  readonly orders: readonly unknown[];
  readonly plots: Readonly<Record<string, unknown>>;
  readonly labs: number;
  readonly warmup: { readonly maxPasses: number };
}

/** Passes that one block takes: where broker settings vary, each of them is warmed once before it is measured. */
export function passesOfBlock({ plots }: Pick<Runs, 'plots'>): number {
  return Object.keys(plots).length > 1 ? 2 : 1;
}

/** The most passes over all scenarios that come after the freeze: blocks, and what warms later labs. */
export function passesAfterFreeze(plan: Runs): number {
  return passesOfBlock(plan) * plan.orders.length + (plan.labs - 1) * plan.warmup.maxPasses;
}
