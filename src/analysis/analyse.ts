import type { Deviation } from '../design/deviation.ts';
import type { Frozen, Plan } from '../design/plan.ts';
import { stampOf } from '../design/smoke.ts';
import type { Flag } from '../measure/reasons.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { Analysis } from './analysis.ts';
import { answerText, type Findings } from './answer.ts';
import { capacities } from './capacity.ts';
import { measuredTrials } from './cells.ts';
import { isDecided } from './decided.ts';
import { deviationFlags, deviationLimits, flagDeviations, skipSentence, stopSentence } from './deviations.ts';
import { estimateEffects } from './effects.ts';
import { meetExpectations } from './expectations.ts';
import { limitsOf } from './limits.ts';
import { stillRising } from './rising.ts';
import { enough, stoppingSentence } from './stopping.ts';
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
  const findings: Findings = {
    effects: flagDeviations(estimateEffects(plan, trials, frozen), deviations),
    expectations: meetExpectations(plan, trials, frozen),
    capacities: capacities(plan, frozen, trials),
    scenarios: plan.scenarios.map((s) => summarise(s.slug, trials, plan.metric, frozen)),
  };
  const { effects, scenarios } = findings;
  const blocksRun = new Set(measuredTrials(trials).map((t) => t.block)).size;
  const look = enough(plan, trials, blocksRun, frozen);
  const byHand = stopSentence(deviations, blocksRun);
  const byRule = byHand === null ? stoppingSentence(plan, look, blocksRun) : null;
  const stoppedByRule = byHand === null && look.enough && blocksRun < plan.orders.length;
  const slugs = scenarios.map((s) => s.scenario);
  return {
    format: 1,
    ...stampOf(plan),
    planSha256,
    frozenSha256,
    metric: plan.metric,
    blocksPlanned: plan.orders.length,
    blocksRun,
    ...findings,
    ...(plan.until ? { stoppedByRule } : {}),
    answer: [answerText(plan, findings), byRule, byHand, skipSentence(deviations)]
      .filter((text) => text !== null)
      .join(' '),
    limits: [...deviationLimits(deviations), ...limitsOf(plan, stoppedByRule)],
    flags: [...flagsOf(frozen, trials), ...(effects.length > 0 ? [] : deviationFlags(deviations, slugs))],
    decided: isDecided(plan, findings),
  };
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
