/**
 * Something outside Assay is missing, wrong or in the way: a port, Java, Maven, disk, Temporal. The user sees
 * message and fix, never a stack; the command line ends with exit code 5.
 */
export class InfrastructureError extends Error {
  override readonly name = 'InfrastructureError';
  /** Stable, e.g. `port-taken`; for tests and translation into failures. */
  readonly code: string;
  /** What the user can do about it, one sentence. */
  readonly fix: string;

  constructor(code: string, message: string, fix: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
    this.fix = fix;
  }
}
