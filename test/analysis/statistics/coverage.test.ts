import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { expect, test } from 'vitest';
import { pairedT } from '../../../src/analysis/statistics/paired-t.ts';
import { tHalfWidth } from '../../../src/design/statistics/power.ts';
import { signedRankInterval } from '../../../src/analysis/statistics/signed-rank.ts';
import { signFlipP } from '../../../src/analysis/statistics/sign-flip.ts';

const DRAWS = 2000;
const CV = 0.15;
const TRUE_LOG_RATIO = Math.log(1.2);

type Draw = (normal: () => number) => number;

/** Disturbances with mean 0 and standard deviation 1. */
const DISTURBANCES: Readonly<Record<string, Draw>> = {
  normal: (normal) => normal(),
  'lognormal σ 0.5': (normal) => {
    const v = 0.25;
    return (Math.exp(0.5 * normal()) - Math.exp(v / 2)) / Math.sqrt((Math.exp(v) - 1) * Math.exp(v));
  },
  t3: (normal) => normal() / Math.sqrt((normal() ** 2 + normal() ** 2 + normal() ** 2) / 3) / Math.sqrt(3),
};

function normals(seed: number): () => number {
  const generator = xoroshiro128plus(seed);
  // Box and Muller; 1 − u keeps the logarithm away from 0.
  return () =>
    Math.sqrt(-2 * Math.log(1 - uniformFloat64(generator))) *
    Math.cos(2 * Math.PI * uniformFloat64(generator));
}

/** Log ratios of n blocks of two scenarios whose trials vary by CV, around the true ratio. */
function experiment(n: number, draw: Draw, normal: () => number): number[] {
  const trial = (): number => Math.log(Math.max(0.02, 1 + CV * draw(normal)));
  return Array.from({ length: n }, () => TRUE_LOG_RATIO + trial() - trial());
}

// Coverage of the t interval in the project's statistics page, percent.
test.each([
  ['normal', 6, 95.1],
  ['normal', 12, 95.5],
  ['lognormal σ 0.5', 6, 95.2],
  ['lognormal σ 0.5', 12, 94.7],
  ['t3', 6, 95.3],
  ['t3', 12, 95.8],
])('%s, %i blocks: the interval holds the truth in %f percent of experiments', (name, n, percent) => {
  const draw = DISTURBANCES[name];
  if (draw === undefined) throw new Error(`no disturbance ${name}`);
  const normal = normals(20_260_912 + n);
  let covered = 0;
  let rankCovered = 0;
  let falseAlarms = 0;
  for (let i = 0; i < DRAWS; i++) {
    const d = experiment(n, draw, normal);
    const t = pairedT(d);
    if (Math.abs(t.mean - TRUE_LOG_RATIO) <= tHalfWidth(t.sd, n, 0.05)) covered++;
    const rank = signedRankInterval(d, 0.05);
    if (rank !== null && rank.low <= TRUE_LOG_RATIO && TRUE_LOG_RATIO <= rank.high) rankCovered++;
    if (signFlipP(d.map((v) => v - TRUE_LOG_RATIO)) <= 0.05) falseAlarms++;
  }
  expect(Math.abs((100 * covered) / DRAWS - percent)).toBeLessThanOrEqual(1.5);
  // The exact methods hold their level whatever the shape; 1.5 points are three standard errors.
  expect((100 * rankCovered) / DRAWS).toBeGreaterThanOrEqual(95 - 1.5);
  expect((100 * falseAlarms) / DRAWS).toBeLessThanOrEqual(5 + 1.5);
});
