import type { TimeSpan } from '../measure/cloudwatch.ts';
import type { TrialRecord } from '../measure/trial-record.ts';

/** From the first trial's start to the last one's end; null = there was none. */
export function spanOf(trials: readonly Pick<TrialRecord, 'startedAt' | 'endedAt'>[]): TimeSpan | null {
  if (trials.length === 0) return null;
  const fromMs = Math.min(...trials.map(({ startedAt }) => Date.parse(startedAt)));
  const toMs = Math.max(...trials.map(({ endedAt }) => Date.parse(endedAt)));
  return { fromMs, toMs };
}
