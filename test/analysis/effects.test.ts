import { describe, expect, test } from 'vitest';
import type { EffectResult } from '../../src/analysis/analysis.ts';
import { estimateEffects } from '../../src/analysis/effects.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import { makeContrast, makePlan, makeTrial, pairs, voided } from './make.ts';

function effectOf(trials: readonly TrialRecord[], plan = makePlan()): EffectResult {
  const effect = estimateEffects(plan, trials)[0];
  if (effect === undefined) throw new Error('no effect');
  return effect;
}

const CLEAR = [1.5, 1.6, 1.4, 1.55, 1.45, 1.5];

describe('numbers', () => {
  // log ratios 0.1 … 0.6: mean 0.35, sd 0.187083, t₀.₉₇₅,₅ = 2.570582, half-width 0.196333.
  const result = effectOf(pairs([0.1, 0.2, 0.3, 0.4, 0.5, 0.6].map(Math.exp)));

  test('the effect is the geometric mean of the ratios within blocks, with the t interval on logs', () => {
    expect(result.ratio).toBeCloseTo(Math.exp(0.35), 10);
    expect(result.sdLog).toBeCloseTo(0.187083, 6);
    expect(result.interval?.low).toBeCloseTo(Math.exp(0.35 - 0.196333), 5);
    expect(result.interval?.high).toBeCloseTo(Math.exp(0.35 + 0.196333), 5);
  });

  test('the exact methods stand beside it', () => {
    expect(result.signFlipP).toBe(2 / 64);
    expect(result.signedRank?.low).toBeCloseTo(Math.exp(0.1), 10);
    expect(result.signedRank?.high).toBeCloseTo(Math.exp(0.6), 10);
    expect(result.higherIn).toBe(6);
  });

  test('one contrast: the simultaneous interval is the plain one and Holm changes nothing', () => {
    expect(result.simultaneous).toEqual(result.interval);
    expect(result.holmP).toBe(result.tP);
  });

  test('the ratio is taken within blocks: a drift common to both scenarios vanishes', () => {
    const drifting = [1, 2, 3, 4, 5, 6].flatMap((b) => [
      makeTrial(b, 'fast', 200 * b),
      makeTrial(b, 'slow', 100 * b),
    ]);
    expect(effectOf(drifting).ratio).toBeCloseTo(2, 10);
    expect(effectOf(drifting).sdLog).toBeCloseTo(0, 10);
  });
});

describe('words', () => {
  test('beyond 1: higher; the other way round: lower', () => {
    expect(effectOf(pairs(CLEAR)).word).toBe('higher');
    expect(effectOf(pairs(CLEAR.map((r) => 1 / r))).word).toBe('lower');
  });

  test('inside the margin: no difference larger than the margin, even when 1 is excluded', () => {
    const small = effectOf(pairs([1.02, 1.021, 1.019, 1.02, 1.022, 1.018]));
    expect(small.simultaneous?.low).toBeGreaterThan(1);
    expect(small.word).toBe('no difference larger than the margin');
  });

  test('the margin is symmetric on the ratio scale: 1 ÷ 1.05 = 0.952, so 0.951 is outside', () => {
    const at = (ratio: number) =>
      effectOf(pairs([1, 1, 1, 1, 1, 1].map((v, i) => ratio * (v + (i - 2.5) * 1e-5)))).word;
    expect(at(1.049)).toBe('no difference larger than the margin');
    expect(at(1 / 1.049)).toBe('no difference larger than the margin');
    expect(at(0.951)).toBe('lower');
    expect(at(1.051)).toBe('higher');
  });

  test('an interval that holds 1 and leaves the margin is inconclusive', () => {
    const wide = effectOf(pairs([1.3, 0.8, 1.2, 0.9, 1.1, 0.85]));
    expect(wide.word).toBe('inconclusive');
    expect(wide.because).toContain('holds 1 and reaches beyond the margin');
  });

  test('a verdict of t that the exact methods do not bear out is inconclusive', () => {
    // t excludes 1 (d̄ = 0.196, half-width 0.191), but 4 of 64 sign assignments are as far out: p 0.0625.
    const odd = effectOf(pairs([-0.01, 0.05, 0.2, 0.3, 0.28, 0.36].map(Math.exp)));
    expect(odd.interval?.low).toBeGreaterThan(1);
    expect(odd.signFlipP).toBeCloseTo(4 / 64, 12);
    expect(odd.word).toBe('inconclusive');
    expect(odd.because).toContain('sign-flip');
  });

  test('fewer blocks than the exact test needs: cannot be decided, however clear', () => {
    const five = effectOf(pairs(CLEAR.slice(0, 5)));
    expect(five.word).toBe('cannot be decided');
    expect(five.because).toContain('cannot reach α = 0.05');
    expect(five.signedRank).toBeNull();
  });

  test('nothing measured', () => {
    const none = effectOf([]);
    expect(none).toMatchObject({ n: 0, ratio: null, interval: null, signFlipP: null, tP: null, holmP: null });
    expect(none.word).toBe('cannot be decided');
  });
});

