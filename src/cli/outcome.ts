import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { REASONS } from '../measure/reasons.ts';
import { type ExperimentResult, INVALID_SPEC } from '../temporal/status.ts';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.ts';

/** What to do about a lab that nobody tears down. */
export const CLEANUP = '`assay cleanup` shows what is left of the lab, and removes it with --delete.';

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
  /** Of an experiment that failed: its result. */
  readonly details?: readonly unknown[] | null;
}

/** Types of failures that are nobody's mistake here: what the lab stands on, and every reason of a trial but our own bug. */
const OUTSIDE: readonly string[] = [
  'Infrastructure',
  'InfrastructureError',
  'HostGone',
  ...Object.keys(REASONS).filter((code) => code !== 'bug'),
];

/** Words and exit code for a workflow that ended without a result. */
export function failedOutcome(error: unknown): Outcome {
  const chain = causes(error);
  const named = (name: string) => chain.some((cause) => cause.name === name);
  const typed = (type: string) => chain.some((cause) => cause.type === type);
  // Temporal wraps failures: the innermost says what happened, the outer ones where.
  const why = chain.findLast((cause) => cause.message)?.message ?? 'no reason given';
  const failure = (exitCode: ExitCode, message: string): Outcome => ({ kind: 'failure', exitCode, message });
  if (typed(INVALID_SPEC)) return failure(EXIT.usage, `The spec is invalid:\n${why}`);
  if (named('TerminatedFailure')) {
    const left = `It was terminated, so nothing was torn down: ${CLEANUP}`;
    return failure(EXIT.aborted, left);
  }
  if (chain[0]?.name === 'CancelledFailure') return failure(EXIT.aborted, 'The experiment was cancelled.');
  const leaks = chain.flatMap(leaksOf);
  const outside = OUTSIDE.some(typed) || named('TimeoutFailure') || leaks.length > 0;
  const left = leaks.length === 0 ? '' : `\nLeft behind:${leaks.map((leak) => `\n  - ${leak}`).join('')}`;
  return failure(outside ? EXIT.infrastructure : EXIT.internal, `The experiment failed: ${why}${left}`);
}

function leaksOf({ details }: Cause): readonly string[] {
  const [result] = details ?? [];
  return (result as Partial<ExperimentResult> | null | undefined)?.leaks ?? [];
}

function causes(error: unknown): Cause[] {
  const chain: Cause[] = [];
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as Cause).cause) {
    chain.push(cause);
  }
  return chain;
}
