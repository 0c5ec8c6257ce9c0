import type { LoadPlan, Range, Scenario, SearchPlan } from './plan.ts';
import type { Tries } from './repeats.ts';

/**
 * Records per second that a search asks of one of its loads in one trial; null for loads that it leaves alone. A candidate
 * lies between both ends, and the grid around it reaches two steps beyond.
 */
export function searchedRate(
  search: SearchPlan | null,
  tries: Tries | undefined,
  scenario: Scenario,
  load: LoadPlan,
): Range | null {
  if (search === null || tries === undefined || !search.loads.includes(load.name)) return null;
  const share = (tries === 'grid' ? (scenario.grid?.factor ?? 1) : 1) / search.loads.length;
  return { low: search.fromPerS * share, high: search.toPerS * share };
}

/**
 * How much longer the steps of one search may take than their times, as a multiple of the time of a trial. A step
 * above the capacity takes rate ÷ capacity as long; with the capacity at the low end R = to ÷ from, and bisection tries
 * R, R^(1/2), R^(1/4), … times that.
 */
export function overrunOfSteps(search: SearchPlan, steps: number): number {
  const ratio = search.toPerS / search.fromPerS;
  const beyondEnds = Array.from({ length: Math.max(0, steps - 1) }, (_, k) => ratio ** (1 / 2 ** k) - 1);
  return beyondEnds.reduce((sum, more) => sum + more, 0);
}
