import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';
import { InfrastructureError } from '../lab/errors.ts';
import { liveClaim } from './claims.ts';
import { lastLines } from './log-file.ts';
import { TASK_QUEUE } from './status.ts';
import { readState } from './up.ts';

const TIMEOUT_MS = 90_000;

/**
 * Waits until the home's worker polls its task queue. Pollers stay listed for minutes after their death, so the
 * pid in the poller's identity (`pid@host`, the SDK's default) must be that of the claim.
 *
 * @throws InfrastructureError when the worker keeps ending or does not come up in time.
 */
export async function waitForWorker(client: Client, folder: string): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  for (;;) {
    const pid = liveClaim(folder, 'worker')?.pid;
    if (
      pid !== undefined &&
      (await pollersOf(client, TASK_QUEUE)).some((identity) => identity.startsWith(`${pid}@`))
    )
      return;
    const problem = readState(folder)?.worker.problem;
    if (problem || Date.now() > end) throw notReady(folder, problem ?? 'it does not poll its task queue');
    await sleep(250);
  }
}

/** Identities (`pid@host`) of the workers that polled a queue for workflow or activity tasks in the last minutes, dead ones included. */
export async function pollersOf(
  client: Client,
  queue: string,
  kind: 'workflow' | 'activity' = 'workflow',
): Promise<string[]> {
  const types = proto.temporal.api.enums.v1.TaskQueueType;
  const answer = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: queue },
    taskQueueType: kind === 'workflow' ? types.TASK_QUEUE_TYPE_WORKFLOW : types.TASK_QUEUE_TYPE_ACTIVITY,
  });
  return (answer.pollers ?? []).map((poller) => poller.identity ?? '');
}

function notReady(folder: string, why: string): InfrastructureError {
  const log = join(folder, 'worker.log');
  const tail = lastLines(log, 5).map((line) => `  ${line}`);
  const said = tail.length === 0 ? '' : `\nIts log ends with\n${tail.join('\n')}`;
  return new InfrastructureError(
    'worker-not-ready',
    `The worker is not ready: ${why}.${said}`,
    `Look at ${log}.`,
  );
}
