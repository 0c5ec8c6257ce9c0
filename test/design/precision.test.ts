import { describe, expect, it } from 'vitest';
import { precision, tQuantile } from '../../src/design/precision.ts';

describe('tQuantile', () => {
  // Published two-sided 5 % and 1 % points of Student's t.
  it.each([
    [0.05, 1, 12.706],
    [0.05, 5, 2.571],
    [0.05, 10, 2.228],
    [0.05, 30, 2.042],
    [0.01, 5, 4.032],
    [0.01, 19, 2.861],
  ])('alpha %f, %i degrees of freedom', (alpha, df, t) => expect(tQuantile(alpha, df)).toBeCloseTo(t, 2));
});

describe('precision', () => {
  // The table of facts: statistics, whole per cents below (80 % power, one contrast).
  it.each([
    [6, 0.05, 6],
    [8, 0.05, 5],
    [12, 0.05, 4],
    [20, 0.05, 3],
    [6, 0.1, 13],
    [8, 0.1, 10],
    [20, 0.1, 6],
    [6, 0.17, 21],
    [8, 0.17, 17],
    [20, 0.17, 10],
    [6, 0.31, 35],
    [8, 0.31, 30],
    [12, 0.31, 24],
    [20, 0.31, 18],
  ])('%i blocks at sd %f find %i %%', (blocks, sd, percent) => {
    expect(Math.floor((precision(blocks, 1, sd)?.detectable ?? 0) * 100 + 0.05)).toBe(percent);
  });

  it('gives the half-width t·s/√n as a share', () => {
    expect(precision(6, 1, 0.1)?.halfWidth).toBeCloseTo(Math.exp((2.5706 * 0.1) / Math.sqrt(6)) - 1, 4);
  });

  it('widens with more contrasts and is unknown below two blocks', () => {
    expect(precision(8, 4, 0.1)?.halfWidth).toBeGreaterThan(precision(8, 1, 0.1)?.halfWidth ?? 0);
    expect(precision(1, 1, 0.1)).toBeNull();
  });
});
