import { blockName } from '../design/names.ts';
import type { Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';

/** One pass over the scenarios, as it ran. */
export interface OrderRow {
  /** `b3`, `b0.p2`. */
  readonly name: string;
  readonly block: number;
  readonly pass: number | null;
  /** By position. */
  readonly cells: readonly OrderCell[];
}

export interface OrderCell {
  readonly scenario: string;
  /** Position of the scenario in the plan, from 0; −1 = not in the plan. */
  readonly index: number;
  /** `missing`: planned in this block, and not run. */
  readonly state: 'valid' | 'void' | 'missing';
  readonly trial: TrialRecord | null;
}

/** The order in which trials really ran, blocks from the first on; blocks in which nothing ran are left out. */
export function orderRows(plan: Plan, trials: readonly TrialRecord[]): readonly OrderRow[] {
  const index = new Map(plan.scenarios.map((s, i) => [s.slug, i]));
  const rows = new Map<string, TrialRecord[]>();
  for (const trial of trials) {
    const name = blockName(trial.block, trial.pass);
    rows.set(name, [...(rows.get(name) ?? []), trial]);
  }
  return [...rows].map(([name, mine]) => {
    const { block, pass } = mine[0] ?? { block: 0, pass: null };
    const planned = block > 0 ? (plan.orders[block - 1] ?? []) : [];
    const missing = planned.filter((slug) => mine.every((t) => t.scenario !== slug));
    return {
      name,
      block,
      pass,
      cells: [
        ...mine
          .toSorted((a, b) => a.position - b.position)
          .map((trial): OrderCell => {
            const state = trial.verdict.valid ? 'valid' : 'void';
            return { scenario: trial.scenario, index: index.get(trial.scenario) ?? -1, state, trial };
          }),
        ...missing.map((scenario): OrderCell => {
          return { scenario, index: index.get(scenario) ?? -1, state: 'missing', trial: null };
        }),
      ],
    };
  });
}
