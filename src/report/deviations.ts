import { deviationText } from '../design/deviation.ts';
import type { Plan } from '../design/plan.ts';
import type { ExperimentRecord, Results } from './results.ts';

/**
 * Everything that was not as the spec's file and the plan say, each in one sentence: changes on the command line,
 * what somebody did while it ran, scenarios that were left out.
 */
export function deviationTexts(results: Results): readonly string[] {
  const { plan, experiment, deviations, frozen } = results;
  const overrides = overridesOf(plan, experiment);
  return [
    ...(overrides.length > 0 ? [`Changed on the command line: ${overrides.join(', ')}.`] : []),
    ...deviations.map(deviationText),
    ...Object.entries(frozen?.leftOut ?? {}).map(([scenario, why]) => `Not measured: ${scenario} (${why}).`),
  ];
}

/** What the command line changed in the spec; results of before kept it in `experiment.json`. */
export function overridesOf(plan: Plan, experiment: ExperimentRecord | null): readonly string[] {
  const inPlan = (plan as Partial<Plan>).overrides ?? [];
  return inPlan.length > 0 ? inPlan : (experiment?.overrides ?? []);
}
