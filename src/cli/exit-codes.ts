import type { ExperimentResult } from '../temporal/status.ts';

/** What the shell sees; the table is in docs/operations.md. */
export const EXIT = {
  ok: 0,
  /** A mistake of Assay itself. */
  internal: 1,
  /** Wrong usage or an invalid spec: nothing was started. */
  usage: 2,
  /** An expectation of the spec failed. */
  expectationFailed: 3,
  /** Too few valid blocks, or an expectation that stays inconclusive. */
  undecided: 4,
  /** Something outside is missing or broken, or something of the lab is left behind. */
  infrastructure: 5,
  aborted: 6,
  /** Ctrl-C while following: detached, the experiment goes on. 128 + SIGINT, as shells have it. */
  detached: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * Exit code of an experiment that ended. Leaks weigh more than any answer: they cost money or spoil the next run. An
 * expectation that failed weighs more than what stays open.
 */
export function exitCodeOf(result: ExperimentResult): ExitCode {
  if (result.leaks.length > 0 || result.outcome === 'completed-with-leaks') return EXIT.infrastructure;
  if (result.outcome === 'failed') return EXIT.infrastructure;
  if (result.outcome === 'aborted') return EXIT.aborted;
  if ((result.expectations?.failed ?? 0) > 0) return EXIT.expectationFailed;
  return result.decided ? EXIT.ok : EXIT.undecided;
}

/** From the one that matters least to the one that matters most, for several experiments of one command. */
const WEIGHT: readonly ExitCode[] = [
  EXIT.ok,
  EXIT.undecided,
  EXIT.expectationFailed,
  EXIT.aborted,
  EXIT.infrastructure,
  EXIT.usage,
  EXIT.internal,
  EXIT.detached,
];

/** The exit code that tells more about two experiments than the other. */
export function worseOf(a: ExitCode, b: ExitCode): ExitCode {
  return WEIGHT.indexOf(a) >= WEIGHT.indexOf(b) ? a : b;
}
