import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { signFlipP } from '../../../src/analysis/statistics/sign-flip.ts';

// Darwin's maize, as Fisher worked it out by hand (The Design of Experiments, §21): 863 of 32,768 on each side.
const DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

test("Fisher's p for Darwin's maize", () => {
  expect(signFlipP(DARWIN)).toBe((2 * 863) / 32_768);
});

test('the smallest p of n differences is 2 ÷ 2ⁿ', () => {
  expect(signFlipP([1, 2, 3, 4, 5, 6])).toBe(2 / 64);
  expect(signFlipP(Array.from({ length: 30 }, (_, i) => 1 + i / 7))).toBe(2 / 2 ** 30);
});

test('differences that cancel out give 1', () => {
  expect(signFlipP([0.1, 0.2, -0.3])).toBe(1);
  expect(signFlipP([0, 0, 0])).toBe(1);
});

test('equals the plain enumeration of all signs', () => {
  const plain = (d: readonly number[]): number => {
    const observed = Math.abs(d.reduce((s, v) => s + v, 0));
    let hits = 0;
    for (let mask = 0; mask < 2 ** d.length; mask++) {
      const sum = d.reduce((s, v, i) => s + ((mask >> i) & 1 ? v : -v), 0);
      if (Math.abs(sum) >= observed) hits++;
    }
    return hits / 2 ** d.length;
  };
  // Whole numbers: sums are exact, so ties are ties in both.
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 9 }), (d) => {
      expect(signFlipP(d)).toBe(plain(d));
    }),
    { seed: 2, numRuns: 300 },
  );
});

test('the normal limit above n = 30 continues the exact p', () => {
  const values = (n: number) => Array.from({ length: n }, (_, i) => Math.sin(i * 12.9898) + 0.3);
  const exact = signFlipP(values(30));
  const limit = signFlipP(values(31));
  expect(exact).toBeGreaterThan(0.01);
  expect(Math.abs(Math.log(limit / exact))).toBeLessThan(0.7);
});
