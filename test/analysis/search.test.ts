import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/analysis/judge.ts';
import { gridOf, loadRates, nextSearchStep, type SearchStep, withRates } from '../../src/analysis/search.ts';
import type { Plan, SearchPlan } from '../../src/design/plan.ts';
import type { ReasonCode } from '../../src/measure/reasons.ts';
import { reason } from '../../src/measure/reasons.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import { makePlan, makeRecord, makeScenario, makeTrial, valued } from './make.ts';

const FACTORS = [-2, -1, 0, 1, 2].map((step) => 1.03 ** step);
const grid = FACTORS.map((_, i) => `baseline.at${i}`);

function planFor(over: Partial<SearchPlan> = {}): Plan {
  return makePlan({
    contrasts: [],
    scenarios: FACTORS.map((factor, i) => ({
      ...makeScenario(grid[i] ?? ''),
      grid: { of: 'baseline', factor },
    })),
    search: {
      producer: 'p',
      loads: ['p'],
      unit: 'records/s',
      fromPerS: 20_000,
      toPerS: 300_000,
      resolution: 0.03,
      pass: { achievedMin: 0.995, p99MaxMs: 50 },
      targets: [{ scenario: 'baseline', grid }],
      ...over,
    },
  });
}

/** A search trial at a rate, over one load or two. */
function tried(
  recordsPerS: number,
  passes: boolean,
  loads: readonly string[] = ['p'],
  over: Partial<TrialRecord> = {},
): TrialRecord {
  const records = loads.map((name) =>
    makeRecord([1], { name, askedRecordsPerS: recordsPerS / loads.length }),
  );
  return valued(
    0,
    'baseline.at2',
    { achieved: passes ? 1 : 0.9, p99: 10 },
    { pass: 401, loads: records, ...over },
  );
}

const voidAt = (recordsPerS: number, code: ReasonCode) =>
  tried(recordsPerS, true, ['p'], { verdict: { valid: false, reasons: [reason(code, 'seen')], flags: [] } });

/** Runs a search on a system that passes up to its capacity; the trials in order, and how it ended. */
function search(plan: Plan, capacity: number): { rates: number[]; end: SearchStep } {
  const { loads } = plan.search ?? { loads: [] };
  const trials: TrialRecord[] = [];
  const rates: number[] = [];
  for (;;) {
    const step = nextSearchStep(plan, 'baseline', trials);
    if (step.kind !== 'try') return { rates, end: step };
    rates.push(step.recordsPerS);
    trials.push(tried(step.recordsPerS, step.recordsPerS <= capacity, loads));
    if (rates.length > 60) throw new Error('the search does not end');
  }
}

describe('bisection', () => {
  test('begins at both ends and halves the ratio', () => {
    const { rates, end } = search(planFor(), 118_000);
    expect(rates.slice(0, 4)).toEqual([20_000, 300_000, 77_460, 152_440]);
    expect(end.kind).toBe('candidate');
  });

  test('ends within the resolution below the capacity, in as many steps as the ratio takes', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 21_000, max: 299_000, noNaN: true }),
        fc.constantFrom(0.01, 0.03, 0.2),
        fc.constantFrom(['p'], ['p-1', 'p-2', 'p-3']),
        (capacity, resolution, loads) => {
          const { rates, end } = search(planFor({ resolution, loads }), capacity);
          if (end.kind !== 'candidate') throw new Error(end.kind);
          expect(end.recordsPerS).toBeLessThanOrEqual(capacity);
          expect(end.recordsPerS * (1 + resolution) * 1.001).toBeGreaterThan(capacity);
          const steps = Math.ceil(Math.log2(Math.log(300 / 20) / Math.log1p(resolution)));
          expect(rates.length).toBeLessThanOrEqual(2 + steps);
          for (const rate of rates) expect(rate % loads.length).toBe(0);
        },
      ),
      { seed: 6, numRuns: 100 },
    );
  });

  test('even the lowest rate fails', () => {
    expect(search(planFor(), 10_000)).toMatchObject({
      rates: [20_000],
      end: { kind: 'none', because: 'even 20,000 records/s fails: achieved 90 % (at least 99.5 %)' },
    });
  });

  test('even the highest rate passes', () => {
    expect(search(planFor(), 1e9)).toMatchObject({
      rates: [20_000, 300_000],
      end: { kind: 'all-pass', recordsPerS: 300_000 },
    });
  });

  test('a rate too coarse for whole records ends as well', () => {
    expect(search(planFor({ fromPerS: 3, toPerS: 6, resolution: 0.001 }), 4.5).end).toMatchObject({
      kind: 'candidate',
      recordsPerS: 4,
    });
  });

  test('trials of another target are not its own', () => {
    const other = { ...tried(20_000, true), scenario: 'another' };
    expect(nextSearchStep(planFor(), 'baseline', [other])).toMatchObject({
      kind: 'try',
      recordsPerS: 20_000,
    });
  });
});

