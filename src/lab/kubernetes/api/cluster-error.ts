/**
 * Why the cluster did not do what was asked of it. A closed list.
 *
 * | code | meaning | who mends it |
 * |---|---|---|
 * | not-found | no such object (or no such kind: a CRD that is not installed) | depends on the call |
 * | foreign | an object of that name is there and does not carry our experiment's label; it was not touched | the user: another name, or remove it |
 * | conflict | the UID is another one, or a field is owned by another manager (named in `fields`) | nobody forces it |
 * | forbidden | the API server refuses it to us | the user: a role |
 * | quota | a ResourceQuota of the namespace is used up | the user |
 * | invalid | the object or the request is malformed, or an admission rule refuses it | our bug or the user's value |
 * | unreachable | no answer within the deadline, or the server was not able to answer | waiting |
 * | expired-credentials | the credentials are not (or no longer) accepted, or cannot be had | the user: log in |
 * | other | anything else, with the server's own words | |
 */
export type ClusterErrorCode =
  | 'not-found'
  | 'foreign'
  | 'conflict'
  | 'forbidden'
  | 'quota'
  | 'invalid'
  | 'unreachable'
  | 'expired-credentials'
  | 'other';

/** The message is one sentence for the user: what was tried, on which object, and why it failed. No secrets. */
export class ClusterError extends Error {
  override readonly name = 'ClusterError';
  readonly code: ClusterErrorCode;
  /** What was tried on what, e.g. `apply StatefulSet bench/kafka`. */
  readonly what: string;
  /** HTTP status, where there was an answer. */
  readonly status: number | null;
  /** Of a conflict: paths of the fields that others own, with their managers. */
  readonly fields: readonly string[];

  constructor(
    code: ClusterErrorCode,
    what: string,
    why: string,
    more: { status?: number; fields?: readonly string[]; cause?: unknown } = {},
  ) {
    super(`Kubernetes: cannot ${what}: ${why}`, more.cause === undefined ? {} : { cause: more.cause });
    this.code = code;
    this.what = what;
    this.status = more.status ?? null;
    this.fields = more.fields ?? [];
  }
}

/** True for a ClusterError of that code. */
export function isClusterError(error: unknown, code: ClusterErrorCode): error is ClusterError {
  return error instanceof ClusterError && error.code === code;
}
