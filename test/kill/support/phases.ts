import type { Client } from '@temporalio/client';
import type { HostActivities } from '../../../activities/contract.ts';

/** The activity of each phase of a trial. */
export const PHASE_ACTIVITIES = {
  prepare: 'prepareTrial',
  settle: 'settleTrial',
  load: 'runLoads',
  drain: 'drainTrial',
  verify: 'verifyTrial',
  collect: 'collectTrial',
  release: 'releaseTrial',
} as const satisfies Record<string, keyof HostActivities>;

export type Phase = keyof typeof PHASE_ACTIVITIES;
export const PHASES = Object.keys(PHASE_ACTIVITIES) as Phase[];

/** An activity that the server holds as started and not ended. */
export interface Pending {
  readonly workflowId: string;
  readonly activity: string;
  readonly attempt: number;
  readonly started: boolean;
}

const STARTED = 2;

/** What a workflow is doing now, as the server knows it: no worker is needed to ask. */
export async function pending(client: Client, workflowId: string): Promise<Pending[]> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  return (raw.pendingActivities ?? []).map((p) => ({
    workflowId,
    activity: p.activityType?.name ?? '',
    attempt: p.attempt ?? 0,
    started: Number(p.state) === STARTED,
  }));
}

/** The trial of this experiment that runs now. */
export async function runningTrial(client: Client, experimentId: string): Promise<string | null> {
  const { raw } = await client.workflow.getHandle(experimentId).describe();
  return raw.pendingChildren?.[0]?.workflowId ?? null;
}

/** How often the activity of each phase had to be tried, over all histories of a trial. */
export async function attemptsByActivity(client: Client, workflowId: string): Promise<Map<string, number>> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const names = new Map<string, string>();
  const attempts = new Map<string, number>();
  for (const event of history.events ?? []) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) names.set(String(event.eventId), scheduled.activityType?.name ?? '');
    const started = event.activityTaskStartedEventAttributes;
    const name = started ? names.get(String(started.scheduledEventId)) : undefined;
    if (started && name !== undefined)
      attempts.set(name, Math.max(attempts.get(name) ?? 0, started.attempt ?? 1));
  }
  return attempts;
}
