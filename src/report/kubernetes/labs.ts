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
