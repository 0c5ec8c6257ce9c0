import type { FrozenBrief, PlanBrief } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import type { Logbook } from './logbook.ts';
import { FIRST_LAB_PASS } from '../src/design/passes.ts';
import { warmAgain } from './warm-again.ts';

const RENEW_MS = 25 * 60_000;
/** Passes that warm a later lab: as many as block 0 took, and no fewer. */
const LEAST_PASSES = 2;

/** The lab that measures a block: the planned blocks are shared out evenly, one lab after the other. */
export function labOfBlock(plan: PlanBrief, block: number): number {
  const labs = plan.labs ?? 1;
  return Math.min(labs, Math.floor(((block - 1) * labs) / Math.max(1, plan.orders.length)) + 1);
}

/** Before the first block of a later lab: takes the old one down, provisions the next, and warms it. */
export async function changeLab(
  plan: PlanBrief,
  frozen: FrozenBrief,
  block: number,
  log: Logbook,
): Promise<void> {
  const lab = labOfBlock(plan, block);
  if (block === 1 || lab === labOfBlock(plan, block - 1)) return;
  const { phase, message } = log;
  log.enter('provisioning', `lab ${lab} of ${plan.labs}: other brokers, fresh disks`);
  await hostActivities(plan.hostQueue, RENEW_MS).renewLab({ ref: plan.ref, lab });
  log.lab = lab;
  const passes = plan.smoke === true ? 1 : Math.max(LEAST_PASSES, frozen.passes ?? LEAST_PASSES);
  const measured = plan.scenarios.filter((s) => !Object.hasOwn(frozen.leftOut ?? {}, s));
  log.enter(
    'warming-up',
    `lab ${lab} is up; ${passes === 1 ? 'one pass warms' : `${passes} passes warm`} it`,
  );
  for (let pass = 0; pass < passes; pass += 1)
    await warmAgain(plan, frozen, measured, FIRST_LAB_PASS + (lab - 2) * 10 + pass, log);
  log.enter(phase, message);
}
