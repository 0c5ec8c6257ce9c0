import type { ReasonClass } from '../measure/reasons.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { measuredTrials } from './cells.ts';

/** Voids of these classes come from outside and say nothing about the scenario. */
const OUTSIDE: readonly ReasonClass[] = ['user', 'quota', 'interrupted'];

/** The voided attempts of a scenario in the measured blocks. */
export function voidedAttempts(trials: readonly TrialRecord[], scenario: string): readonly TrialRecord[] {
  return measuredTrials(trials).filter((t) => t.scenario === scenario && !t.verdict.valid);
}

/** How often each reason stands in the verdicts of these trials. */
export function reasonCounts(trials: readonly TrialRecord[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { code } of trials.flatMap((t) => t.verdict.reasons)) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

/**
 * Whether the two scenarios lost unlike numbers of attempts for reasons that may depend on the scenario: then what is
 * left is a selection, and no verdict stands on it. One sentence with the numbers, or null when the losses are equal.
 */
export function unequalVoiding(trials: readonly TrialRecord[], a: string, b: string): string | null {
  const [lostA, lostB] = [selectedAway(trials, a), selectedAway(trials, b)];
  if (lostA.length === lostB.length) return null;
  return (
    `attempts were voided unequally (${lossText(a, lostA)}; ${lossText(b, lostB)}), for reasons that may depend on ` +
    `the scenario: what is left is a selection. Remove the cause and run again`
  );
}

function selectedAway(trials: readonly TrialRecord[], scenario: string): readonly TrialRecord[] {
  return voidedAttempts(trials, scenario).filter(
    (t) => t.verdict.reasons.length === 0 || t.verdict.reasons.some((r) => !OUTSIDE.includes(r.class)),
  );
}

function lossText(scenario: string, lost: readonly TrialRecord[]): string {
  const reasons = Object.entries(reasonCounts(lost)).map(([code, n]) => `${code} ${n}`);
  return reasons.length === 0
    ? `${scenario} ${lost.length}`
    : `${scenario} ${lost.length}: ${reasons.join(', ')}`;
}
