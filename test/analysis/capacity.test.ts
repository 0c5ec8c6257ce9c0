import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { capacities } from '../../src/analysis/capacity.ts';
import type { CapacityResult } from '../../src/analysis/analysis.ts';
import type { Frozen, Plan } from '../../src/design/plan.ts';
import { reason, type ReasonCode } from '../../src/measure/reasons.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import { makeFrozen, makePlan, makeScenario, valued } from './make.ts';

const RATES = [94, 97, 100, 103, 106];
const grid = RATES.map((r) => `baseline.${r}`);

const plan: Plan = makePlan({
  contrasts: [],
  scenarios: grid.map((slug, i) => ({
    ...makeScenario(slug),
    grid: { of: 'baseline', factor: (RATES[i] ?? 0) / 100 },
  })),
  search: {
    producer: 'p',
    loads: ['p'],
    unit: 'records/s',
    fromPerS: 20,
    toPerS: 300,
    resolution: 0.03,
    pass: { achievedMin: 0.995 },
    targets: [{ scenario: 'baseline', grid }],
  },
});

const frozen = makeFrozen({
  candidates: { baseline: 100 },
  rates: Object.fromEntries(grid.map((slug, i) => [slug, { p: RATES[i] ?? 0 }])),
});

/** Six blocks in which each rate passes as often as given. */
function measured(passes: readonly number[], blocks = 6): TrialRecord[] {
  return passes.flatMap((passed, i) =>
    Array.from({ length: blocks }, (_, b) =>
      valued(b + 1, grid[i] ?? '', { achieved: b < passed ? 1 : 0.9 }),
    ),
  );
}

function capacityOf(trials: readonly TrialRecord[], fixed: Frozen | null = frozen): CapacityResult {
  const [one] = capacities(plan, fixed, trials);
  if (one === undefined) throw new Error('no capacity');
  return one;
}

describe('capacity', () => {
  test('the highest rate with a pass probability of at least 0.9, and what 6 of 6 leaves possible', () => {
    const one = capacityOf(measured([6, 6, 6, 2, 0]));
    expect(one).toMatchObject({ capacity: 100, bracketed: true, decided: true });
    expect(one.failureBelow).toBeCloseTo(0.393, 3);
    expect(one.sentence).toBe(
      'baseline sustains 100 records/s (achieved ≥ 99.5 %; 6 of 6 trials passed, which leaves a failure probability of up to 39 % possible); ' +
        'at 103 records/s 2 of 6 trials passed.',
    );
  });

  test('the fit never rises: a lucky higher rate does not outweigh a failure below it', () => {
    const one = capacityOf(measured([6, 6, 4, 6, 0]));
    expect(one.points.map((p) => p.probability)).toEqual([1, 1, 10 / 12, 10 / 12, 0]);
    expect(one.capacity).toBe(97);
  });

  test('one failure of twelve pooled trials is still 0.9', () => {
    const one = capacityOf(measured([6, 6, 5, 6, 0]));
    expect(one.points[2]?.probability).toBeCloseTo(11 / 12, 12);
    expect(one.capacity).toBe(103);
  });

  test('5 of 6 alone is below 0.9', () => {
    expect(capacityOf(measured([6, 5, 0, 0, 0])).capacity).toBe(94);
  });

  test('all pass: at least the highest rate, not bracketed', () => {
    const one = capacityOf(measured([6, 6, 6, 6, 6]));
    expect(one).toMatchObject({ capacity: 106, bracketed: false, decided: true });
    expect(one.sentence).toContain('baseline sustains at least 106 records/s, the highest rate of the grid');
    expect(one.sentence).toContain('not bracketed');
  });

  test('none passes: below the grid, not bracketed', () => {
    const one = capacityOf(measured([3, 2, 0, 0, 0]));
    expect(one).toMatchObject({ capacity: null, bracketed: false, failureBelow: null, decided: true });
    expect(one.sentence).toContain(
      'does not sustain 94 records/s, the lowest rate of the grid (3 of 6 trials passed',
    );
  });

  test('no candidate: the search says so', () => {
    const none = { ...frozen, candidates: { baseline: null }, rates: {} };
    expect(capacityOf([], none)).toMatchObject({ capacity: null, decided: true });
    expect(capacityOf([], none).sentence).toContain('no rate from 20 records/s on was found that passes');
    expect(capacityOf([], null)).toMatchObject({ decided: false });
  });

  test('a search whose runs said nothing decides nothing, and says why', () => {
    const why = '3 trials at 20 records/s say nothing: isr-shrunk';
    const stuck = { ...frozen, candidates: { baseline: null }, rates: {}, stuck: { baseline: why } };
    expect(capacityOf([], stuck)).toMatchObject({
      capacity: null,
      decided: false,
      sentence: `The capacity of baseline cannot be decided: ${why}.`,
    });
  });

  test("the search's own trials are left out", () => {
    const search = grid.map((slug) => valued(0, slug, { achieved: 0.1 }, { pass: 401 }));
    expect(capacityOf([...search, ...measured([6, 6, 6, 0, 0])]).capacity).toBe(100);
  });

  const lost = (code: ReasonCode) => ({
    verdict: { valid: false, reasons: [reason(code, 'seen')], flags: [] },
  });
  test.each([
    ['the system gave up: a failure, also when the next attempt passes', 'callbacks-failed', 5, 6],
    ['lost from outside: the next attempt counts', 'host-gone', 6, 6],
  ] as const)('a void attempt, %s', (_, code, passed, blocks) => {
    const trials = measured([6, 6, 6, 0, 0]).map((t) =>
      t.block === 1 && t.scenario === 'baseline.100' ? { ...t, attempt: 2 } : t,
    );
    const first = valued(1, 'baseline.100', { achieved: 1 }, lost(code));
    expect(capacityOf([...trials, first]).points[2]).toMatchObject({ passed, blocks });
  });

  test('too few judged blocks of some rate decide nothing', () => {
    const one = capacityOf(
      measured([6, 6, 6, 2, 0]).filter((t) => t.scenario !== 'baseline.97' || t.block < 3),
    );
    expect(one.decided).toBe(false);
    expect(one.sentence).toBe(
      'The capacity of baseline cannot be decided: 2 blocks of a rate of the grid could be judged, 3 are needed.',
    );
  });

  test('the answer is the capacity, and the experiment is decided by it', () => {
    const { answer, decided } = analyse(plan, 'p', frozen, 'f', measured([6, 6, 6, 2, 0]));
    expect(answer).toMatch(/^baseline sustains 100 records\/s/);
    expect(decided).toBe(true);
    expect(analyse(plan, 'p', frozen, 'f', []).decided).toBe(false);
  });
});
