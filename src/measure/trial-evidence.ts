import type { TrialName } from '../design/names.ts';
import type { ExitEvidence, PartitionEvidence } from './evidence.ts';
import type { ReasonCode } from './reasons.ts';
import type { RawFile, SettleOutcome } from './trial-record.ts';

/** Why a phase of a trial could not be carried out; becomes a reason of the verdict. */
export interface PhaseFailure {
  readonly code: ReasonCode;
  readonly message: string;
}

/** What `prepare` fixed: a launch or a verdict with other identities is void. */
export interface Prepared {
  readonly atMs: number;
  /** `broker b1`, `client c1` → what it is: a broker's process, a client's boot id. */
  readonly identities: Readonly<Record<string, string>>;
  /** Topic of the spec → its real name and partitions. */
  readonly topics: Readonly<
    Record<string, { readonly name: string; readonly partitions: readonly PartitionEvidence[] }>
  >;
  /** Topic of the spec → what was filled in before the load; absent = no topic is filled. */
  readonly fills?: Readonly<Record<string, Filled>>;
  /** Load → path of its payload file on its host. */
  readonly payloads: Readonly<Record<string, string>>;
}

export interface Loaded {
  readonly loads: Readonly<
    Record<string, { readonly state: 'exited' | 'lost' | 'absent'; readonly exitCode: number | null }>
  >;
  readonly endedAtMs: number;
  /** Load → before this it was not started (wall clock, ms): the start barrier. Absent: a single load has none. */
  readonly notBeforeMs?: Readonly<Record<string, number>>;
}

/** How a topic got its records before a load. */
export interface Filled {
  /** In its log, counted. */
  readonly records: number;
  /** False: it was there already, from an earlier trial. */
  readonly now: boolean;
  readonly tookMs: number;
  /** Bytes of a record in the log of one replica; null = could not be asked. */
  readonly diskBytesPerRecord: number | null;
  /** What was done with the page cache after that. */
  readonly cache: 'asis' | 'hot' | 'cold';
}

export interface Verified {
  /** As in `Prepared`; null = it did not answer, or a broker is dead. */
  readonly identities: Readonly<Record<string, string | null>>;
  /** Topic of the spec → records in its log and its partitions after the load; null when it could not be asked. */
  readonly topics: Readonly<
    Record<
      string,
      { readonly inLog: number | null; readonly partitions: readonly PartitionEvidence[] | null }
    >
  >;
  readonly events: readonly { readonly broker: string; readonly kind: string; readonly line: string }[];
}

/** All that the phases of one attempt saw; passes through the trial's history, which is its audit. */
export interface TrialEvidence {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly phasesMs: Readonly<Record<string, number>>;
  readonly failure: PhaseFailure | null;
  readonly prepared: Prepared | null;
  readonly settled: SettleOutcome | null;
  readonly loaded: Loaded | null;
  readonly drained: SettleOutcome | null;
  readonly verified: Verified | null;
}

/**
 * `evidence.json` of an attempt: what was only to be seen while it ran, and the settings it ran with. With the
 * plan and the raw files beside it, every figure of `trial.json` can be derived again.
 */
export interface AttemptEvidence {
  readonly format: 1;
  readonly experimentKey: string;
  readonly trial: TrialName & {
    /** 1-based position in which it ran within its block. */
    readonly position: number;
    /** Load → records asked of it. */
    readonly counts: Readonly<Record<string, number>>;
    /** Load → records/s, where they differ from the plan's (a search). */
    readonly rates?: Readonly<Record<string, number>>;
    /** Which of several labs; absent = the first. */
    readonly lab?: number;
    /** The ramp to cut; of no use in block 0, which has a provisional one. */
    readonly rampMs: number;
  };
  /** ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
  /** Cores that each client may use; null = not pinned. */
  readonly clientCores: number | null;
  /** Load → its exact command; empty when it was never prepared. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  /** Machines that were sampled, the first one first; null = it left no readable sample. */
  readonly machines: readonly { readonly name: string; readonly samples: string | null }[];
  readonly seen: TrialEvidence;
}

/** How a load's process ended, as its runner recorded it (`<load>.exit.json`). */
export interface LoadEnd {
  readonly state: 'absent' | 'running' | 'exited' | 'lost';
  readonly exit:
    | (ExitEvidence & {
        /** Lines of all of stderr that are failed sends, cut ones included. */
        readonly stderrCounted: number;
        readonly stderrCutBytes: number;
      })
    | null;
}

/** What one load left behind. */
export interface RawLoad extends LoadEnd {
  /** Stamped lines. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

/** All raw files of an attempt. */
export interface RawAttempt {
  /** By name of the load; one that was never started is missing. */
  readonly loads: Readonly<Record<string, RawLoad>>;
  /** File name as in `AttemptEvidence.machines` → the sampler's output. */
  readonly samples: Readonly<Record<string, Uint8Array>>;
  /** Hash and size of every raw file, in the order in which they were stored. */
  readonly files: readonly RawFile[];
}
