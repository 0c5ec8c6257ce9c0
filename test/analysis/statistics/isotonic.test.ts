import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { antitonicFit, type Weighted } from '../../../src/analysis/statistics/isotonic.ts';

const fitOf = (values: readonly number[]) => antitonicFit(values.map((value) => ({ value, weight: 1 })));

// R: isoreg(c(1,0,4,3,3,5,4,2,0))$yf is 0.5 0.5 3 3 3 3 3 3 3; a falling fit is the rising one of the negatives.
test("is R's isoreg, turned over", () => {
  expect(fitOf([1, 0, 4, 3, 3, 5, 4, 2, 0].map((v) => -v))).toEqual([-0.5, -0.5, -3, -3, -3, -3, -3, -3, -3]);
});

test('what falls already stays as it is, and nothing gives nothing', () => {
  expect(fitOf([1, 1, 0.5, 0])).toEqual([1, 1, 0.5, 0]);
  expect(fitOf([])).toEqual([]);
});

const points = fc.array(
  fc.record({
    value: fc.integer({ min: 0, max: 6 }).map((k) => k / 6),
    weight: fc.integer({ min: 1, max: 20 }),
  }),
  { minLength: 1, maxLength: 9 },
);

const average = (some: readonly Weighted[]): number =>
  some.reduce((sum, p) => sum + p.value * p.weight, 0) / some.reduce((sum, p) => sum + p.weight, 0);

test('never rises, and is the min-max formula of Barlow et al.: min over s ≤ i of max over t ≥ i of the mean from s to t', () => {
  fc.assert(
    fc.property(points, (given) => {
      const fit = antitonicFit(given);
      given.forEach((_, i) => {
        if (i > 0) expect(fit[i]).toBeLessThanOrEqual((fit[i - 1] ?? 0) + 1e-12);
        const formula = Math.min(
          ...given
            .slice(0, i + 1)
            .map((_, s) => Math.max(...given.slice(i).map((_, t) => average(given.slice(s, i + t + 1))))),
        );
        expect(fit[i]).toBeCloseTo(formula, 12);
      });
    }),
    { seed: 7, numRuns: 300 },
  );
});
