import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import type { Analysis, ExpectationResult } from '../../src/analysis/analysis.ts';
import { estimateEffects } from '../../src/analysis/effects.ts';
import { meetExpectations } from '../../src/analysis/expectations.ts';
import type { ExpectationPlan, Frozen, Plan } from '../../src/design/plan.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import { blocksOf, makeFrozen, makePlan, makeScenario, makeTrial, pairs, valued, voided } from './make.ts';

function expecting(over: Partial<ExpectationPlan>): ExpectationPlan {
  return { text: 'as written', metric: 'rate', of: 'fast', versus: null, min: null, max: null, ...over };
}

const perS = (value: number) => ({ kind: 'records/s', value }) as const;
const ratio = (value: number) => ({ kind: 'ratio', value }) as const;

function meet(
  expected: Partial<ExpectationPlan>,
  trials: readonly TrialRecord[],
  over: Partial<Plan> = {},
  frozen: Frozen | null = null,
): ExpectationResult {
  const [one] = meetExpectations(makePlan({ expectations: [expecting(expected)], ...over }), trials, frozen);
  if (one === undefined) throw new Error('no expectation');
  return one;
}

/** fast: e^4.6 × e^±0.1 …: mean log 4.605, so 100 records/s; slow: half. */
const STEPS = [-0.05, 0.03, -0.01, 0.04, -0.03, 0.02];
const trials = STEPS.flatMap((d, i) => [
  makeTrial(i + 1, 'fast', 100 * Math.exp(d)),
  makeTrial(i + 1, 'slow', 50 * Math.exp(d)),
]);

describe('against a bound', () => {
  test('the interval is that of the geometric mean over blocks: t on logs', () => {
    // sd of the steps 0.035777, t₀.₉₇₅,₅ = 2.570582, half-width 0.037546.
    const { estimate, interval, unit, n } = meet({ min: perS(90) }, trials);
    expect(estimate).toBeCloseTo(100, 6);
    expect(interval?.low).toBeCloseTo(100 * Math.exp(-0.037546), 3);
    expect(interval?.high).toBeCloseTo(100 * Math.exp(0.037546), 3);
    expect({ unit, n }).toEqual({ unit: 'records/s', n: 6 });
  });

  test.each([
    ['min below the interval', { min: perS(90) }, 'passed'],
    ['min above it', { min: perS(110) }, 'failed'],
    ['min inside it', { min: perS(100) }, 'inconclusive'],
    ['max above it', { max: perS(110) }, 'passed'],
    ['max below it', { max: perS(90) }, 'failed'],
    ['between both', { min: perS(90), max: perS(110) }, 'passed'],
    ['below both', { min: perS(120), max: perS(130) }, 'failed'],
    ['over the upper of both', { min: perS(90), max: perS(100) }, 'inconclusive'],
    ['ratio: wholly above', { versus: 'slow', min: ratio(1.9) }, 'passed'],
    ['ratio: wholly below', { versus: 'slow', min: ratio(2.1) }, 'failed'],
    ['bytes/s of the rate', { min: { kind: 'bytes/s', value: 90_000 } as const }, 'passed'],
    ['bytes/s not reached', { min: { kind: 'bytes/s', value: 110_000 } as const }, 'failed'],
  ] as const)('%s: %s', (_, expected, outcome) => {
    expect(meet(expected, trials).outcome).toBe(outcome);
  });

  test('bytes per second of a metric that counts records come from the size of the records', () => {
    const produced = blocksOf(6, { fast: (b) => ({ produceRate: 100 + b / 10 }) });
    const bytes = { kind: 'bytes/s', value: 99_000 } as const;
    const met = meet({ metric: 'produceRate', min: bytes }, produced);
    expect(met).toMatchObject({ outcome: 'passed', unit: 'bytes/s' });
    expect(met.estimate).toBeCloseTo(100_350, -2);
  });

  test('never both passed and failed, and a wider interval never turns one into the other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 140 }), fc.integer({ min: 1, max: 12 }), (bound, others) => {
        const alone = meet({ min: perS(bound) }, trials).outcome;
        const expectations = Array.from({ length: others + 1 }, () => expecting({ min: perS(bound) }));
        const among = meetExpectations(makePlan({ expectations }), trials, null)[0]?.outcome;
        expect(among === alone || among === 'inconclusive').toBe(true);
      }),
      { seed: 3, numRuns: 60 },
    );
  });

  test('several expectations hold together: each interval is wider', () => {
    const many = meetExpectations(
      makePlan({ expectations: [expecting({ min: perS(90) }), expecting({ max: perS(110) })] }),
      trials,
      null,
    );
    expect(many[0]?.interval?.low).toBeLessThan(meet({ min: perS(90) }, trials).interval?.low ?? 0);
  });

  test('the ratio is the one of the contrast, within blocks', () => {
    const [effect] = estimateEffects(makePlan(), trials);
    expect(meet({ versus: 'slow', min: ratio(1) }, trials).estimate).toBeCloseTo(effect?.ratio ?? 0, 12);
  });
});

