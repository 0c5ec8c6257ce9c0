import type { ReasonCode } from './reasons.ts';

/** Reasons that only a file of unknown origin can have; docs/inspect.md says what each means. */
type FileCode = 'no-output' | 'foreign' | 'ambiguous' | 'malformed';

/** The reasons of a trial (reasons.ts) that one file can show. */
type TrialCode = Extract<
  ReasonCode,
  | 'tool-exit'
  | 'no-summary'
  | 'idle-timeout'
  | 'count-short'
  | 'count-over'
  | 'consumer-short'
  | 'callbacks-failed'
  | 'times-inconsistent'
>;

export type InspectCode = FileCode | TrialCode;

/** Things worth knowing that void nothing but the value they speak of, which is null then. */
export type NoteCode =
  | 'count-not-checked'
  | 'rate-not-reached'
  | 'retries'
  | 'acks-0'
  | 'whole-load-latency'
  | 'bad-rebalance'
  | 'rebalance-share'
  | 'idle-in-rate'
  | 'overread'
  | 'at-least'
  | 'warm-up'
  | 'windows'
  | 'rounded-to-zero'
  | 'comma-decimals'
  | 'torn-lines'
  | 'glued-lines'
  | 'quoted'
  | 'no-header'
  | 'encoding';