describe('trials that say nothing', () => {
  test('a void one is tried again, as often as the plan allows', () => {
    const plan = planFor();
    const lost = voidAt(20_000, 'sampler-gap');
    expect(nextSearchStep(plan, 'baseline', [lost, lost])).toMatchObject({
      kind: 'try',
      recordsPerS: 20_000,
    });
    expect(nextSearchStep(plan, 'baseline', [lost, lost, lost])).toMatchObject({
      kind: 'stuck',
      because: '3 trials at 20,000 records/s say nothing: seen',
    });
  });

  test('where the system itself gave up the rate failed', () => {
    expect(nextSearchStep(planFor(), 'baseline', [voidAt(20_000, 'callbacks-failed')]).kind).toBe('none');
  });

  test('the first trial that says something counts, not a later one', () => {
    const both = [tried(20_000, false), tried(20_000, true)];
    expect(nextSearchStep(planFor(), 'baseline', both).kind).toBe('none');
  });
});

describe('judging a trial', () => {
  const pass = { achievedMin: 0.995, p99MaxMs: 50 };
  const two = (a: number, b: number) => ({
    loads: [a, b].map((p99, i) =>
      makeRecord([1], {
        name: `p-${i + 1}`,
        latencyMs: { avg: 1, max: p99, p50: 1, p95: 1, p99, p999: p99 },
      }),
    ),
    values: {
      achieved: { value: 1, unit: 'share', over: 'overlap', loads: ['p-1', 'p-2'], why: null },
      p99: { value: null, unit: 'ms', over: 'whole-load', loads: ['p-1', 'p-2'], why: 'bounds only' },
    } as const,
  });
  test.each([
    ['both hold', valued(0, 'a', { achieved: 1, p99: 50 }), 'passed'],
    ['too slow', valued(0, 'a', { achieved: 0.99, p99: 1 }), 'failed'],
    ['too late', valued(0, 'a', { achieved: 1, p99: 51 }), 'failed'],
    ['0 ms is not too late', valued(0, 'a', { achieved: 1, p99: 0 }), 'passed'],
    ['no percentile', valued(0, 'a', { achieved: 1 }), 'unknown'],
    ['no percentile, but too slow anyway', valued(0, 'a', { achieved: 0.5 }), 'failed'],
    ['two producers, both within', makeTrial(0, 'a', 1, two(20, 50)), 'passed'],
    ['two producers, both late', makeTrial(0, 'a', 1, two(60, 51)), 'failed'],
    ['two producers, one late: the pooled one is not known', makeTrial(0, 'a', 1, two(20, 60)), 'unknown'],
    ['void, from outside', voidAt(1, 'host-gone'), 'unknown'],
    ['void, by the system', voidAt(1, 'count-short'), 'failed'],
  ])('%s', (_, trial, outcome) => {
    expect(judge(trial, pass).outcome).toBe(outcome);
  });
});

describe('the grid', () => {
  test('rates around the candidate, spread over the loads', () => {
    const { rates, leftOut } = gridOf(planFor({ loads: ['p-1', 'p-2'] }), { baseline: 100_000 });
    expect(rates['baseline.at2']).toEqual({ 'p-1': 50_000, 'p-2': 50_000 });
    expect(rates['baseline.at4']).toEqual({ 'p-1': 53_045, 'p-2': 53_045 });
    expect(leftOut).toEqual({});
  });

  test('without a candidate there is none, and its scenarios are left out', () => {
    const { rates, leftOut } = gridOf(planFor(), { baseline: null });
    expect(rates).toEqual({});
    expect(leftOut['baseline.at0']).toBe('the search ended without a candidate for baseline');
  });

  test('rates go into the plan; other loads keep theirs', () => {
    const plan = withRates(planFor(), { 'baseline.at0': loadRates(planFor().search as SearchPlan, 5_000) });
    const rateOf = (i: number) =>
      plan.scenarios[i]?.loads.map((l) => (l.kind === 'producer' ? l.recordsPerS : 0));
    expect([rateOf(0), rateOf(1)]).toEqual([[5_000], [null]]);
  });
});
