import type { Metric } from '../design/plan.ts';
import type { MetricValue, TrialRecord } from '../measure/trial-record.ts';
import { metricOf } from './metrics.ts';

/** A trial that may enter an estimate: measured (not block 0), valid, with a value above 0. */
export interface Cell {
  readonly trial: TrialRecord;
  readonly value: number;
  readonly unit: MetricValue['unit'];
  readonly over: MetricValue['over'];
}

/** The trials of the measured blocks; block 0 is the warm-up and never estimated. */
export function measuredTrials(trials: readonly TrialRecord[]): readonly TrialRecord[] {
  return trials.filter((t) => t.block > 0);
}

/**
 * The valid cells of a scenario by block. Of several valid attempts the first counts: taking a later one would be a choice
 * made after seeing the outcome.
 */
export function validCells(
  trials: readonly TrialRecord[],
  scenario: string,
  metric: Metric,
): ReadonlyMap<number, Cell> {
  const cells = new Map<number, Cell>();
  for (const trial of validTrials(trials, scenario)) {
    const found = metricOf(trial, metric);
    if (cells.has(trial.block) || found === null || found.value === null || !(found.value > 0)) continue;
    cells.set(trial.block, { trial, value: found.value, unit: found.unit, over: found.over });
  }
  return cells;
}

/** Why valid trials of a scenario have no value of this metric, one reason for each; empty when all have one. */
export function whyNoValue(
  trials: readonly TrialRecord[],
  scenario: string,
  metric: Metric,
): readonly string[] {
  return validTrials(trials, scenario).flatMap((trial) => {
    const found = metricOf(trial, metric);
    if (found === null) return [`its record has no ${metric}`];
    return found.value === null ? [found.why ?? 'it has no value'] : [];
  });
}

function validTrials(trials: readonly TrialRecord[], scenario: string): readonly TrialRecord[] {
  return measuredTrials(trials)
    .filter((t) => t.scenario === scenario && t.verdict.valid)
    .toSorted((a, b) => a.attempt - b.attempt);
}
