import type { Leftover, Looked, Removal, Scope } from '../src/janitor/leftover.ts';

export type { Found, JanitorReport, Leftover, Looked, Removal, Scope } from '../src/janitor/leftover.ts';
export type { JanitorInput } from '../src/janitor/input.ts';

/** What was found, and what the input of the workflow says of it. */
export interface JanitorLook extends Looked {
  /** False: a dry run. */
  readonly delete: boolean;
  readonly scope: Scope;
  /** Queue of the machine whose local labs were looked at. */
  readonly hostQueue: string;
}

/** Activities of the janitor. Any worker may run them, but for local labs: those go on the queue of their machine. */
export interface JanitorActivities {
  /** Reads the workflow's input, finds what experiments left and judges it. */
  readonly lookForLeftovers: (input: unknown) => Promise<JanitorLook>;
  /** Removes one leftover, if it may still go. */
  readonly removeLeftover: (input: { leftover: Leftover; scope: Scope }) => Promise<Removal>;
}
