import { expect } from 'vitest';
import { loadTrials } from '../../../src/store/experiment-files.ts';
import type { Store } from '../../../src/store/store.ts';
import type { TrialRecord } from '../../../src/measure/trial-record.ts';

/** Every attempt of the measured blocks, in the order in which they ran. */
export async function measuredTrials(store: Store): Promise<readonly TrialRecord[]> {
  return (await loadTrials(store)).filter(({ block }) => block > 0);
}

/** Asserts that each scenario of each block has one valid trial, and that its log holds what was claimed, which is what was asked. */
export function expectComplete(trials: readonly TrialRecord[], blocks: number, scenarios = 2): void {
  const valid = trials.filter(({ verdict }) => verdict.valid);
  const cells = new Set(valid.map(({ block, scenario }) => `b${block}/${scenario}`));
  expect([valid.length, cells.size]).toEqual([blocks * scenarios, blocks * scenarios]);
  for (const { id, loads, offsets } of valid) {
    const asked = loads[0]?.asked;
    expect({ id, offsets }).toEqual({
      id,
      offsets: [{ topic: 'main', asked, claimed: asked, inLog: asked }],
    });
  }
}
