import type { Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { type ExperimentStatus, STATUS_QUERY, type TrialHeartbeat } from '../temporal/status.ts';

/** One look at an experiment from outside. */
export interface Observation {
  /** Of the newest run, e.g. `RUNNING`, `COMPLETED`, `TERMINATED`; null when Temporal did not answer. */
  readonly state: string | null;
  /** null when no worker answered. */
  readonly status: ExperimentStatus | null;
  readonly heartbeat: TrialHeartbeat | null;
  /** Who does not answer. */
  readonly silent: 'temporal' | 'worker' | null;
}

/** No answer within this means that server or worker is away, not slow: both are on a busy machine. */
const PATIENCE_MS = 8_000;

/**
 * Looks once, without waiting long for anybody.
 *
 * @throws WorkflowNotFoundError when there is no such workflow.
 */
export async function observe(client: Client, workflowId: string): Promise<Observation> {
  const handle = client.workflow.getHandle(workflowId);
  let state: string;
  try {
    state = (await client.withDeadline(Date.now() + PATIENCE_MS, () => handle.describe())).status.name;
  } catch (error) {
    if ((error as Error).name === 'WorkflowNotFoundError') throw error;
    return { state: null, status: null, heartbeat: null, silent: 'temporal' };
  }
  try {
    const status = await client.withDeadline(Date.now() + PATIENCE_MS, () =>
      handle.query<ExperimentStatus>(STATUS_QUERY),
    );
    const current = status.current?.workflowId;
    const heartbeat = current === undefined ? null : await readHeartbeat(client, current);
    return { state, status, heartbeat, silent: null };
  } catch {
    return { state, status: null, heartbeat: null, silent: 'worker' };
  }
}

/** What the running activity of a trial said last; null when it said nothing yet or the trial has just ended. */
async function readHeartbeat(client: Client, workflowId: string): Promise<TrialHeartbeat | null> {
  try {
    const handle = client.workflow.getHandle(workflowId);
    const { raw } = await client.withDeadline(Date.now() + PATIENCE_MS, () => handle.describe());
    for (const activity of raw.pendingActivities ?? []) {
      const payload = activity.heartbeatDetails?.payloads?.[0];
      if (!payload) continue;
      const details = defaultPayloadConverter.fromPayload<unknown>(payload);
      if (isHeartbeat(details)) return details;
    }
  } catch {
    // Detail for the eye only: the next look may have it.
  }
  return null;
}

function isHeartbeat(details: unknown): details is TrialHeartbeat {
  if (typeof details !== 'object' || details === null) return false;
  const { phase, text } = details as { phase?: unknown; text?: unknown };
  return typeof phase === 'string' && typeof text === 'string';
}