describe('no outcome', () => {
  const few = trials.filter((t) => t.block <= 5);
  const left = makeFrozen({ leftOut: { fast: 'the series of rate ended at slow' } });
  test.each([
    ['too few blocks', {}, few, {}, null, '5 blocks can be counted; 6 are needed'],
    ['left out', {}, trials, {}, left, 'fast was not measured: the series of rate ended at slow'],
    ['a rehearsal', {}, trials, { smoke: true }, null, 'this is a rehearsal: nothing was measured'],
    [
      'unequal voiding of a ratio',
      { versus: 'slow' },
      [...trials, voided(1, 'slow', 'offsets-lost', 2)],
      {},
      null,
      'attempts were voided unequally',
    ],
    [
      'a latency of a load without a limit',
      { metric: 'p99' },
      blocksOf(6, { fast: (b) => ({ p99: 10 + b }) }),
      {},
      null,
      'queueing, buffer-bound',
    ],
  ] as const)('%s', (_, expected, seen, over, frozen, because) => {
    const met = meet({ min: perS(1), ...expected }, seen, over, frozen);
    expect(met.outcome).toBe('inconclusive');
    expect(met.because).toContain(because);
  });

  test('a latency at a kept rate has one', () => {
    const kept = blocksOf(6, { fast: (b) => ({ p99: 10 + b / 10, achieved: 1 }) });
    const scenarios = [makeScenario('fast', { recordsPerS: 5_000 }), makeScenario('slow')];
    const max = { kind: 'ms', value: 50 } as const;
    expect(meet({ metric: 'p99', max }, kept, { scenarios })).toMatchObject({
      outcome: 'passed',
      unit: 'ms',
    });
  });

  test('scenarios that measure unlike loads have no ratio', () => {
    const consumer = { ...makeScenario('slow') };
    const scenarios = [makeScenario('fast'), { ...consumer, loads: [] }];
    expect(meet({ versus: 'slow', min: ratio(1) }, trials, { scenarios }).because).toContain(
      'slow has no load that rate speaks of',
    );
  });
});

describe('in the analysis', () => {
  const run = (expectations: readonly ExpectationPlan[], seen = trials): Analysis =>
    analyse(makePlan({ expectations }), 'p', null, null, seen);

  test('expectations lead the answer, those that did not pass by name', () => {
    const { answer } = run([
      expecting({ text: 'rate of fast ≥ 90 records/s', min: perS(90) }),
      expecting({ text: 'rate of fast ≥ 120 records/s', min: perS(120) }),
    ]);
    expect(answer).toMatch(
      /^1 of 2 expectations passed\. rate of fast ≥ 120 records\/s fails: the interval 9\d records\/s to 10\d records\/s lies outside\. fast /,
    );
  });

  test('one that stays inconclusive leaves the experiment undecided; a failed one does not', () => {
    expect(run([expecting({ min: perS(100) })]).decided).toBe(false);
    expect(run([expecting({ min: perS(120) })]).decided).toBe(true);
    expect(run([]).decided).toBe(true);
  });

  test('a rehearsal decides nothing, however clear its figures are', () => {
    const effects = analyse(makePlan({ smoke: true }), 'p', null, null, trials).effects;
    expect(effects.map((e) => [e.word, e.because])).toEqual(
      effects.map(() => ['cannot be decided', 'this is a rehearsal: nothing was measured']),
    );
    expect(analyse(makePlan(), 'p', null, null, trials).stamp).toBeUndefined();
  });

  test('a rehearsal is done when every scenario ran', () => {
    const plan = makePlan({ smoke: true, expectations: [expecting({ min: perS(120) })] });
    const rehearsed = analyse(plan, 'p', null, null, pairs([1]));
    expect(rehearsed.decided).toBe(true);
    expect(rehearsed.answer).toMatch(
      /^This was a rehearsal, not a measurement\. 0 of 1 expectation passed\./,
    );
    expect(analyse(plan, 'p', null, null, [valued(1, 'fast', { rate: 1 })]).decided).toBe(false);
    expect(rehearsed.stamp).toBe('not a measurement');
  });
});
