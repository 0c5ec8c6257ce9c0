import type { FrozenBrief, PlanBrief } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import type { Controls } from './controls.ts';
import type { Logbook } from './logbook.ts';
import { FIRST_DEPLETION_PASS } from '../src/design/passes.ts';
import { pausePoint } from './pause.ts';
import { mend } from './repair.ts';
import { warmAgain } from './warm-again.ts';

const MOST_PASSES = 99;

/** Before block 1: runs one scenario again and again until burst credits are used up, or the limit has passed. */
export async function useUpCredits(
  plan: PlanBrief,
  frozen: FrozenBrief,
  log: Logbook,
  controls: Controls,
): Promise<void> {
  if (plan.depletes === undefined) return;
  const startedAtMs = Date.now();
  for (let n = 0; n < MOST_PASSES; n += 1) {
    const { over, message } = await hostActivities(plan.hostQueue).planDepletion({
      ref: plan.ref,
      startedAtMs,
    });
    log.enter('warming-up', message);
    if (over) {
      log.notes.push(message);
      return;
    }
    const pass = FIRST_DEPLETION_PASS + n;
    if (await pausePoint(plan, log, controls, { block: 0, pass, position: 1 })) await mend(plan, log);
    await warmAgain(plan, frozen, [plan.depletes], pass, log);
  }
}
