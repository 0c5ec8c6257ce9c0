import { InfrastructureError } from '../lab/errors.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** Ends a command with a message for the user and an exit code; never shown with a stack. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

export interface Failure {
  readonly exitCode: ExitCode;
  /** What stderr gets; may have several lines, may be empty. */
  readonly message: string;
}

/**
 * Any error as what the user is told. An error that is nobody's plan gets one line and where to look; its stack
 * only when asked for.
 */
export function describeFailure(error: unknown, options: { debug: boolean; logs: string }): Failure {
  if (error instanceof CommandFailure) return { exitCode: error.exitCode, message: error.message };
  if (error instanceof InfrastructureError || isUserFacing(error)) {
    // Errors of the store end with their fix already.
    const message = error.message.endsWith(error.fix) ? error.message : `${error.message}\n${error.fix}`;
    return { exitCode: EXIT.infrastructure, message };
  }
  const refused = refusedBySystem(error);
  if (refused !== null) return { exitCode: EXIT.infrastructure, message: refused };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (options.debug) return { exitCode: EXIT.internal, message: stack ?? message };
  const firstLine = message.split('\n')[0] ?? '';
  return {
    exitCode: EXIT.internal,
    message: `Assay itself failed: ${firstLine}\nThe logs are in ${options.logs}; ASSAY_DEBUG=1 shows where it happened.`,
  };
}

const REFUSALS: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of this path is a file, where a folder must be',
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left there',
  EDQUOT: 'the disk quota is used up',
};

/** The system refused a file or folder: the user's to mend, not our fault. null for anything else. */
function refusedBySystem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const { code, path } = error as NodeJS.ErrnoException;
  const why = code === undefined ? undefined : REFUSALS[code];
  if (why === undefined || path === undefined) return null;
  return `${path}: ${why} (${code}).\nName a home that you can write with ASSAY_HOME (by default it is below ~/.local/state), or mend that path.`;
}

/** Errors of other rooms (the store's) that carry a code and a fix as InfrastructureError does. */
function isUserFacing(error: unknown): error is Error & { code: string; fix: string } {
  if (!(error instanceof Error)) return false;
  const { code, fix } = error as Error & { code?: unknown; fix?: unknown };
  return typeof code === 'string' && typeof fix === 'string';
}

/** The failure for a workflow id that the server does not know. */
export function unknownExperiment(id: string): CommandFailure {
  return new CommandFailure(
    EXIT.usage,
    `There is no experiment ${id} here. \`assay status\` lists those there are.`,
  );
}
