import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  TerminatedFailure,
  TimeoutFailure,
  isCancellation,
} from '@temporalio/workflow';
import type { PhaseFailure } from '../activities/contract.ts';
import { REASONS, type ReasonCode } from '../src/measure/reasons.ts';

/** The innermost failure that carries a meaning: what an activity threw, or which timeout ended it. */
export function causeOf(error: unknown): unknown {
  let cause = error;
  while (
    (cause instanceof ActivityFailure || cause instanceof ChildWorkflowFailure) &&
    cause.cause !== undefined
  ) {
    cause = cause.cause;
  }
  return cause;
}

/** One sentence for people, never a stack. */
export function messageOf(error: unknown): string {
  const cause = causeOf(error);
  return cause instanceof Error ? cause.message : String(cause);
}

/** True when nobody on the host took the task in time. */
export function isHostGone(error: unknown): boolean {
  const cause = causeOf(error);
  return cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START';
}

/** Which reason of the closed list a failed phase becomes. */
export function phaseFailure(error: unknown): PhaseFailure {
  if (isCancellation(error)) return { code: 'aborted', message: 'the trial was aborted' };
  const cause = causeOf(error);
  if (cause instanceof TerminatedFailure) return { code: 'aborted', message: 'the trial was terminated' };
  if (cause instanceof TimeoutFailure) return timeoutFailure(cause);
  if (cause instanceof ApplicationFailure && cause.type != null && cause.type in REASONS) {
    return { code: cause.type as ReasonCode, message: cause.message };
  }
  if (cause instanceof ApplicationFailure && cause.type === 'Infrastructure')
    return { code: 'host-gone', message: cause.message };
  return { code: 'bug', message: messageOf(error) };
}

function timeoutFailure(timeout: TimeoutFailure): PhaseFailure {
  if (timeout.timeoutType === 'SCHEDULE_TO_START') {
    return { code: 'host-gone', message: 'no worker of the host took the task within 10 minutes' };
  }
  return { code: 'wall-timeout', message: 'the phase did not end in its time' };
}
