import { isWarmUpPass } from '../design/passes.ts';
import type { TrialRecord } from '../measure/trial-record.ts';

export interface Agreement {
  readonly agree: boolean;
  /** Scenarios whose steady rate moved by more than asked, or that have no rate in one of the passes. */
  readonly moved: readonly string[];
  /** Scenario → rate ÷ rate of the pass before − 1; null when one of them is missing. */
  readonly changes: Readonly<Record<string, number | null>>;
}

/**
 * Whether two passes of block 0 agree: the steady rate of every scenario within `agreeWithin` (a share) of the pass before.
 * A scenario without a rate in either pass (a pilot has no steady window) has not been seen to agree, nor have passes without trials.
 */
export function passesAgree(
  before: readonly TrialRecord[],
  after: readonly TrialRecord[],
  agreeWithin: number,
): Agreement {
  const scenarios = [...new Set([...before, ...after].map((t) => t.scenario))];
  const changes = Object.fromEntries(
    scenarios.map((scenario) => {
      const [was, is] = [passRate(before, scenario), passRate(after, scenario)];
      return [scenario, was === null || is === null ? null : is / was - 1];
    }),
  );
  const moved = scenarios.filter((s) => changes[s] == null || Math.abs(changes[s]) > agreeWithin);
  return { agree: scenarios.length > 0 && moved.length === 0, moved, changes };
}

export interface Warmth extends Agreement {
  /** Passes that were run. */
  readonly passes: number;
}

/** The agreement of the last two passes of block 0; one pass alone agrees with nothing. */
export function warmth(block0: readonly TrialRecord[], agreeWithin: number): Warmth {
  const passes = Math.max(0, ...block0.flatMap((t) => (isWarmUpPass(t.pass) ? [t.pass ?? 0] : [])));
  return {
    passes,
    ...passesAgree(ofPass(block0, passes - 1), ofPass(block0, passes), agreeWithin),
  };
}

/** The trials of one pass of block 0. */
export function ofPass(block0: readonly TrialRecord[], pass: number): readonly TrialRecord[] {
  return block0.filter((t) => t.block === 0 && t.pass === pass);
}

function passRate(pass: readonly TrialRecord[], scenario: string): number | null {
  const rates = pass
    .filter((t) => t.scenario === scenario && t.verdict.valid)
    // A scenario without the loads that the metric speaks of is warm when those it has are.
    .map((t) => t.rate?.recordsPerS ?? t.values?.rate?.value ?? 0);
  return rates.findLast((r) => r > 0) ?? null;
}
