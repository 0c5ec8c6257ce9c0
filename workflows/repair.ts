import { isCancellation } from '@temporalio/workflow';
import type { FrozenBrief, PlanBrief } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import { isHostGone, messageOf } from './failures.ts';
import type { Logbook } from './logbook.ts';
import { FIRST_REPAIR_PASS } from '../src/design/passes.ts';
import { warmAgain } from './warm-again.ts';

const REPAIR_MS = 10 * 60_000;

/** Brings dead brokers back; says in the log that it did. Throws when the lab cannot be repaired. */
export async function mend(plan: PlanBrief, log: Logbook): Promise<boolean> {
  const { repaired, message } = await hostActivities(plan.hostQueue, REPAIR_MS).mendLab(plan.ref);
  if (repaired) log.notes.push(message);
  return repaired;
}

/**
 * After a void trial: repairs the lab if a broker died, and warms it up again before the next trial. Returns
 * false when that fails; the experiment then ends with what it has.
 *
 * @param scenarios that warm it; of a split plot those under the settings that the brokers have.
 */
export async function repairIfNeeded(
  plan: PlanBrief,
  frozen: FrozenBrief,
  log: Logbook,
  scenarios: readonly string[] = plan.scenarios,
): Promise<boolean> {
  try {
    if (await mend(plan, log)) {
      const pass = FIRST_REPAIR_PASS + log.repairs;
      log.repairs += 1;
      await warmAgain(plan, frozen, scenarios, pass, log);
    }
    return true;
  } catch (error) {
    if (isCancellation(error) || isHostGone(error)) throw error;
    log.notes.push(
      `The lab could not be repaired (${messageOf(error)}): the experiment ends with what it has.`,
    );
    return false;
  }
}
