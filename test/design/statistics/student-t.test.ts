import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalCdf } from '../../../src/design/statistics/normal.ts';
import {
  studentTCdf,
  studentTQuantile,
  studentTTwoSidedP,
} from '../../../src/design/statistics/student-t.ts';

describe('Student t', () => {
  test.each([
    [0.975, 1, 12.706204736],
    [0.975, 5, 2.570581836],
    [0.975, 10, 2.228138852],
    [0.975, 30, 2.042272456],
    [0.975, 120, 1.979930405],
    [0.95, 7, 1.894578605],
    [0.995, 5, 4.032142984],
    [0.9995, 2, 31.59905458],
  ])('quantile of %f with %i degrees of freedom is the one in the tables', (p, df, t) => {
    expect(studentTQuantile(p, df)).toBeCloseTo(t, 8);
    expect(studentTQuantile(1 - p, df)).toBeCloseTo(-t, 8);
  });

  test.each([0, 1e-6, 0.3, 1, 2.57, 12, 400])(
    'cdf at %f equals the closed forms for 1, 2 and 4 degrees',
    (t) => {
      const q = 1 + (t * t) / 4;
      expect(Math.abs(studentTCdf(t, 1) - (0.5 + Math.atan(t) / Math.PI))).toBeLessThan(1e-12);
      expect(Math.abs(studentTCdf(t, 2) - (0.5 + t / (2 * Math.sqrt(2 + t * t))))).toBeLessThan(1e-12);
      const four = 0.5 + (3 / 8) * (t / Math.sqrt(q)) * (1 - (t * t) / (12 * q));
      expect(Math.abs(studentTCdf(t, 4) - four)).toBeLessThan(1e-12);
      expect(studentTCdf(-t, 4)).toBeCloseTo(1 - four, 12);
    },
  );

  test('quantile and cdf undo each other to 1e-9', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }),
        fc.integer({ min: 1, max: 300 }),
        (p, df) => {
          expect(Math.abs(studentTCdf(studentTQuantile(p, df), df) - p)).toBeLessThan(1e-9);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });

  test('tends to the normal, and p keeps its digits in the far tail', () => {
    expect(studentTCdf(1.3, 1e7)).toBeCloseTo(normalCdf(1.3), 6);
    expect(normalCdf(-1.959963984540054)).toBeCloseTo(0.025, 12);
    expect(normalCdf(-5) / 2.866515718791939e-7).toBeCloseTo(1, 10);
    // 12 ÷ t⁵ is the density far out, so both tails hold 6 ÷ t⁴.
    expect(studentTTwoSidedP(1e4, 4) / 6e-16).toBeCloseTo(1, 4);
    expect(studentTTwoSidedP(Number.POSITIVE_INFINITY, 4)).toBe(0);
  });

  test('refuses what has no answer', () => {
    expect(() => studentTQuantile(1, 5)).toThrow(RangeError);
    expect(() => studentTCdf(1, 0)).toThrow(RangeError);
  });
});
