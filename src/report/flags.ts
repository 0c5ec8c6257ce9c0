import type { Analysis } from '../analysis/analysis.ts';
import { blockName } from '../design/names.ts';
import type { TrialRecord } from '../measure/trial-record.ts';

export interface FlagView {
  readonly code: string;
  readonly message: string;
  /** A contrast, or block and scenario of each trial it stands on; empty: the experiment as a whole. */
  readonly where: readonly string[];
}

/** Each flag once, with every place it stands: a flag on all trials is one line, not one a trial. */
export function flagViews(analysis: Analysis | null, trials: readonly TrialRecord[]): readonly FlagView[] {
  const found = new Map<string, { code: string; message: string; where: string[] }>();
  const add = (where: string | null, flag: { code: string; message: string }, key: string): void => {
    const known = found.get(key);
    const place = where === null ? [] : [where];
    if (known) known.where.push(...place);
    else found.set(key, { code: flag.code, message: flag.message, where: place });
  };
  for (const flag of analysis?.flags ?? []) add(null, flag, `e ${flag.code} ${flag.message}`);
  for (const e of analysis?.effects ?? [])
    for (const f of e.flags) add(e.contrast, f, `c ${f.code} ${f.message}`);
  for (const trial of trials) {
    const where = `${blockName(trial.block, trial.pass)} ${trial.scenario}`;
    for (const flag of trial.verdict.flags) {
      // The analysis may have counted it already: then the places join that line.
      const counted = (analysis?.flags ?? []).find((f) => f.code === flag.code);
      add(where, flag, counted ? `e ${counted.code} ${counted.message}` : `t ${flag.code}`);
    }
  }
  return [...found.values()];
}
