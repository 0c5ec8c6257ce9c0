import type { PollAnswer } from './capsule/answer.ts';

/**
 * How commands and files reach a host. The only thing that differs between a folder on this machine and a pod
 * (design §4): everything else is in the capsule's script and in capsule-host.ts.
 */
export interface Transport {
  /**
   * Runs a short command and returns its stdout. Settles at the deadline at the latest. What comes back may be
   * cut even with code 0 (a socket can break silently): callers check the frame in it, never the code alone.
   * Rejects with a CapsuleError `transport` when the command could not be run or did not end in time.
   */
  exec(argv: readonly string[], deadlineMs: number): Promise<ExecResult>;
  /** Starts a command that outlives us, with no streams; says nothing about how it goes on. */
  detach(argv: readonly string[]): Promise<void>;
  /** Writes a whole file on the host: its folders are made, a reader sees all of it or nothing. */
  write(path: string, content: Buffer): Promise<void>;
  /**
   * A cheaper look than the script's `poll`, with the same answer, where the files can be read directly. null: this
   * look cannot tell (a lost capsule must be killed first), ask the script.
   */
  peek?(
    folder: string,
    from: { stdout: number; stderr: number },
    maxBytes: number,
  ): Promise<PollAnswer | null>;
}

export interface ExecResult {
  /** null: ended by a signal, or unknown. */
  readonly code: number | null;
  readonly stdout: Buffer;
}
