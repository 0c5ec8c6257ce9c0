import type { PlanBrief, TrialInput } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import { keepHistories, runTrial, trialInput } from './attempt.ts';
import type { Controls } from './controls.ts';
import type { Logbook } from './logbook.ts';
import { FIRST_SEARCH_PASS } from '../src/design/passes.ts';
import { pausePoint } from './pause.ts';
import { mend } from './repair.ts';

/** More steps than any bisection down to a resolution of 1 % takes, for as many scenarios as there can be. */
const MOST_STEPS = 99;

/**
 * Between block 0 and block 1: runs at one rate after the other until the candidate of every scenario is known. These
 * runs choose where the grid lies and enter no estimate.
 */
export async function searchCandidates(plan: PlanBrief, log: Logbook, controls: Controls): Promise<void> {
  if (plan.searches !== true) return;
  const host = hostActivities(plan.hostQueue);
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { trial, message } = await host.planSearch(plan.ref);
    log.enter('warming-up', message);
    if (trial === null) return;
    const pass = FIRST_SEARCH_PASS + step;
    if (await pausePoint(plan, log, controls, { block: 0, pass, position: 1 })) await mend(plan, log);
    log.expect(1);
    const settings = {
      block: 0,
      pass,
      rampMs: 0,
      counts: { [trial.scenario]: trial.counts },
      loadLimitMs: { [trial.scenario]: trial.loadLimitMs },
      rates: { [trial.scenario]: trial.rates },
    };
    const input: TrialInput = trialInput(plan, settings, trial.scenario, 1, 1);
    const brief = await runTrial(input, log);
    if (!brief.valid) await mend(plan, log);
    await keepHistories(plan, [input]);
  }
  log.notes.push(`The search ended after ${MOST_STEPS} runs without a candidate for every scenario.`);
}
