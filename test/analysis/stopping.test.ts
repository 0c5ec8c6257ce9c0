import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { estimateEffects } from '../../src/analysis/effects.ts';
import { pairedT } from '../../src/analysis/statistics/paired-t.ts';
import { enough } from '../../src/analysis/stopping.ts';
import type { Deviation } from '../../src/design/deviation.ts';
import type { Plan } from '../../src/design/plan.ts';
import { STOPPING_WIDENING } from '../../src/design/precision.ts';
import { tHalfWidth } from '../../src/design/statistics/power.ts';
import { makeContrast, makeFrozen, makePlan, makeTrial, pairs } from './make.ts';

const orders = Array.from({ length: 20 }, () => ['fast', 'slow']);
const planFor = (halfWidth: number, over: Partial<Plan> = {}): Plan =>
  makePlan({ until: { halfWidth, minBlocks: 8, maxBlocks: 20 }, orders, ...over });

/** Log ratios 0.1 ± 0.05 in turn: sd 0.0535 at n = 8, half-width 0.0447. */
const wobble = (blocks: number) =>
  pairs(Array.from({ length: blocks }, (_, i) => Math.exp(0.1 + 0.05 * (-1) ** i)));

describe('the stopping rule', () => {
  test('the interval that stops is the t interval × 1.10', () => {
    const half =
      STOPPING_WIDENING * tHalfWidth(pairedT([0.15, 0.05, 0.15, 0.05, 0.15, 0.05, 0.15, 0.05]).sd, 8, 0.05);
    const look = enough(planFor(0.03), wobble(8), 8);
    expect(look.widest).toBeCloseTo(Math.expm1(half), 10);
    expect(enough(planFor(Math.expm1(half) + 1e-9), wobble(8), 8).enough).toBe(true);
    expect(enough(planFor(Math.expm1(half) - 1e-9), wobble(8), 8).enough).toBe(false);
  });

  test('not before minBlocks, however narrow', () => {
    expect(enough(planFor(0.5), wobble(7), 7)).toMatchObject({
      enough: false,
      because: 'no look before block 8',
    });
    expect(enough(planFor(0.5), wobble(8), 8).enough).toBe(true);
  });

  test('every primary contrast must be narrow', () => {
    const noisy = Array.from({ length: 8 }, (_, i) => makeTrial(i + 1, 'other', i % 2 === 0 ? 50 : 200));
    const contrasts = [makeContrast('fast', 'slow'), makeContrast('other', 'slow')];
    expect(enough(planFor(0.2, { contrasts }), [...wobble(8), ...noisy], 8).enough).toBe(false);
  });

  test('what can never have a number holds nothing up', () => {
    const contrasts = [makeContrast('fast', 'slow'), makeContrast('gone', 'slow')];
    const frozen = makeFrozen({ leftOut: { gone: 'the series ended' } });
    const plan = planFor(0.2, { contrasts });
    expect(enough(plan, wobble(8), 8, frozen).enough).toBe(true);
    expect(enough(plan, wobble(8), 8).because).toContain(
      'gone vs slow has 0 blocks with both trials valid, 7 are needed',
    );
  });

  test('holes do not count as blocks', () => {
    const holed = wobble(8).filter((t) => t.block > 3 || t.scenario === 'slow');
    expect(enough(planFor(0.5), holed, 8)).toMatchObject({ enough: false });
  });

  test('a plan without it never stops', () => {
    expect(enough(makePlan(), wobble(8), 8).enough).toBe(false);
  });
});

describe('what is reported', () => {
  test('the widened intervals, also when the cap ended it', () => {
    const [plain] = estimateEffects(makePlan(), wobble(8));
    const [wide] = estimateEffects(planFor(0.001), wobble(8));
    const half = (e: typeof plain) => Math.log((e?.simultaneous?.high ?? 0) / (e?.ratio ?? 1));
    expect(half(wide) / half(plain)).toBeCloseTo(STOPPING_WIDENING, 10);
    expect(wide?.widening).toBe(STOPPING_WIDENING);
  });

  const answer = (plan: Plan, blocks: number, deviations: readonly Deviation[] = []) =>
    analyse(plan, 'p', null, null, wobble(blocks), deviations);

  test('answer and limits say that the rule stopped it', () => {
    const stopped = answer(planFor(0.2), 8);
    expect(stopped.answer).toMatch(
      /The stopping rule ended it after 8 of at most 20 blocks: every interval is within ± 20 %/,
    );
    expect(stopped.limits[0]).toContain('The experiment stopped by its rule');
    expect(stopped).toMatchObject({ stoppedByRule: true, decided: true });
  });

  test('a capped run says that the target was not reached', () => {
    const capped = answer(planFor(0.001), 20);
    expect(capped.answer).toContain('The stopping rule was not met in 20 blocks: the widest interval is');
    expect(capped.stoppedByRule).toBe(false);
  });

  test('who ended it by hand did not stop by the rule', () => {
    const place = { block: 8, pass: null, position: 2, at: '2026-01-01T00:00:00Z', reason: 'enough' };
    const byHand = answer(planFor(0.2), 8, [{ kind: 'finish-early', blocksPlanned: 20, ...place }]);
    expect(byHand.answer).not.toContain('stopping rule ended');
    expect(byHand.answer).toContain('8 of 20 planned blocks ran: ended by hand');
    expect(byHand.stoppedByRule).toBe(false);
  });
});

// facts: statistics — the plain rule from block 6 on covers 92.5 %, × 1.10 from block 8 on 95.3 %.
test('simulated: from block 8 on and × 1.10 the interval keeps its 95 %', () => {
  const generator = xoroshiro128plus(20_261_130);
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - uniformFloat64(generator))) *
    Math.cos(2 * Math.PI * uniformFloat64(generator));
  const quantile = Array.from({ length: 21 }, (_, n) => (n < 2 ? 0 : tHalfWidth(1, n, 0.05)));
  const run = (from: number, widening: number): boolean => {
    const d: number[] = [];
    let half = 0;
    let mean = 0;
    while (d.length < 20) {
      d.push(0.1 * normal());
      if (d.length < from) continue;
      const t = pairedT(d);
      [mean, half] = [t.mean, widening * t.sd * (quantile[d.length] ?? 0)];
      if (half <= Math.log1p(0.07)) break;
    }
    return Math.abs(mean) <= half;
  };
  const share = (from: number, widening: number) =>
    Array.from({ length: 6_000 }, () => run(from, widening)).filter(Boolean).length / 6_000;
  expect(share(8, STOPPING_WIDENING)).toBeGreaterThan(0.945);
  expect(share(6, 1)).toBeLessThan(0.945);
});
