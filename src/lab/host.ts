/** A place where a lab's processes run: a folder on a machine, or a pod. Only the transport differs (design §4). */
export interface Host {
  readonly name: string;
  /** Absolute path on the host of a file in a capsule's folder, e.g. `child` (pid and start of its command). */
  pathOf(name: string, file: string): string;
  /** Fixed at `prepare`; a launch with another identity is refused. */
  identity(): Promise<HostIdentity>;
  /** Starts the capsule unless it has been claimed already; returns once it is claimed (by whomever). Idempotent. */
  launch(capsule: CapsuleSpec): Promise<void>;
  /** State, and new bytes of the two streams from the given offsets. */
  poll(name: string, from?: { stdout: number; stderr: number }): Promise<CapsulePoll>;
  /** Ends the capsule's whole process group and returns when it is proven dead. Idempotent. */
  kill(name: string): Promise<void>;
  /** Removes a dead capsule's folder. Refused while it lives. */
  remove(name: string): Promise<void>;
  /** Names of all capsules below a prefix, e.g. `exp-1a2b/b1`. */
  list(prefix: string): Promise<readonly string[]>;
  /** Reads a whole file of a capsule's folder (checksummed in transport). */
  readFile(name: string, file: string): Promise<Buffer>;
  /** Puts a file (a payload) on the host; skipped when a file of that SHA-256 is there. Returns its path on the host. */
  putFile(relativePath: string, content: Buffer, sha256: string): Promise<string>;
}

export interface HostIdentity {
  readonly bootId: string;
  readonly podUid?: string;
  readonly containerId?: string;
}

/** What a capsule runs. The name is deterministic: experiment key/trial/attempt/load, or key/lab/node/incarnation. */
export interface CapsuleSpec {
  readonly name: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Hard deadline from its start, enforced by the runner itself; null only for services of the home. */
  readonly deadlineMs: number | null;
  /** Bytes of stderr that are kept; the rest is counted exactly. */
  readonly stderrCapBytes: number;
  /** Bytes of stdout that are kept; the rest is counted exactly. */
  readonly stdoutCapBytes: number;
  /** Stamp each stdout line with wall and uptime clocks. */
  readonly stamp: boolean;
  /**
   * Stdout is the file itself, with no process between that copies and counts: for a command that writes a little for a
   * long time. Such a command cannot write beyond its cap, and is not stamped.
   */
  readonly directStdout?: boolean;
  /** Lines of stderr that match this extended regular expression are counted, cut ones included. */
  readonly countStderr?: string;
  /** Cores for taskset, e.g. `0` or `0-1`. */
  readonly cpus?: string;
  /** Wall time (ms since the epoch) before which the command is not started: the start barrier. */
  readonly notBeforeMs?: number;
  readonly identity: HostIdentity;
}

export type CapsuleState =
  /** Nobody has claimed it. */
  | 'absent'
  | 'running'
  | 'exited'
  /** A claim with no live owner and no exit file. */
  | 'lost';

export interface CapsulePoll {
  readonly state: CapsuleState;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Offsets to ask from next time. */
  readonly next: { readonly stdout: number; readonly stderr: number };
  readonly claim: { readonly pid: number; readonly startTicks: number; readonly bootId: string } | null;
  /** Pid of the command itself, for /proc readings. */
  readonly child: { readonly pid: number; readonly startTicks: number } | null;
  readonly exit: CapsuleExit | null;
}

export interface CapsuleExit {
  readonly code: number;
  /** `deadline` when the runner ended it, `killed` when somebody asked for it. */
  readonly by: 'itself' | 'deadline' | 'killed';
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly startUptimeMs: number;
  readonly endUptimeMs: number;
  readonly userCpuMs: number | null;
  readonly systemCpuMs: number | null;
  readonly maxRssBytes: number | null;
  readonly stdoutBytes: number;
  readonly stdoutCutBytes: number;
  readonly stderrBytes: number;
  readonly stderrLines: number;
  readonly stderrCutBytes: number;
  readonly stderrCounted: number;
  /** Whether the command ran on the cores it was given; absent when none were given. False: the host has no taskset. */
  readonly pinned?: boolean;
}
