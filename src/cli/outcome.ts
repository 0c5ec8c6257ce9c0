import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { type ExperimentResult, INVALID_SPEC } from '../temporal/status.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';

/** How a workflow ended: with a result, or without one. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: ExperimentResult; readonly exitCode: ExitCode }
  | { readonly kind: 'failure'; readonly message: string; readonly exitCode: ExitCode };

const TRIES = 20;

/**
 * The outcome of a closed experiment, followed through continue-as-new. The server may be restarting right now:
 * asked again for up to a minute.
 */
export async function readOutcome(client: Client, workflowId: string): Promise<Outcome> {
  for (let tried = 1; ; tried++) {
    try {
      const handle = client.workflow.getHandle(workflowId, undefined, { followRuns: true });
      const result = (await client.withDeadline(Date.now() + 20_000, () =>
        handle.result(),
      )) as ExperimentResult;
      return { kind: 'result', result, exitCode: exitCodeOf(result) };
    } catch (error) {
      if ((error as Error).name === 'WorkflowFailedError') return failedOutcome((error as Error).cause);
      if (tried === TRIES) throw error;
      await sleep(3_000);
    }
  }
}

/** The part of Temporal's failures that is read here. */
interface Cause {
  readonly name?: string;
  readonly message?: string;
  readonly type?: string | null;
  readonly cause?: unknown;
}

/** Words and exit code for a workflow that ended without a result. */
export function failedOutcome(error: unknown): Outcome {
  const cause = (error ?? {}) as Cause;
  const message = innermostMessage(cause);
  if (cause.name === 'TerminatedFailure') {
    const left = 'It was terminated, so nothing was torn down: what is left of the lab ends at its deadline.';
    return { kind: 'failure', exitCode: EXIT.aborted, message: left };
  }
  if (cause.name === 'CancelledFailure') {
    return { kind: 'failure', exitCode: EXIT.aborted, message: 'The experiment was cancelled.' };
  }
  if (cause.type === INVALID_SPEC) {
    return { kind: 'failure', exitCode: EXIT.usage, message: `The spec is invalid:\n${message}` };
  }
  const exitCode =
    cause.name === 'TimeoutFailure' || cause.type === 'InfrastructureError'
      ? EXIT.infrastructure
      : EXIT.internal;
  return { kind: 'failure', exitCode, message: `The experiment failed: ${message}` };
}

/** Temporal wraps failures: the innermost says what happened, the outer ones where. */
function innermostMessage(cause: Cause): string {
  const inner = cause.cause as Cause | undefined;
  if (inner?.message) return innermostMessage(inner);
  return cause.message ?? 'no reason given';
}
