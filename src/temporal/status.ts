/**
 * What an experiment tells about itself: the answer to the query `status`, the heartbeats of a trial's
 * activities, and the workflow's result. Pure types and constants, importable from workflow code.
 */
import type { Stamped } from '../design/smoke.ts';
import type { ReasonCode } from '../measure/reasons.ts';

export const EXPERIMENT_WORKFLOW = 'experiment';
export const TASK_QUEUE = 'assay';
export const STATUS_QUERY = 'status';
/** Memo of an experiment: the host queue of the home whose worker is to run it. */
export const HOST_MEMO = 'host';
export const HOST_QUEUE = /^assay-host-[0-9a-f]{12}$/;
/** Memo of a rehearsal; measurements have none. */
export const REHEARSAL_MEMO = 'rehearsal';
/** `ApplicationFailure.type` of an experiment that ended because its spec is invalid. */
export const INVALID_SPEC = 'InvalidSpec';

export type ExperimentPhase =
  | 'planning'
  | 'waiting-for-lease'
  | 'provisioning'
  | 'warming-up'
  | 'measuring'
  | 'paused'
  | 'analysing'
  | 'exporting'
  | 'keeping'
  | 'tearing-down'
  | 'reading-metrics'
  | 'done';

export type ExperimentOutcome = 'completed' | 'aborted' | 'failed' | 'completed-with-leaks';

export type TrialPhase = 'prepare' | 'fill' | 'settle' | 'load' | 'drain' | 'verify' | 'collect' | 'release';

/** Answer to the query `status`. */
export interface ExperimentStatus {
  readonly format: 1;
  /** The experiment key. */
  readonly key: string;
  readonly name: string;
  readonly phase: ExperimentPhase;
  /** null while it runs. */
  readonly outcome: ExperimentOutcome | null;
  /** One plain sentence about what happens now, or how it ended. */
  readonly message: string;
  /** Attempts that ended, block 0 included. */
  readonly trialsDone: number;
  /** Attempts expected in all, block 0 included; it may grow (new passes, new attempts). 0 = not known yet. */
  readonly trialsPlanned: number;
  readonly valid: number;
  readonly voided: readonly VoidedTrial[];
  readonly current: CurrentTrial | null;
  /** The last attempts that ended, oldest first; at most 50. */
  readonly recent: readonly RecentTrial[];
  /** Where the results are (or will be); null before the plan is stored. */
  readonly resultsFolder: string | null;
  /** Scenario slugs in the order of each block, block 1 first; only when there are few enough to print. */
  readonly orders?: readonly (readonly string[])[];
  /** ISO time. */
  readonly startedAt: string;
  /** Milliseconds until the end, a guess from how long the trials took that ran. */
  readonly etaMs?: number;
  /** The block that runs now, trial by trial. */
  readonly strip?: BlockStrip;
  /** ISO time at which a paused experiment goes on by itself. */
  readonly pausedUntil?: string;
  /** What was asked for and has yet to take effect, each a plain phrase. */
  readonly asked?: readonly string[];
  /** The last notes, oldest first; at most 20. */
  readonly notes?: readonly string[];
  /** Who holds the machine while phase is `waiting-for-lease`. */
  readonly leaseHolder?: string;
}

/** One block, or one pass of block 0, in the order in which it runs. */
export interface BlockStrip {
  /** 0 = the warm-up. */
  readonly block: number;
  readonly pass: number | null;
  /** Measured blocks in all. */
  readonly of: number;
  readonly cells: readonly StripCell[];
}

export interface StripCell {
  readonly scenario: string;
  readonly attempt: number;
  readonly state: 'waiting' | 'running' | 'valid' | 'void' | 'skipped';
}

export interface VoidedTrial {
  /** `b3/batch=64KiB/a1`. */
  readonly id: string;
  readonly reasons: readonly ReasonCode[];
}

export interface CurrentTrial {
  /** `b3/batch=64KiB/a1`. */
  readonly id: string;
  /** Its workflow: the one whose pending activities carry a TrialHeartbeat. */
  readonly workflowId: string;
  /** As far as the experiment's workflow knows; a TrialHeartbeat is newer. */
  readonly phase: TrialPhase;
  /** ISO time. */
  readonly since: string;
}

export interface RecentTrial {
  readonly id: string;
  /** 1-based among all attempts of the experiment. */
  readonly position: number;
  readonly valid: boolean;
  readonly rateRecordsPerS: number | null;
  readonly reasons: readonly ReasonCode[];
  /** Of a void attempt: what was seen, with numbers. */
  readonly why?: string;
}

/** Heartbeat details (first and only payload) of every activity of a trial. */
export interface TrialHeartbeat {
  readonly phase: TrialPhase;
  /** A few plain words, e.g. `draining: 412 MiB dirty`. */
  readonly text: string;
  /** The rate so far; provisional: neither cut nor verified. */
  readonly provisionalRecordsPerS?: number;
  /** Until the phase ends at the latest. */
  readonly remainingMs?: number;
}

/** How the expectations of a spec came out. */
export interface ExpectationTally {
  readonly passed: number;
  readonly failed: number;
  readonly inconclusive: number;
}

/** Result of the workflow `experiment`. */
export interface ExperimentResult extends Stamped {
  readonly format: 1;
  readonly key: string;
  readonly outcome: ExperimentOutcome;
  /** False: too few valid blocks, or an expectation stayed inconclusive. */
  readonly decided: boolean;
  /** Absent when the spec expects nothing. */
  readonly expectations?: ExpectationTally;
  readonly resultsFolder: string | null;
  readonly message: string;
  /** What is left of the lab, each named. Empty = proven gone, but for what is `unverified`. */
  readonly leaks: readonly string[];
  /** Where nobody could look whether something is left; absent = everywhere was looked. */
  readonly unverified?: readonly string[];
  readonly valid: number;
  readonly voided: number;
}
