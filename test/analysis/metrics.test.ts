import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import type { EffectResult } from '../../src/analysis/analysis.ts';
import { estimateEffects } from '../../src/analysis/effects.ts';
import { metricOf } from '../../src/analysis/metrics.ts';
import type { Metric, Plan } from '../../src/design/plan.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import {
  blocksOf,
  makeContrast,
  makeFrozen,
  makePlan,
  makeRecord,
  makeScenario,
  makeTrial,
  pairs,
  valued,
} from './make.ts';

/** Ratios that differ a little from block to block. */
const near = (ratio: number) => (block: number) => ratio * (1 + 0.01 * (block % 3));

function planFor(metric: Metric, over: Partial<Plan> = {}): Plan {
  return makePlan({ metric, ...over });
}

function effectOf(trials: readonly TrialRecord[], plan: Plan): EffectResult {
  const [effect] = estimateEffects(plan, trials);
  if (effect === undefined) throw new Error('no effect');
  return effect;
}

const answerOf = (trials: readonly TrialRecord[], plan: Plan) =>
  analyse(plan, 'p', null, null, trials).answer;

describe('a metric of a trial', () => {
  test('older records have a rate and its bytes only', () => {
    const older = makeTrial(1, 'fast', 200);
    expect(metricOf(older, 'rate')).toMatchObject({ value: 200, unit: 'records/s', over: 'own' });
    expect(metricOf(older, 'byteRate')).toMatchObject({ value: 200_000, unit: 'bytes/s' });
    expect(metricOf(older, 'p99')).toBeNull();
  });

  test.each([
    ['p99', 99, null],
    ['p99', 100, 12],
    ['p999', 999, null],
    ['p999', 1_000, 12],
    ['p50', 5, 12],
  ] as const)('%s of a load of %i records is %s', (metric, records, value) => {
    const loads = [makeRecord([records])];
    expect(metricOf(valued(1, 'a', { [metric]: 12 }, { loads }), metric)?.value).toBe(value);
  });

  test('0 ms has no logarithm: it is below what the tool can tell', () => {
    expect(metricOf(valued(1, 'a', { p50: 0 }), 'p50')).toMatchObject({
      value: null,
      why: 'p50 is below the whole milliseconds in which the tool counts',
    });
  });
});

describe('the primary metric decides', () => {
  const both = (block: number, rate: number, consume: number) => ({
    rate: rate * block,
    consumeRate: consume * block,
  });
  const trials = blocksOf(6, {
    fast: (b) => both(b, 100, near(300)(b)),
    slow: (b) => both(b, 100, 100),
  });

  test('not the rate beside it', () => {
    expect(effectOf(trials, planFor('consumeRate')).word).toBe('higher');
    expect(effectOf(trials, planFor('rate')).word).toBe('no difference larger than the margin');
  });

  test('older records without values are analysed by their rate', () => {
    const [older] = estimateEffects(makePlan(), pairs([1.5, 1.6, 1.4, 1.55, 1.45, 1.5]));
    expect(older?.word).toBe('higher');
  });

  test('a valid trial without a value forbids a verdict and says why', () => {
    const holes = trials.map((t) =>
      t.block === 2 && t.scenario === 'fast'
        ? valued(2, 'fast', { consumeRate: { value: null, why: 'it read for less than 20 s' } })
        : t,
    );
    const effect = effectOf(holes, planFor('consumeRate'));
    expect(effect).toMatchObject({ word: 'cannot be decided', n: 5 });
    expect(effect.because).toContain('1 valid trial of fast has no value: it read for less than 20 s');
  });

  test('every metric is summarised with its unit and n, the primary one first', () => {
    const [fast] = analyse(planFor('consumeRate'), 'p', null, null, trials).scenarios;
    expect(fast?.metrics?.map((m) => [m.metric, m.unit, m.n])).toEqual([
      ['consumeRate', 'records/s', 6],
      ['rate', 'records/s', 6],
    ]);
  });
});

describe('unlike things are not compared', () => {
  test('the plan says so', () => {
    const contrast = { ...makeContrast('fast', 'slow'), incomparable: 'they measure unlike loads' };
    expect(effectOf(pairs([2, 2, 2, 2, 2, 2]), planFor('rate', { contrasts: [contrast] }))).toMatchObject({
      word: 'cannot be decided',
      because: 'they measure unlike loads',
      ratio: null,
      n: 0,
    });
  });

  const loads = [makeRecord([1]), makeRecord([1], { name: 'c' })];
  const over = (of: 'own' | 'overlap' | 'fetch', several = true) =>
    Array.from({ length: 6 }, (_, i) =>
      valued(
        i + 1,
        'fast',
        { rate: { value: near(200)(i), over: of } },
        several ? { loads } : { loads: loads.slice(0, 1) },
      ),
    );
  const slow = (of: 'own' | 'overlap') =>
    Array.from({ length: 6 }, (_, i) => valued(i + 1, 'slow', { rate: { value: 100, over: of } }, { loads }));

  test.each([
    ['fetch', 'own'],
    ['own', 'overlap'],
  ] as const)('%s against %s', (a, b) => {
    const effect = effectOf([...over(a), ...slow(b)], planFor('rate'));
    expect(effect).toMatchObject({ word: 'cannot be decided', ratio: null });
    expect(effect.because).toContain('different things');
  });

  test('records per second against bytes per second', () => {
    const bytes = Array.from({ length: 6 }, (_, i) =>
      valued(i + 1, 'slow', { rate: { value: 100, unit: 'bytes/s' } }),
    );
    expect(effectOf([...over('own'), ...bytes], planFor('rate')).because).toContain('different things');
  });

  test('one load alone has its own window in common with itself: one producer against two can be compared', () => {
    expect(effectOf([...over('own', false), ...slow('overlap')], planFor('rate')).word).toBe('higher');
  });
});

