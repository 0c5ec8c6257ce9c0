import { analyse } from '../analysis/analyse.ts';
import type { Analysis } from '../analysis/analysis.ts';
import { beforeFreeze } from '../analysis/before-freeze.ts';
import { freeze } from '../analysis/freeze.ts';
import type { Frozen, Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { loadDeviations, loadFrozen, loadPlan, loadTrials } from '../store/experiment-files.ts';
import type { Store } from '../store/store.ts';

/** The analysis of the results in a store, from plan, frozen settings and trials as they are stored. */
export async function analysisOf(store: Store): Promise<Analysis> {
  const { plan, planSha256 } = await loadPlan(store);
  return analysisFrom(store, plan, planSha256, await loadTrials(store));
}

/** The same from these trials instead of the stored ones: `assay verify` derives them first. */
export async function analysisFrom(
  store: Store,
  plan: Plan,
  planSha256: string,
  trials: readonly TrialRecord[],
): Promise<Analysis> {
  const frozen = await loadFrozen(store);
  const deviations = await loadDeviations(store);
  return analyse(plan, planSha256, frozen?.frozen ?? null, frozen?.frozenSha256 ?? null, trials, deviations);
}

/**
 * What was frozen after block 0, from its trials.
 *
 * @param trials every attempt, in the order in which they ran.
 */
export function frozenFrom(plan: Plan, planSha256: string, trials: readonly TrialRecord[]): Frozen {
  return freeze(plan, planSha256, beforeFreeze(trials));
}
