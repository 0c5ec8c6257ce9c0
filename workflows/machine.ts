import type { PlanBrief } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import type { Logbook } from './logbook.ts';

/** Waiting for another experiment to leave the machine may take as long as that experiment. */
const LEASE_WAIT_MS = 24 * 60 * 60_000;

/** One experiment measures a machine at a time; who waits says for whom. */
export async function takeMachine(plan: PlanBrief, log: Logbook): Promise<void> {
  if (plan.ref.remote === true) return;
  log.enter('waiting-for-lease', 'taking the machine');
  const { holder } = await hostActivities(plan.hostQueue).tryLease(plan.ref);
  if (holder === null) return;
  log.leaseHolder = holder;
  log.enter('waiting-for-lease', holder);
  await hostActivities(plan.hostQueue, LEASE_WAIT_MS).waitForLease(plan.ref);
  log.leaseHolder = null;
}
