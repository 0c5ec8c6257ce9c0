import type { TrialInput } from '../activities/contract.ts';

/** How long the trials of a scenario take, as far as some have run. */
export interface ScenarioTime {
  /** False: only seen in the warm-up. */
  readonly measured: boolean;
  readonly trials: number;
  readonly totalMs: number;
}

export type ScenarioTimes = Readonly<Record<string, ScenarioTime>>;

/**
 * Adds a trial that ended. The pilot (pass 1 of block 0) is too short to tell anything; what the warm-up tells
 * gives way to the first measured trial.
 */
export function withTrial(
  times: ScenarioTimes,
  trial: Pick<TrialInput, 'block' | 'pass' | 'scenario'>,
  tookMs: number,
): ScenarioTimes {
  const { block, pass, scenario } = trial;
  if (pass === 1) return times;
  const known = times[scenario];
  const measured = block > 0;
  if (known !== undefined && known.measured && !measured) return times;
  const adds = known !== undefined && known.measured && measured;
  const time = adds
    ? { measured, trials: known.trials + 1, totalMs: known.totalMs + tookMs }
    : { measured, trials: 1, totalMs: tookMs };
  return { ...times, [scenario]: time };
}

/**
 * Milliseconds that the trials ahead will take: each as long as its scenario took so far, or as the mean of the others
 * when it has not run. null while nothing is known.
 *
 * @param ahead scenario of each trial that is still to run, without the one that runs now.
 */
export function timeAheadMs(
  times: ScenarioTimes,
  ahead: readonly string[],
  running: { readonly scenario: string; readonly sinceMs: number } | null,
  nowMs: number,
): number | null {
  const means = new Map(Object.entries(times).map(([scenario, t]) => [scenario, t.totalMs / t.trials]));
  if (means.size === 0) return null;
  const typicalMs = [...means.values()].reduce((sum, ms) => sum + ms, 0) / means.size;
  const of = (scenario: string): number => means.get(scenario) ?? typicalMs;
  const runningMs = running === null ? 0 : Math.max(0, of(running.scenario) - (nowMs - running.sinceMs));
  return Math.round(runningMs + ahead.reduce((sum, scenario) => sum + of(scenario), 0));
}
