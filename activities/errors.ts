import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { AwsError } from '../src/aws/errors.ts';
import { InfrastructureError } from '../src/lab/errors.ts';
import { StoreError, type StoreErrorCode } from '../src/store/errors.ts';
import type { ReasonCode } from '../src/measure/reasons.ts';

/** A phase that cannot be carried out, for a reason of the closed list. Not retried: the attempt is void. */
export function voids(code: ReasonCode, message: string): ApplicationFailure {
  return ApplicationFailure.create({ message, type: code, nonRetryable: true });
}

/** What is outside of Assay and may be mended; every other error of a store is our bug. */
const TYPES_OF_STORE_ERRORS: Readonly<Partial<Record<StoreErrorCode, ReasonCode | 'Infrastructure'>>> = {
  full: 'disk-full',
  unreachable: 'Infrastructure',
  credentials: 'Infrastructure',
};

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
    return ApplicationFailure.create({
      message: error.message,
      type: TYPES_OF_STORE_ERRORS[error.code] ?? 'bug',
      nonRetryable: error.code === 'conflict',
    });
  }
  if (error instanceof AwsError) {
    const { code, fix, message } = error;
    return ApplicationFailure.create({
      message,
      type: 'Infrastructure',
      // The others may pass, or somebody mends them while the experiment waits.
      nonRetryable: ['denied', 'not-found', 'invalid'].includes(code),
      details: [{ code, message, fix }],
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
