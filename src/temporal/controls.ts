/**
 * What may be asked of a running experiment: its updates. Each answers with one plain sentence or refuses with
 * one. Pure types and constants, importable from workflow code.
 *
 * `temporal workflow update execute --workflow-id ID --name pause --input '{"limit":1800000,"reason":"lunch"}'`
 */

const MINUTE = 60_000;

export const CONTROLS = ['pause', 'resume', 'skip', 'finish-early', 'extend', 'abort'] as const;
export type Control = (typeof CONTROLS)[number];

export const PAUSE_DEFAULT_MS = 60 * MINUTE;
export const PAUSE_MOST_MS = 24 * 60 * MINUTE;
/** All extensions together may add as many blocks as were planned, and never more than this. */
export const EXTEND_MOST_BLOCKS = 50;

interface Reasoned {
  /** Why, for the record. */
  readonly reason?: string;
}

/** Between two trials; a pause that is asked for again gets the new limit. */
export interface PauseRequest extends Reasoned {
  /** Milliseconds after which the experiment goes on by itself. */
  readonly limit?: number;
}

export type ResumeRequest = Reasoned;

/** Exactly one of the two. */
export interface SkipRequest extends Reasoned {
  /** This scenario from now on. */
  readonly scenario?: string;
  /** The next trial, whatever it is. */
  readonly next?: true;
}

export type FinishEarlyRequest = Reasoned;

export interface ExtendRequest extends Reasoned {
  /** How many more. */
  readonly blocks: number;
}
