import { defaultBlocks } from './order.ts';
import type { EstimateInput } from './estimates.ts';
import type { Range, Scenario } from './plan.ts';
import { untilOf } from './questions.ts';

/** Scenarios that run together, and how often. */
export interface Repeat {
  readonly times: Range;
  readonly scenarios: readonly Scenario[];
  /** Of a capacity search: what is tried. `grid`: around a candidate; `steps`: between both ends. Absent = rates of the plan. */
  readonly tries?: Tries;
}

export type Tries = 'grid' | 'steps';

/** Passes that warm a later lab: as many as block 0 took, and no fewer (workflows/labs.ts). */
const LEAST_LAB_PASSES = 2;

/**
 * Everything that runs in an experiment, new attempts not counted: blocks, block 0, and the passes that warm brokers
 * after a restart, warm further labs, search or use up credits. Low: block 0 agrees after two passes, the search ends at
 * once, and a stopping rule stops as soon as it may.
 */
export function repeatsOf(input: EstimateInput): readonly Repeat[] {
  const { spec, scenarios, blocks, maxPasses } = input;
  const until = untilOf(spec, spec.design.blocks ?? defaultBlocks(input.contrasts));
  const measured = { low: until?.minBlocks ?? blocks, high: blocks };
  // Of the grid of a search only the middle warms the lab.
  const warming = scenarios.filter((s) => s.grid === undefined || s.grid.factor === 1);
  const passes = { low: Math.min(2, maxPasses), high: maxPasses };
  const further = spec.design.labs - 1;
  return [
    { times: measured, scenarios, ...(input.search === null ? {} : { tries: 'grid' as const }) },
    { times: passes, scenarios: warming },
    { times: plotsOf(scenarios) > 1 ? measured : NEVER, scenarios },
    {
      times: { low: further * LEAST_LAB_PASSES, high: further * Math.max(LEAST_LAB_PASSES, maxPasses) },
      scenarios,
    },
    { times: searchSteps(input), scenarios: warming, tries: 'steps' },
    { times: spec.design.deplete === undefined ? NEVER : ONCE, scenarios: scenarios.slice(0, 1) },
  ];
}

const NEVER: Range = { low: 0, high: 0 };
const ONCE: Range = { low: 1, high: 1 };

/** Broker settings that are applied anew, over the whole experiment. */
export function restartsOf(input: EstimateInput): Range {
  const plots = plotsOf(input.scenarios);
  if (plots === 1) return NEVER;
  const [measured, passes] = repeatsOf(input);
  return {
    low: plots * ((measured?.times.low ?? 0) + (passes?.times.low ?? 0)),
    high: plots * ((measured?.times.high ?? 0) + (passes?.times.high ?? 0)),
  };
}

function plotsOf(scenarios: readonly Scenario[]): number {
  return new Set(scenarios.map((s) => s.plot)).size;
}

/** Both ends, then geometric bisection down to the resolution. */
function searchSteps({ search }: EstimateInput): Range {
  if (search === null) return NEVER;
  const steps = Math.log(search.toPerS / search.fromPerS) / Math.log1p(search.resolution);
  return { low: 2, high: 2 + Math.max(0, Math.ceil(Math.log2(steps))) };
}
