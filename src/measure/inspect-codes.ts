import type { ReasonCode } from './reasons.ts';
import { REASONS } from './reasons.ts';

/** Reasons that only a file of unknown origin can have; the others are those of a trial (reasons.ts). */
export const INSPECT_REASONS = {
  'no-output': 'the file holds nothing',
  foreign: 'this is not the output of a Kafka perf tool',
  ambiguous: 'the file holds more than one run, or more than one process',
  malformed: 'a result line was cut, edited or mixed with other text',
} as const;

/** The reasons of a trial that one file can show. */
export const SHARED_REASONS = [
  'tool-exit',
  'no-summary',
  'idle-timeout',
  'count-short',
  'count-over',
  'consumer-short',
  'callbacks-failed',
  'times-inconsistent',
] as const satisfies readonly ReasonCode[];

export type InspectCode = keyof typeof INSPECT_REASONS | (typeof SHARED_REASONS)[number];

/** What a code means, in general words. */
export function says(code: InspectCode): string {
  return code in INSPECT_REASONS
    ? INSPECT_REASONS[code as keyof typeof INSPECT_REASONS]
    : REASONS[code as ReasonCode].says;
}

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
