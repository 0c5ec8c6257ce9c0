import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { upperProbability } from '../../../src/analysis/statistics/binomial.ts';

test.each([
  // 1 − 0.05^(1/n): 39 % after 0 of 6 (facts: statistics), the "rule of three" from about 30 on.
  [0, 6, 0.3930378],
  [0, 59, 0.0495076],
  // Clopper & Pearson, two-sided 90 % for 1 of 10: 0.0051 to 0.3942.
  [1, 10, 0.3941633],
  [6, 6, 1],
  [0, 0, 1],
])('after %i of %i events the probability is below %f', (events, n, upper) => {
  expect(upperProbability(events, n)).toBeCloseTo(upper, 6);
});

test('leaves exactly alpha below it', () => {
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 0, max: 24 }), (n, events) => {
      fc.pre(events < n);
      const p = upperProbability(events, n, 0.05);
      const atMost = Array.from({ length: events + 1 }, (_, k) => choose(n, k) * p ** k * (1 - p) ** (n - k));
      expect(atMost.reduce((sum, v) => sum + v, 0)).toBeCloseTo(0.05, 8);
    }),
    { seed: 8, numRuns: 100 },
  );
});
