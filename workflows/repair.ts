import { isCancellation } from '@temporalio/workflow';
import type { FrozenBrief, PlanBrief } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import { runTrial, trialInput } from './attempt.ts';
import { isHostGone, messageOf } from './failures.ts';
import type { Logbook } from './logbook.ts';

const REPAIR_MS = 10 * 60_000;
/** Passes of block 0 that warm a repaired lab are numbered from here, apart from those before block 1. */
const FIRST_REPAIR_PASS = 101;

/** Brings dead brokers back; says in the log that it did. Throws when the lab cannot be repaired. */
export async function mend(plan: PlanBrief, log: Logbook): Promise<boolean> {
  const { repaired, message } = await hostActivities(plan.hostQueue, REPAIR_MS).mendLab(plan.ref);
  if (repaired) log.notes.push(message);
  return repaired;
}

/**
 * After a void trial: repairs the lab if a broker died, and warms it up again before the next trial. Returns
 * false when that fails; the experiment then ends with what it has.
 */
export async function repairIfNeeded(plan: PlanBrief, frozen: FrozenBrief, log: Logbook): Promise<boolean> {
  try {
    if (await mend(plan, log)) await warmAgain(plan, frozen, log);
    return true;
  } catch (error) {
    if (isCancellation(error) || isHostGone(error)) throw error;
    log.notes.push(
      `The lab could not be repaired (${messageOf(error)}): the experiment ends with what it has.`,
    );
    return false;
  }
}

async function warmAgain(plan: PlanBrief, frozen: FrozenBrief, log: Logbook): Promise<void> {
  const pass = FIRST_REPAIR_PASS + log.repairs;
  log.repairs += 1;
  log.expect(plan.scenarios.length);
  const settings = { block: 0, pass, rampMs: 0, counts: frozen.counts, loadLimitMs: frozen.loadLimitMs };
  for (const [index, scenario] of plan.scenarios.entries()) {
    await runTrial(trialInput(plan, settings, scenario, 1, index + 1), log);
  }
}
