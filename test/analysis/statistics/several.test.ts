import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { holm } from '../../../src/analysis/statistics/holm.ts';
import { detectableEffect, expectedHalfWidth, pairedTPower } from '../../../src/design/statistics/power.ts';

test("Holm's adjusted p values, as R's p.adjust prints them", () => {
  const close = (got: readonly number[], want: readonly number[]): void =>
    want.forEach((w, i) => expect(got[i]).toBeCloseTo(w, 12));
  close(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
  close(holm([0.01, 0.02, 0.03, 0.04, 0.05]), [0.05, 0.08, 0.09, 0.09, 0.09]);
  expect(holm([])).toEqual([]);
});

test('Holm lies between p and Bonferroni and keeps the order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
      (p) => {
        const adjusted = holm(p);
        p.forEach((a, i) => {
          expect(adjusted[i]).toBeGreaterThanOrEqual(a);
          expect(adjusted[i]).toBeLessThanOrEqual(Math.min(1, a * p.length) + 1e-15);
          p.forEach((b, j) => {
            if (a < b) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? -1);
          });
        });
      },
    ),
    { seed: 4, numRuns: 200 },
  );
});

// G*Power 3.1 and R's pwr.t.test(type = "one.sample"): n = 34, d = 0.5 → 0.8077775.
test('power of the t test is the published one, and α without an effect', () => {
  expect(pairedTPower(0.5, 34, 0.05)).toBeCloseTo(0.8077775, 5);
  expect(pairedTPower(0, 6, 0.05)).toBeCloseTo(0.05, 6);
  expect(pairedTPower(0, 2, 0.05)).toBeCloseTo(0.05, 5);
});

// The table of the project's statistics page prints the drop in whole percent, rounded down.
test.each([
  [0.05, [6, 5, 4, 3]],
  [0.1, [13, 10, 8, 6]],
  [0.17, [21, 17, 14, 10]],
  [0.31, [35, 30, 24, 18]],
])('detectable drop for sd(d) = %f', (sd, percents) => {
  const got = [6, 8, 12, 20].map((n) => Math.floor(100 * detectableEffect(sd, n)));
  expect(got).toEqual(percents);
});

test('half-width of the interval on the ratio', () => {
  expect(expectedHalfWidth(0.1, 6)).toBeCloseTo(Math.exp((2.570581836 * 0.1) / Math.sqrt(6)) - 1, 9);
  expect(expectedHalfWidth(0.1, 12)).toBeLessThan(expectedHalfWidth(0.1, 6));
  expect(expectedHalfWidth(0.1, 8, 0.05 / 3)).toBeGreaterThan(expectedHalfWidth(0.1, 8));
});

// On a busy 2-core machine sd(d) is 17–31 %: ± 3 % is out of reach.
test('± 3 % at sd 17 % takes more than 110 blocks', () => {
  expect(expectedHalfWidth(0.17, 110)).toBeGreaterThan(0.03);
});
