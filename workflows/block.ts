import type { FrozenBrief, PlanBrief, TrialInput } from '../activities/contract.ts';
import { keepHistories, runTrial, trialInput } from './attempt.ts';
import type { Logbook } from './logbook.ts';
import { repairIfNeeded } from './repair.ts';

/**
 * One block: every scenario once, in the block's drawn order; voided attempts are tried anew at the block's
 * end. Returns false when the lab died and could not be repaired.
 */
export async function measureBlock(
  plan: PlanBrief,
  frozen: FrozenBrief,
  block: number,
  log: Logbook,
): Promise<boolean> {
  const { rampMs, counts, loadLimitMs } = frozen;
  const settings = { block, pass: null, rampMs, counts, loadLimitMs };
  const order = plan.orders[block - 1] ?? [];
  const queue = order.map((scenario) => ({ scenario, attempt: 1 }));
  const ran: TrialInput[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const input = trialInput(plan, settings, next.scenario, next.attempt, ran.length + 1);
    ran.push(input);
    const brief = await runTrial(input, log);
    if (!brief.valid && brief.newAttempt && next.attempt <= plan.retries) {
      queue.push({ scenario: next.scenario, attempt: next.attempt + 1 });
      log.expect(1);
    }
    if (!brief.valid && !(await repairIfNeeded(plan, frozen, log))) return false;
  }
  await keepHistories(plan, ran);
  return true;
}
