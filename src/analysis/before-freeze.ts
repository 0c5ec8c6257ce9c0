import { isDepletionPass } from '../design/passes.ts';
import type { TrialRecord } from '../measure/trial-record.ts';

/**
 * The trials that ran before the freeze, by their order alone: block 0 with whatever warmed plots or searched in it.
 * The first measured trial, or the first that used up credits, came after.
 *
 * @param trials every attempt, in the order in which they ran.
 */
export function beforeFreeze(trials: readonly TrialRecord[]): readonly TrialRecord[] {
  const after = trials.findIndex((t) => t.block > 0 || isDepletionPass(t.pass));
  return after < 0 ? trials : trials.slice(0, after);
}
