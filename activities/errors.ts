import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { InfrastructureError } from '../src/lab/errors.ts';
import { StoreError } from '../src/store/errors.ts';
import type { ReasonCode } from '../src/measure/reasons.ts';

/** A phase that cannot be carried out, for a reason of the closed list. Not retried: the attempt is void. */
export function voids(code: ReasonCode, message: string): ApplicationFailure {
  return ApplicationFailure.create({ message, type: code, nonRetryable: true });
}

/**
 * Errors of adapters as Temporal failures. What a retry may mend stays retryable; retryability is read from
 * the outermost error, so everything is wrapped here.
 */
export function translate(error: unknown): Error {
  if (error instanceof ApplicationFailure || error instanceof CancelledFailure) return error;
  if (error instanceof Error && error.name === 'AbortError') return new CancelledFailure('aborted');
  if (error instanceof InfrastructureError) {
    const { code, fix, message } = error;
    return ApplicationFailure.create({
      message: `${message} ${fix}`,
      type: 'Infrastructure',
      nonRetryable: true,
      details: [{ code, message, fix }],
    });
  }
  if (error instanceof StoreError) {
    const type: ReasonCode = error.code === 'full' ? 'disk-full' : 'bug';
    return ApplicationFailure.create({
      message: error.message,
      type,
      nonRetryable: error.code === 'conflict',
    });
  }
  const message = error instanceof Error ? error.message : String(error);
  return ApplicationFailure.create({
    message,
    type: 'bug',
    // A slip in our own code is the same at every try.
    nonRetryable:
      error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError,
    ...(error instanceof Error ? { cause: error } : {}),
  });
}
