import { ApiException } from '@kubernetes/client-node';
import type { V1Status } from '@kubernetes/client-node';
import { ClusterError } from './cluster-error.ts';
import type { ClusterErrorCode } from './cluster-error.ts';

export interface Failure {
  readonly error: ClusterError;
  /** Asking again may go well, and the server said nothing against it. */
  readonly retryable: boolean;
  /** What the server asked us to wait. */
  readonly retryAfterMs: number | null;
}

/** Failures of TLS and of names that do not mend themselves within a call. */
const LASTING = /CERT|TLS|SSL|SIGNATURE|ERR_INVALID_URL|ERR_INVALID_PROTOCOL/;

/** What a call of the client library threw, in our words. */
export function readFailure(thrown: unknown, what: string): Failure {
  if (thrown instanceof ClusterError) {
    const { code, message } = thrown;
    const why = message.slice(message.indexOf(': ', 'Kubernetes: '.length) + 2);
    return final(new ClusterError(code, what, why, { cause: thrown }));
  }
  if (thrown instanceof ApiException) return readAnswer(thrown.code, thrown.body, thrown.headers, what);
  const cause = rootOf(thrown);
  const code = (cause as NodeJS.ErrnoException).code ?? '';
  const why = code !== '' && !cause.message.includes(code) ? `${cause.message} (${code})` : cause.message;
  if (cause instanceof SyntaxError) {
    return final(new ClusterError('other', what, `the answer is no JSON: ${why}`, { cause: thrown }));
  }
  const error = new ClusterError('unreachable', what, `the API server does not answer: ${why}.`, {
    cause: thrown,
  });
  return { error, retryable: !LASTING.test(code), retryAfterMs: null };
}

/** An answer other than 2xx. Bodies are a Status, or whatever a proxy in between says. */
export function readAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  what: string,
): Failure {
  const said = parseStatus(body);
  const message = said?.message ?? (typeof body === 'string' ? body.trim().slice(0, 300) : '');
  const code = codeOf(status, said, message);
  const conflicts = (said?.details?.causes ?? []).filter(({ reason }) => reason === 'FieldManagerConflict');
  const error = new ClusterError(code, what, `${message || `status ${status}`}.`.replace(/\.\.$/, '.'), {
    status,
    fields: conflicts.map(({ field = '?', message = '' }) => `${field}: ${message}`),
  });
  const seconds = Number(headers['retry-after']);
  return {
    error,
    retryable: status === 429 || status >= 500,
    retryAfterMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null,
  };
}

function codeOf(status: number, said: V1Status | null, message: string): ClusterErrorCode {
  if (status === 401) return 'expired-credentials';
  if (status === 403) {
    if (message.includes('exceeded quota')) return 'quota';
    if (/denied the request|violates PodSecurity|denied request/.test(message)) return 'invalid';
    if (said?.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating')) return 'conflict';
    return 'forbidden';
  }
  if (status === 404) return 'not-found';
  if (status === 409) return 'conflict';
  if ([400, 405, 406, 413, 415, 422].includes(status)) return 'invalid';
  if (status === 429 || (status > 500 && status < 600)) return 'unreachable';
  return 'other';
}

/** The library hands the body over as text. */
function parseStatus(body: unknown): V1Status | null {
  let value = body;
  if (typeof body === 'string') {
    try {
      value = JSON.parse(body);
    } catch {
      return null;
    }
  }
  return typeof value === 'object' && value !== null && (value as V1Status).kind === 'Status' ? value : null;
}

function rootOf(thrown: unknown): Error {
  let error = thrown instanceof Error ? thrown : new Error(String(thrown));
  while (error.cause instanceof Error) error = error.cause;
  if (error instanceof AggregateError && error.errors[0] instanceof Error) return error.errors[0];
  return error;
}

function final(error: ClusterError): Failure {
  return { error, retryable: false, retryAfterMs: null };
}
