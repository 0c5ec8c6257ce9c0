import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signedRankCdf, signedRankInterval } from '../../../src/analysis/statistics/signed-rank.ts';

describe('Wilcoxon signed rank', () => {
  // Largest W with P(W⁺ ≤ W) ≤ 0.025, as printed in every table (e.g. Hollander & Wolfe, A.4).
  test.each([
    [6, 0],
    [7, 2],
    [8, 3],
    [9, 5],
    [10, 8],
    [12, 13],
    [15, 25],
    [20, 52],
    [25, 89],
  ])('critical value for n = %i is %i', (n, critical) => {
    expect(signedRankCdf(n).findIndex((p) => p > 0.025) - 1).toBe(critical);
  });

  test('tail probabilities of the tables', () => {
    expect(signedRankCdf(6)[0]).toBe(1 / 64);
    expect(signedRankCdf(10)[8]).toBe(25 / 1024);
    expect(signedRankCdf(9)[5]).toBeCloseTo(0.0195, 4);
    expect(signedRankCdf(40).at(-1)).toBeCloseTo(1, 12);
  });

  test('interval of the depression scale data of Hollander & Wolfe, example 3.1', () => {
    const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
    const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
    const interval = signedRankInterval(
      after.map((a, i) => a - (before[i] ?? 0)),
      0.05,
    );
    expect(interval?.low).toBeCloseTo(-0.786, 3);
    expect(interval?.high).toBeCloseTo(-0.01, 3);
    expect(interval?.confidence).toBeCloseTo(0.961, 3);
  });

  test('five differences cannot give 95 %, six give their range', () => {
    expect(signedRankInterval([1, 2, 3, 4, 5], 0.05)).toBeNull();
    expect(signedRankInterval([3, 1, 2, 6, 4, 5], 0.05)).toEqual({ low: 1, high: 6, confidence: 31 / 32 });
  });

  test('shifts with the data, turns with their sign, and claims at least what was asked', () => {
    const data = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 6, maxLength: 20 });
    fc.assert(
      fc.property(data, fc.integer({ min: -50, max: 50 }), (d, shift) => {
        const plain = signedRankInterval(d, 0.05);
        const shifted = signedRankInterval(
          d.map((v) => v + shift),
          0.05,
        );
        const turned = signedRankInterval(
          d.map((v) => -v),
          0.05,
        );
        if (plain === null || shifted === null || turned === null)
          throw new Error('n ≥ 6 must give an interval');
        expect(shifted.low - plain.low).toBe(shift);
        expect(turned.high + plain.low).toBe(0);
        expect(plain.confidence).toBeGreaterThanOrEqual(0.95);
        expect(plain.low).toBeLessThanOrEqual(plain.high);
      }),
      { seed: 3, numRuns: 200 },
    );
  });
});
