import type { Deviation } from '../design/deviation.ts';
import type { Frozen, Plan } from '../design/plan.ts';
import type { Flag } from '../measure/reasons.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { Analysis, ScenarioSummary } from './analysis.ts';
import { answerText } from './answer.ts';
import { measuredTrials } from './cells.ts';
import { deviationFlags, deviationLimits, flagDeviations, stopSentence } from './deviations.ts';
import { ALPHA, estimateEffects } from './effects.ts';
import { limitsOf } from './limits.ts';
import { stillRising } from './rising.ts';
import { minimumBlocks } from './statistics/blocks.ts';
import { summarise, trialFlags } from './summary.ts';

/**
 * The analysis of an experiment, complete or cut short, from its plan, its trials and what was changed by hand; pure, so
 * `report` gets the same again.
 *
 * @param frozen null when block 0 did not end.
 * @param trials every attempt, block 0 and voided ones included; what may enter an estimate is chosen here.
 * @param deviations from the plan, in the order in which they were asked for.
 */
export function analyse(
  plan: Plan,
  planSha256: string,
  frozen: Frozen | null,
  frozenSha256: string | null,
  trials: readonly TrialRecord[],
  deviations: readonly Deviation[] = [],
): Analysis {
  const effects = flagDeviations(estimateEffects(plan, trials), deviations);
  const scenarios = plan.scenarios.map((s) => summarise(s.slug, trials));
  const slugs = scenarios.map((s) => s.scenario);
  const blocksRun = new Set(measuredTrials(trials).map((t) => t.block)).size;
  const stopped = stopSentence(deviations, blocksRun);
  return {
    format: 1,
    planSha256,
    frozenSha256,
    metric: plan.metric,
    blocksPlanned: plan.orders.length,
    blocksRun,
    scenarios,
    effects,
    answer: [answerText(plan, effects, scenarios), ...(stopped === null ? [] : [stopped])].join(' '),
    limits: [...deviationLimits(deviations), ...limitsOf(plan)],
    flags: [...flagsOf(frozen, trials), ...(effects.length > 0 ? [] : deviationFlags(deviations, slugs))],
    decided:
      effects.length > 0 ? effects.every((e) => e.word !== 'cannot be decided') : enoughBlocks(scenarios),
  };
}

/** Without contrasts there is nothing to decide, but a median of a few blocks is still no result. */
function enoughBlocks(scenarios: readonly ScenarioSummary[]): boolean {
  return scenarios.every((s) => s.valid >= minimumBlocks(1, ALPHA));
}

function flagsOf(frozen: Frozen | null, trials: readonly TrialRecord[]): readonly Flag[] {
  const warming: Flag[] =
    frozen === null || frozen.warm
      ? []
      : [
          {
            code: 'still-warming',
            message: `block 0 ended before its passes agreed: ${frozen.stillWarming.join(', ')}`,
          },
        ];
  const rising = stillRising(trials);
  return [...warming, ...(rising === null ? [] : [rising]), ...trialFlags(trials)];
}
