/** What went wrong, for code that decides; the message is for people. */
export type StoreErrorCode =
  /** The path could leave the store or is not a plain relative path. */
  | 'bad-path'
  /** Another content is already there under this name. */
  | 'conflict'
  | 'missing'
  /** No room left on the device, or a quota or file-size limit was reached. */
  | 'full'
  | 'denied'
  | 'read-only'
  /** What was read back is not what was written, or a file does not say what it must. */
  | 'corrupt'
  /** A store across a network that does not answer, after it was asked again and again. */
  | 'unreachable'
  /** None, unknown or expired ones. */
  | 'credentials'
  | 'io';

/** A store that could not do what was asked: what, where, why, what to do. Nothing half-written is left under a final name. */
export class StoreError extends Error {
  readonly code: StoreErrorCode;
  readonly path: string;
  readonly location: string;
  readonly fix: string;

  constructor(
    code: StoreErrorCode,
    at: { readonly path: string; readonly location: string },
    why: string,
    fix: string,
    options?: ErrorOptions,
  ) {
    super(`store ${at.location}: ${at.path === '' ? 'folder' : at.path}: ${why}. ${fix}`, options);
    this.name = 'StoreError';
    this.code = code;
    this.path = at.path;
    this.location = at.location;
    this.fix = fix;
  }
}

/** Another content is already in the store under this name: results are written once. */
export class StoreConflictError extends StoreError {
  readonly storedSha256: string;
  readonly offeredSha256: string;

  constructor(
    at: { readonly path: string; readonly location: string },
    storedSha256: string,
    offeredSha256: string,
  ) {
    super(
      'conflict',
      at,
      `another content is already stored under this name (stored sha256 ${storedSha256.slice(0, 12)}…, offered ${offeredSha256.slice(0, 12)}…); results are written once and were not changed`,
      'Give the experiment another store folder, or move the old results away',
    );
    this.name = 'StoreConflictError';
    this.storedSha256 = storedSha256;
    this.offeredSha256 = offeredSha256;
  }
}

const CAUSES: Readonly<Record<string, { code: StoreErrorCode; why: string; fix: string }>> = {
  ENOSPC: {
    code: 'full',
    why: 'no space is left on its device',
    fix: 'Free some space there and try again; nothing was written under this name',
  },
  EDQUOT: {
    code: 'full',
    why: 'the disk quota is used up',
    fix: 'Free some space or raise the quota and try again; nothing was written under this name',
  },
  EFBIG: {
    code: 'full',
    why: 'the file is larger than the file-size limit',
    fix: 'Raise the limit (ulimit -f) and try again; nothing was written under this name',
  },
  EACCES: {
    code: 'denied',
    why: 'permission denied',
    fix: 'Make the folder writable for the user that runs the worker, or name another store folder',
  },
  EPERM: {
    code: 'denied',
    why: 'the operation is not permitted',
    fix: 'Make the folder writable for the user that runs the worker, or name another store folder',
  },
  EROFS: {
    code: 'read-only',
    why: 'the file system is read-only',
    fix: 'Mount it writable, or name another store folder',
  },
  ENOENT: { code: 'missing', why: 'there is no such file', fix: 'Check the path of the results folder' },
  ENOTDIR: {
    code: 'io',
    why: 'a part of the path is a file, not a folder',
    fix: 'Move that file away, or name another store folder',
  },
  EISDIR: {
    code: 'io',
    why: 'it is a folder, not a file',
    fix: 'Move that folder away, or name another store folder',
  },
};

/** Translates an error of the operating system into a StoreError; a StoreError passes through unchanged. */
export function asStoreError(error: unknown, at: { path: string; location: string }): StoreError {
  if (error instanceof StoreError) return error;
  const system = systemCode(error);
  const cause = CAUSES[system];
  if (cause) return new StoreError(cause.code, at, `${cause.why} (${system})`, cause.fix, { cause: error });
  const text = error instanceof Error ? error.message : String(error);
  return new StoreError('io', at, text, 'Check the disk and try again', { cause: error });
}

/** `ENOSPC` and the like; empty when the error carries none. */
export function systemCode(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : '';
}