describe('latency', () => {
  const limited = (rates: readonly (number | null)[] = [5_000, 5_000]): Partial<Plan> => ({
    scenarios: ['fast', 'slow'].map((slug, i) => makeScenario(slug, { recordsPerS: rates[i] ?? null })),
  });
  const kept = (p99: (block: number) => number) => (b: number) => ({ p99: p99(b), achieved: 1 });
  const trials = blocksOf(6, { fast: kept(near(10)), slow: kept(near(20)) });

  test('a verdict between loads that keep one rate, in words that fit', () => {
    const plan = planFor('p99', limited());
    expect(effectOf(trials, plan).word).toBe('lower');
    expect(answerOf(trials, plan)).toBe(
      'fast has a lower p99 than slow: 50 % of it (95 % interval 50 % to 50 %, 6 blocks, p99 lower in 6 of 6).',
    );
    const turned = { ...plan, contrasts: [makeContrast('slow', 'fast')] };
    expect(answerOf(trials, turned)).toContain('slow has a higher p99 than fast: 2.0 times as long');
  });

  test.each([
    ['a load without a limit', [null, null], 'queueing, buffer-bound: fast sends as fast as it can'],
    ['unlike rates', [5_000, 6_000], 'the asked rates differ (5,000 against 6,000 records/s)'],
  ] as const)('none for %s', (_, rates, because) => {
    const effect = effectOf(trials, planFor('p99', limited(rates)));
    expect(effect.word).toBe('cannot be decided');
    expect(effect.because).toContain(because);
    expect(effect.ratio).toBeCloseTo(0.5, 1);
  });

  const flagged = (code: 'co-suspect' | 'rate-not-reached') => ({
    verdict: { valid: true, reasons: [], flags: [{ code, message: '1 of 12 intervals stalled' }] },
  });
  const waited = {
    loads: [
      makeRecord(
        Array.from({ length: 20 }, () => 5_000),
        { metrics: { 'producer-metrics:bufferpool-wait-time-ns-total': 5e8 } },
      ),
    ],
  };
  test.each([
    ['fell behind', { achieved: 0.99 }, {}, '99.0 % of the asked rate, 99.5 % are needed'],
    ['stalled', { achieved: 1 }, flagged('co-suspect'), '1 of 12 intervals stalled'],
    ['did not reach its rate', {}, flagged('rate-not-reached'), '1 of 12 intervals stalled'],
    ['waited for buffer space', { achieved: 1 }, waited, 'p waited for buffer space'],
  ])('none when one trial %s, and its block is not left out', (_, achieved, over, because) => {
    const one = trials.map((t) =>
      t.block === 3 && t.scenario === 'slow' ? valued(3, 'slow', { p99: 21, ...achieved }, over) : t,
    );
    const effect = effectOf(one, planFor('p99', limited()));
    expect(effect).toMatchObject({ word: 'cannot be decided', n: 6 });
    expect(effect.because).toContain('queueing, buffer-bound: 1 of 12 trials');
    expect(effect.because).toContain(because);
  });

  test('the rates that block 0 fixed count', () => {
    const rates = { fast: { p: 7_000 }, slow: { p: 7_000 } };
    const frozen = makeFrozen({ rates });
    const [effect] = estimateEffects(planFor('p99', limited([null, null])), trials, frozen);
    expect(effect?.word).toBe('lower');
  });

  test('limits say what such a percentile is', () => {
    const { limits } = analyse(planFor('p99', limited()), 'p', null, null, trials);
    expect(limits.join(' ')).toContain('p99 is of whole loads');
  });
});

describe('words of the other metrics', () => {
  test.each([
    ['byteRate', 'fast has 2.0 times the byte rate of slow'],
    ['produceRate', 'fast has 2.0 times the produce rate of slow'],
  ] as const)('%s', (metric, text) => {
    const trials = blocksOf(6, {
      fast: (b) => ({ [metric]: near(200)(b) }),
      slow: (b) => ({ [metric]: near(100)(b) }),
    });
    expect(answerOf(trials, planFor(metric))).toContain(text);
    const turned = planFor(metric, { contrasts: [makeContrast('slow', 'fast')] });
    expect(answerOf(trials, turned)).toContain(`slow reaches 50 % of the`);
  });
});
