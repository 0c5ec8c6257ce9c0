import type { TimeSpan } from '../../measure/cloudwatch.ts';
import type { TrialRecord } from '../../measure/trial-record.ts';
import type { NumberedLab, Results } from '../results.ts';

/** The labs of an experiment that were provisioned, in order. */
export function labsOf({ environment, laterLabs }: Results): readonly NumberedLab[] {
  return environment === null ? laterLabs : [{ lab: 1, environment }, ...laterLabs];
}

/** Which of the experiment's labs a trial ran in. */
export function labOf({ lab }: TrialRecord): number {
  return lab ?? 1;
}

/** From the first trial's start to the last one's end; null = there was none. */
export function spanOf(trials: readonly TrialRecord[]): TimeSpan | null {
  if (trials.length === 0) return null;
  const fromMs = Math.min(...trials.map(({ startedAt }) => Date.parse(startedAt)));
  const toMs = Math.max(...trials.map(({ endedAt }) => Date.parse(endedAt)));
  return { fromMs, toMs };
}