describe('holes, voids and block 0', () => {
  test('a block with a missing cell drops out of that contrast only', () => {
    const plan = makePlan({ contrasts: [makeContrast('fast', 'slow'), makeContrast('odd', 'slow')] });
    const trials = [
      ...pairs([...CLEAR, 1.5]),
      ...[1, 2, 3, 4, 5, 6].map((b) => makeTrial(b, 'odd', 300 + b)),
    ];
    const [whole, holed] = estimateEffects(plan, trials);
    expect(whole?.n).toBe(7);
    expect(holed?.n).toBe(6);
    expect(whole?.word).toBe('higher');
    expect(holed?.word).toBe('cannot be decided');
  });

  test('block 0, voided trials and trials without a rate enter no estimate', () => {
    const extra = [
      makeTrial(0, 'fast', 1e6, { pass: 1 }),
      makeTrial(0, 'slow', 1, { pass: 1 }),
      makeTrial(7, 'fast', 1e6),
      makeTrial(7, 'slow', null),
    ];
    expect(effectOf([...pairs(CLEAR), ...extra]).ratio).toBe(effectOf(pairs(CLEAR)).ratio);
  });

  test('of a voided first attempt and its valid repetition the repetition counts', () => {
    const plain = pairs(CLEAR);
    const retried = plain.map((t) => (t.block === 2 ? { ...t, attempt: 2 } : t));
    const trials = [voided(2, 'fast', 'isr-shrunk'), voided(2, 'slow', 'isr-shrunk'), ...retried];
    expect(effectOf(trials).ratios).toEqual(effectOf(plain).ratios);
  });

  test('a second valid attempt does not replace the first', () => {
    const again = makeTrial(1, 'fast', 1e6, { attempt: 2 });
    expect(effectOf([again, ...pairs(CLEAR)]).ratio).toBe(effectOf(pairs(CLEAR)).ratio);
  });

  test('unequal voiding forbids a verdict, equal voiding does not', () => {
    const one = [...pairs(CLEAR), voided(2, 'slow', 'isr-shrunk')];
    expect(effectOf(one).word).toBe('cannot be decided');
    expect(effectOf(one).because).toContain('slow 1: isr-shrunk 1');
    expect(effectOf([...one, voided(3, 'fast', 'sampler-gap')]).word).toBe('higher');
  });

  test('interruptions from outside are no selection', () => {
    expect(effectOf([...pairs(CLEAR), voided(2, 'slow', 'capsule-lost')]).word).toBe('higher');
  });
});

describe('several contrasts', () => {
  const plan = makePlan({
    contrasts: [makeContrast('fast', 'slow'), makeContrast('odd', 'slow'), makeContrast('none', 'slow')],
  });
  const odd = [1.1, 1.3, 0.9, 1.2, 1.0, 1.15, 1.05].map((r, i) => makeTrial(i + 1, 'odd', 100 * r));
  const effects = estimateEffects(plan, [...pairs([...CLEAR, 1.52]), ...odd]);

  test('the simultaneous interval is wider, and m is the plan, not what had data', () => {
    const [first] = effects;
    const logs = [...CLEAR, 1.52].map(Math.log);
    const centre = logs.reduce((s, v) => s + v, 0) / 7;
    const sd = Math.sqrt(logs.reduce((s, v) => s + (v - centre) ** 2, 0) / 6);
    // t at 1 − 0.05/6 with 6 degrees of freedom is 3.2875 (Bonferroni t tables, 3 comparisons).
    expect(Math.log(first?.simultaneous?.high ?? 0)).toBeCloseTo(centre + (3.2875 * sd) / Math.sqrt(7), 4);
    expect(first?.word).toBe('higher');
  });

  test("Holm's p counts the contrast without data", () => {
    expect(effects[0]?.holmP).toBeCloseTo(3 * (effects[0]?.tP ?? 0), 12);
    expect(effects[1]?.holmP).toBeCloseTo(2 * (effects[1]?.tP ?? 0), 12);
    expect(effects[2]?.holmP).toBeNull();
  });
});

test('an effect that moves with time is flagged, one that does not is not', () => {
  const moving = effectOf(pairs([1.1, 1.2, 1.3, 1.42, 1.55, 1.7]));
  expect(moving.flags.map((f) => f.code)).toEqual(['order-drift', 'order-drift']);
  expect(moving.flags[0]?.message).toContain('the effect changes with time; the interval may be too narrow');
  expect(effectOf(pairs(CLEAR)).flags).toEqual([]);
});
