import { describe, expect, it } from 'vitest';
import { blocksForHalfWidth, precision, STOPPING_WIDENING } from '../../src/design/precision.ts';

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

describe('blocks for a target half-width', () => {
  it('± 3 % at sd 17 % takes about 120 blocks, and more when it may stop early', () => {
    const target = { halfWidth: 0.03, contrasts: 1, sd: 0.17 };
    expect(blocksForHalfWidth(target)).toBeGreaterThan(115);
    expect(blocksForHalfWidth(target)).toBeLessThan(135);
    expect(blocksForHalfWidth({ ...target, widening: STOPPING_WIDENING })).toBeGreaterThan(
      blocksForHalfWidth(target),
    );
  });

  it('is the first number of blocks that is expected to be narrow enough', () => {
    const blocks = blocksForHalfWidth({ halfWidth: 0.1, contrasts: 3, sd: 0.1 });
    expect(precision(blocks, 3, 0.1)?.halfWidth).toBeLessThanOrEqual(0.1);
    expect(precision(blocks - 1, 3, 0.1)?.halfWidth).toBeGreaterThan(0.1);
  });

  it('says Infinity where nobody gets', () => {
    expect(blocksForHalfWidth({ halfWidth: 1e-6, contrasts: 1, sd: 0.3 })).toBe(Number.POSITIVE_INFINITY);
  });
});
