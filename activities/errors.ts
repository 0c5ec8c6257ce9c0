import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import { AwsError } from '../src/aws/errors.ts';
import { CapsuleError, type CapsuleErrorCode } from '../src/lab/capsule/capsule-error.ts';
import { InfrastructureError } from '../src/lab/errors.ts';
import { ClusterError, type ClusterErrorCode } from '../src/lab/kubernetes/api/cluster-error.ts';
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

/** What a failure means, and whether another try may mend it. */
interface Meaning {
  readonly type: ReasonCode | 'Infrastructure';
  readonly retry: boolean;
}

/** A cluster is never our bug: where no reason of a trial fits, it is what the lab stands on. */
const CLUSTER_ERRORS: Readonly<Record<ClusterErrorCode, Meaning>> = {
  'not-found': { type: 'host-gone', retry: false },
  foreign: { type: 'Infrastructure', retry: false },
  conflict: { type: 'host-replaced', retry: false },
  forbidden: { type: 'Infrastructure', retry: false },
  quota: { type: 'quota', retry: false },
  invalid: { type: 'Infrastructure', retry: false },
  unreachable: { type: 'Infrastructure', retry: true },
  // Somebody logs in while the experiment waits.
  'expired-credentials': { type: 'Infrastructure', retry: true },
  other: { type: 'Infrastructure', retry: true },
};

const CAPSULE_ERRORS: Readonly<Record<CapsuleErrorCode, Meaning>> = {
  identity: { type: 'host-replaced', retry: false },
  'disk-full': { type: 'disk-full', retry: true },
  'not-claimed': { type: 'Infrastructure', retry: true },
  alive: { type: 'Infrastructure', retry: true },
  'no-file': { type: 'capsule-lost', retry: false },
  gone: { type: 'host-gone', retry: false },
  transport: { type: 'Infrastructure', retry: true },
  bash: { type: 'Infrastructure', retry: false },
  // What was asked for cannot be: it is the same at every try.
  pattern: { type: 'bug', retry: false },
  nested: { type: 'bug', retry: false },
  invalid: { type: 'bug', retry: false },
};

/** The host is not there any more: no waiting brings it back, a repair makes another. */
export function isGone(error: unknown): boolean {
  return error instanceof CapsuleError && error.code === 'gone';
}

/** Nobody answered: this says nothing about what was asked. */
export function isSilence(error: unknown): boolean {
  if (error instanceof CapsuleError) return error.code === 'transport';
  return (
    error instanceof ClusterError && (error.code === 'unreachable' || error.code === 'expired-credentials')
  );
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
  if (error instanceof ClusterError) return failureOf(error, CLUSTER_ERRORS[error.code]);
  if (error instanceof CapsuleError) return failureOf(error, CAPSULE_ERRORS[error.code]);
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

function failureOf(error: ClusterError | CapsuleError, { type, retry }: Meaning): ApplicationFailure {
  const { code, message } = error;
  return ApplicationFailure.create({ message, type, nonRetryable: !retry, details: [{ code, message }] });
}
