import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import type { Health } from './health-server.ts';

/** The part of a worker that is looked at. */
type Looked = Pick<Worker, 'getStatus'> & { readonly options: { readonly taskQueue: string } };

/** What the health server asks about: it is up before there are workers. */
export interface WorkerHealth extends Health {
  /** From now on these workers are asked, and their server by `ask`, which rejects when it does not answer. */
  watch(workers: readonly Looked[], ask: () => Promise<unknown>): void;
}

/** Below what the health server waits, so that the reason is told. */
const ANSWER_MS = 1_500;

/**
 * Live until a worker has failed; ready while every worker polls and the server answers. A shutdown is no failure: it only
 * takes the readiness away.
 */
export function workerHealth(): WorkerHealth {
  let workers: readonly Looked[] = [];
  let asked: () => Promise<string | null> = async () => Promise.resolve(null);
  return {
    watch(watched, ask) {
      workers = watched;
      asked = oneAtATime(ask);
    },
    live() {
      const failed = workers.find((worker) => worker.getStatus().runState === 'FAILED');
      return failed === undefined ? null : `the worker of ${failed.options.taskQueue} has failed`;
    },
    async ready() {
      if (workers.length === 0) return 'starting';
      const idle = workers.find((worker) => !polls(worker));
      if (idle === undefined) return asked();
      return `the worker of ${idle.options.taskQueue} takes no work: it is ${idle.getStatus().runState.toLowerCase()}`;
    },
  };
}

/** A worker without workflows polls for activities alone: its other poller is shut down from the beginning. */
function polls(worker: Looked): boolean {
  const { runState, activityPollerState, workflowPollerState } = worker.getStatus();
  return runState === 'RUNNING' && activityPollerState === 'POLLING' && workflowPollerState !== 'FAILED';
}

/** The SDK's client goes on trying beyond a deadline: whoever asks meanwhile waits for the same answer, for a while. */
function oneAtATime(ask: () => Promise<unknown>): () => Promise<string | null> {
  const no = (why: string): string => `Temporal does not answer: ${why}`;
  let pending: Promise<string | null> | null = null;
  return async () => {
    pending ??= ask()
      .then(
        () => null,
        (error: unknown) => no((error as Error).message.split('\n')[0] ?? ''),
      )
      .finally(() => {
        pending = null;
      });
    const stop = new AbortController();
    const late = delay(ANSWER_MS, no(`nothing within ${ANSWER_MS} ms`), { signal: stop.signal });
    late.catch(() => undefined);
    try {
      return await Promise.race([pending, late]);
    } finally {
      stop.abort();
    }
  };
}
