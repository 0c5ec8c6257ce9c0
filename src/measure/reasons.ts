/**
 * Why a trial is invalid: a closed list (design §9). Each reason belongs to a class, and the class alone
 * decides whether a new attempt is made.
 */
export type ReasonClass =
  | 'user'
  | 'quota'
  | 'capacity'
  | 'interrupted'
  | 'system-under-test'
  | 'measurement-invalid'
  | 'bug';

/** Every reason with its class and the plain words a report uses for it. */
export const REASONS = {
  'tool-exit': { class: 'system-under-test', says: 'the perf tool ended with a non-zero exit code' },
  'no-summary': { class: 'system-under-test', says: 'the perf tool printed no final line' },
  'count-short': { class: 'system-under-test', says: 'fewer records succeeded than were asked' },
  'count-over': { class: 'measurement-invalid', says: 'more records were reported than were asked' },
  'callbacks-failed': { class: 'system-under-test', says: 'the tool printed failed sends' },
  'offsets-lost': { class: 'system-under-test', says: 'the log holds fewer records than were claimed' },
  duplicates: { class: 'system-under-test', says: 'the log holds more records than were asked' },
  'consumer-short': { class: 'system-under-test', says: 'the consumer read fewer records than were asked' },
  'idle-timeout': { class: 'system-under-test', says: 'the consumer gave up after its idle timeout' },
  'times-inconsistent': { class: 'measurement-invalid', says: "the tool's own times contradict each other" },
  'isr-shrunk': { class: 'system-under-test', says: 'a replica left the in-sync set' },
  'leader-moved': { class: 'system-under-test', says: 'a partition changed its leader or leader epoch' },
  'fill-failed': { class: 'system-under-test', says: 'a topic could not be filled before the load' },
  'host-replaced': { class: 'interrupted', says: 'a broker or client is not the one that was prepared' },
  'host-gone': { class: 'interrupted', says: 'a host of the lab did not answer in time' },
  'capsule-lost': { class: 'interrupted', says: 'the runner of a load died without an exit record' },
  'sampler-gap': { class: 'measurement-invalid', says: 'samples do not cover the window' },
  'window-too-short': { class: 'measurement-invalid', says: 'the steady window is too short to measure' },
  'no-overlap': { class: 'measurement-invalid', says: 'the loads did not run side by side for long enough' },
  'wall-timeout': { class: 'system-under-test', says: 'the load did not end before its deadline' },
  'disk-full': { class: 'capacity', says: 'a disk of the lab is full' },
  quota: { class: 'quota', says: 'a quota of the platform was reached' },
  aborted: { class: 'user', says: 'the experiment was aborted' },
  bug: { class: 'bug', says: 'Assay itself failed' },
} as const satisfies Record<string, { class: ReasonClass; says: string }>;

export type ReasonCode = keyof typeof REASONS;

/** One reason as it stands in a verdict: the code, its class, and what was seen (numbers included). */
export interface Reason {
  readonly code: ReasonCode;
  readonly class: ReasonClass;
  readonly message: string;
}

/** Builds a reason; `message` says what was seen, with numbers, in one sentence. */
export function reason(code: ReasonCode, message: string): Reason {
  return { code, class: REASONS[code].class, message };
}

/** Warnings that do not void a trial (design §9). */
export type FlagCode =
  | 'client-bound'
  | 'co-suspect'
  | 'still-warming'
  | 'still-rising'
  | 'throttled'
  | 'noisy-host'
  | 'order-drift'
  | 'implausible'
  | 'carry-over'
  | 'steady-differs'
  | 'rate-not-reached'
  | 'clock-step'
  | 'settle-timeout'
  | 'settle-plateau'
  | 'unplanned-stop'
  | 'unplanned-skip'
  | 'fetch-short'
  | 'rebalance-long'
  | 'cache-not-hot'
  | 'cache-not-cold'
  | 'cache-unknown'
  | 'unknown-counter';

export interface Flag {
  readonly code: FlagCode;
  readonly message: string;
}

/** Valid, or invalid with reasons. Flags never void. */
export interface Verdict {
  readonly valid: boolean;
  readonly reasons: readonly Reason[];
  readonly flags: readonly Flag[];
}

/**
 * Whether a trial voided for these reasons is tried again: not after a user's wish, a full machine or our own bug, and
 * not when its window was too short: the same records again would only choose a slower run (docs/decisions/0008).
 */
export function deservesNewAttempt(reasons: readonly Reason[]): boolean {
  const final: readonly ReasonClass[] = ['user', 'quota', 'capacity', 'bug'];
  return reasons.length > 0 && !reasons.some((r) => final.includes(r.class) || r.code === 'window-too-short');
}
