import { proxyActivities, type ActivityInterfaceFor } from '@temporalio/workflow';
import type { HostActivities, PlanActivities } from '../activities/contract.ts';

const PATIENT = {
  initialInterval: '1s',
  backoffCoefficient: 1.5,
  maximumInterval: '10s',
  maximumAttempts: 40,
} as const;

/**
 * Activities that any worker may run.
 *
 * @param hostQueue of the machine that is to be the host; undefined = whichever worker takes the task.
 */
export function planActivities(hostQueue: string | undefined): ActivityInterfaceFor<PlanActivities> {
  return proxyActivities<PlanActivities>({
    ...(hostQueue === undefined ? {} : { taskQueue: hostQueue, scheduleToStartTimeout: '10 minutes' }),
    startToCloseTimeout: '2 minutes',
    heartbeatTimeout: '10s',
    retry: PATIENT,
  });
}

/**
 * Activities bound to the machine that `hostQueue` names. A task that nobody there takes within the
 * schedule-to-start timeout means that the host is gone. Cancellation waits for the activity to end, or
 * teardown would overlap a live load.
 *
 * @param longestMs how long one call may take; the default is for short calls.
 * @param summary what the Temporal UI shows beside the activity's name.
 */
export function hostActivities(
  hostQueue: string,
  longestMs = 120_000,
  summary?: string,
): ActivityInterfaceFor<HostActivities> {
  return proxyActivities<HostActivities>({
    taskQueue: hostQueue,
    startToCloseTimeout: longestMs,
    ...(summary === undefined ? {} : { summary }),
    scheduleToStartTimeout: '10 minutes',
    heartbeatTimeout: '10s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: PATIENT,
  });
}
