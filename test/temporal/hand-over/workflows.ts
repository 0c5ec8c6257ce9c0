import type { ExperimentRef } from '../../../activities/contract.ts';
import { hostActivities } from '../../../workflows/activities.ts';

/** Does nothing but wait in an activity, until somebody else gives the machine back. */
export async function waitsForLease(hostQueue: string, ref: ExperimentRef): Promise<void> {
  await hostActivities(hostQueue, 10 * 60_000).waitForLease(ref);
}
