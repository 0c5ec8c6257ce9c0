import type { TrialRecord } from '../measure/trial-record.ts';

/** A trial that may enter an estimate: measured (not block 0), valid, with a rate above 0. */
export interface Cell {
  readonly trial: TrialRecord;
  readonly recordsPerS: number;
  readonly bytesPerS: number;
}

/** The trials of the measured blocks; block 0 is the warm-up and never estimated. */
export function measuredTrials(trials: readonly TrialRecord[]): readonly TrialRecord[] {
  return trials.filter((t) => t.block > 0);
}

/**
 * The valid cells of a scenario by block. Of several valid attempts the first counts: taking a later one would be a choice
 * made after seeing the outcome.
 */
export function validCells(trials: readonly TrialRecord[], scenario: string): ReadonlyMap<number, Cell> {
  const cells = new Map<number, Cell>();
  const ofScenario = measuredTrials(trials).filter((t) => t.scenario === scenario && t.verdict.valid);
  for (const trial of ofScenario.toSorted((a, b) => a.attempt - b.attempt)) {
    const rate = trial.rate;
    if (cells.has(trial.block) || rate === null || !(rate.recordsPerS > 0)) continue;
    cells.set(trial.block, { trial, recordsPerS: rate.recordsPerS, bytesPerS: rate.bytesPerS });
  }
  return cells;
}
