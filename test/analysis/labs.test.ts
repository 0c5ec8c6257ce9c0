import { describe, expect, test } from 'vitest';
import { analyse } from '../../src/analysis/analyse.ts';
import { estimateEffects } from '../../src/analysis/effects.ts';
import type { Plan, Scenario } from '../../src/design/plan.ts';
import { makePlan, makeScenario, makeTrial, pairs } from './make.ts';

/** `ratios[lab]` = the ratio in each of its blocks, block numbers going on from lab to lab. */
function inLabs(ratios: readonly (readonly number[])[]) {
  const cells = ratios.flatMap((inside, lab) => inside.map((ratio) => ({ lab: lab + 1, ratio })));
  return cells.flatMap(({ lab, ratio }, i) => [
    makeTrial(i + 1, 'fast', 100 * ratio, { lab }),
    makeTrial(i + 1, 'slow', 100, { lab }),
  ]);
}

const SIX = [
  [1.5, 1.6],
  [1.4, 1.3],
  [1.7, 1.6],
  [1.5, 1.5],
  [1.6, 1.4],
  [1.5, 1.7],
];

describe('several labs', () => {
  test('six or more are the repeats: the mean log ratio of each lab is one value', () => {
    const [byLab] = estimateEffects(makePlan({ labs: 6 }), inLabs(SIX));
    const [means] = estimateEffects(makePlan(), inLabs([SIX.map(([a = 1, b = 1]) => Math.sqrt(a * b))]));
    expect(byLab).toMatchObject({ unit: 'lab', n: 6, higherIn: 6, word: 'higher' });
    expect(byLab?.simultaneous).toEqual(means?.simultaneous);
    expect(byLab?.signFlipP).toBe(2 / 64);
    expect(byLab?.labRatios?.map((l) => [l.lab, l.blocks])).toEqual(
      [1, 2, 3, 4, 5, 6].map((lab) => [lab, 2]),
    );
  });

  test('blocks inside one lab are no repeats: more of them narrow nothing when labs differ', () => {
    const labs = [1.2, 1.9, 1.1, 1.8, 1.3, 1.6];
    const width = (perLab: number) => {
      const [e] = estimateEffects(
        makePlan({ labs: 6 }),
        inLabs(labs.map((r) => Array.from({ length: perLab }, () => r))),
      );
      return (e?.simultaneous?.high ?? 0) / (e?.simultaneous?.low ?? 1);
    };
    expect(width(10)).toBeCloseTo(width(1), 10);
  });

  test('fewer stay blocks, and the limits say that labs do not vary enough', () => {
    const analysis = analyse(makePlan({ labs: 3 }), 'p', null, null, inLabs(SIX.slice(0, 3)));
    expect(analysis.effects[0]).toMatchObject({ unit: 'block', n: 6, word: 'higher' });
    expect(analysis.effects[0]?.labRatios).toHaveLength(3);
    expect(analysis.limits.join(' ')).toContain('3 labs are too few to be the repeats (6 are needed)');
  });

  test('labs that did not run are missing: five of six decide nothing', () => {
    const [effect] = estimateEffects(makePlan({ labs: 6 }), inLabs(SIX.slice(0, 5)));
    expect(effect).toMatchObject({ word: 'cannot be decided', n: 5 });
    expect(effect?.because).toContain('5 labs have blocks with both trials valid; with fewer than 6');
  });

  test('the answer counts labs', () => {
    const { answer, limits } = analyse(makePlan({ labs: 6 }), 'p', null, null, inLabs(SIX));
    expect(answer).toContain('6 labs of 12 blocks in all, higher in 6 of 6');
    expect(limits.join(' ')).toContain(
      '6 labs, provisioned one after the other on one machine, are the repeats',
    );
  });

  test('a record that names no lab ran in the first', () => {
    expect(estimateEffects(makePlan({ labs: 2 }), pairs([1.5, 1.6]))[0]?.labRatios).toMatchObject([
      { lab: 1, blocks: 2 },
    ]);
  });
});

describe('split plots', () => {
  const plotted = (over: Partial<Plan> = {}): Plan => {
    const scenario = (slug: string, plot: string): Scenario => ({ ...makeScenario(slug), plot });
    const plot = { config: {}, heapBytes: 1, jit: 'full', apply: 'restart' } as const;
    return makePlan({
      scenarios: [scenario('fast', 'plot-1'), scenario('slow', 'plot-2')],
      plots: { 'plot-1': plot, 'plot-2': { ...plot, config: { 'num.io.threads': '4' } } },
      ...over,
    });
  };

  test('across plots: one value for each block, in which the settings are applied anew', () => {
    const [effect] = estimateEffects(plotted(), inLabs([SIX.flat().slice(0, 6)]));
    expect(effect).toMatchObject({ acrossPlots: true, n: 6, unit: 'block', word: 'higher' });
  });

  test('fewer than six whole plots cannot be tested', () => {
    const [effect] = estimateEffects(plotted(), inLabs([SIX.flat().slice(0, 5)]));
    expect(effect?.word).toBe('cannot be decided');
    expect(effect?.because).toContain('5 blocks have both trials valid');
    expect(effect?.because).toContain('a block is one whole plot');
  });

  test('the limits speak of the restart; inside one plot nothing is said', () => {
    const text = (plan: Plan) => analyse(plan, 'p', null, null, []).limits.join(' ');
    expect(text(plotted())).toContain('applied by a restart in every block');
    expect(text(makePlan())).not.toContain('restart in every block');
    expect(estimateEffects(makePlan(), [])[0]?.acrossPlots).toBeUndefined();
  });
});
