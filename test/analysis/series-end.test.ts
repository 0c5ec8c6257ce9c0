import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { freeze } from '../../src/analysis/freeze.ts';
import { leftOut } from '../../src/analysis/series-end.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import { makeContrast, makePlan, makeScenario, pairs, valued } from './make.ts';

const SLUGS = ['r20', 'r40', 'r80', 'r160'];
const series = [{ factor: 'rate', scenarios: SLUGS, achievedMin: 0.995 }];
const plan = makePlan({
  series,
  scenarios: SLUGS.map((slug) => makeScenario(slug, { recordsPerS: 1 })),
  contrasts: [makeContrast('r40', 'r20'), makeContrast('r160', 'r20')],
});

/** The last pass of block 0 with these shares; null = no trial says anything. */
function pass(shares: readonly (number | null)[], over: Partial<TrialRecord> = {}): TrialRecord[] {
  return shares.flatMap((share, i) =>
    share === null ? [] : [valued(0, SLUGS[i] ?? '', { achieved: share }, { pass: 1, ...over })],
  );
}

describe('where a series ends', () => {
  test.each([
    ['all keep their rate', [1, 1, 0.996, 0.995], []],
    [
      'the second falls short: what comes after it is left out, it is not',
      [1, 0.9, 0.5, 0.2],
      ['r80', 'r160'],
    ],
    ['only the first one that falls short counts', [1, 1, 0.9, 1], ['r160']],
    ['the last one falls short: nothing comes after it', [1, 1, 1, 0.3], []],
    ['an unknown share ends nothing', [1, null, 1, 1], []],
    ['after an unknown share it goes on', [1, null, 0.9, 1], ['r160']],
  ])('%s', (_, shares, out) => {
    expect(Object.keys(leftOut(plan, pass(shares)))).toEqual(out);
  });

  test('a void trial shows its share as well', () => {
    const lost = { verdict: { valid: false, reasons: [], flags: [] } };
    expect(Object.keys(leftOut(plan, pass([1, 0.9, 1, 1], lost)))).toEqual(['r80', 'r160']);
  });

  test('the last attempt counts', () => {
    const again = valued(0, 'r40', { achieved: 1 }, { pass: 1, attempt: 2 });
    expect(leftOut(plan, [...pass([1, 0.9, 1, 1]), again])).toEqual({});
  });

  test('the reason has the numbers', () => {
    expect(leftOut(plan, pass([1, 0.912, 1, 1]))['r80']).toBe(
      'the series of rate ended at r40, which achieved 91.2 % of its asked rate in block 0 (99.5 % is needed)',
    );
  });
});

describe('what was left out', () => {
  const frozen = freeze(plan, 'p', pass([1, 0.9, 1, 1]));

  test('is frozen with its reason', () => {
    expect(Object.keys(frozen.leftOut ?? {})).toEqual(['r80', 'r160']);
  });

  test('cannot be decided, and does not leave the experiment undecided', () => {
    const trials = pairs([1.5, 1.6, 1.4, 1.55, 1.45, 1.5, 1.5]).map((t) => ({
      ...t,
      scenario: t.scenario === 'fast' ? 'r40' : 'r20',
    }));
    const analysis = analyse(plan, 'p', frozen, 'f', trials);
    expect(analysis.effects[1]).toMatchObject({ word: 'cannot be decided', ratio: null });
    expect(analysis.effects[1]?.because).toContain('r160 was not measured: the series of rate ended at r40');
    expect(analysis.effects[0]?.word).toBe('higher');
    expect(analysis.decided).toBe(true);
    expect(analysis.scenarios.map((s) => s.leftOut != null)).toEqual([false, false, true, true]);
  });
});
