import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { depleted } from '../../src/analysis/depletion.ts';

const plan = { scenario: 'a', upperBytesPerS: 74, lowerBytesPerS: 58, limitMs: 60_000 };

/** One reading a second. */
const readings = (rates: readonly number[]) =>
  rates.map((bytesPerS, i) => ({ atMs: 1000 * (i + 1), bytesPerS }));
const times = (n: number, rate: number) => Array.from({ length: n }, () => rate);

describe('burst credits are used up', () => {
  test.each([
    ['nothing seen yet', [], 'going-on'],
    ['above the upper rate', times(20, 90), 'going-on'],
    ['fallen from above to below, and stayed there', [...times(20, 90), ...times(11, 50)], 'depleted'],
    [
      'below for a moment only: a stall is no empty bucket',
      [...times(20, 90), 0, 0, ...times(5, 90)],
      'going-on',
    ],
    ['not long enough below', [...times(20, 90), ...times(10, 50)], 'going-on'],
    ['between the two is not below', [...times(20, 90), ...times(30, 60)], 'going-on'],
    ['below without ever having been above', times(40, 50), 'going-on'],
    ['never above until the limit', times(60, 50), 'limit'],
    ['above until the limit', times(61, 90), 'limit'],
    ['used up just when the limit passes', [...times(50, 90), ...times(11, 50)], 'depleted'],
  ] as const)('%s: %s', (_, rates, outcome) => {
    expect(depleted(plan, readings(rates), 1000 * rates.length)).toBe(outcome);
  });

  test('ends at the limit of the clock when trials give no readings, or stopped giving them', () => {
    expect(depleted(plan, [], 59_000)).toBe('going-on');
    expect(depleted(plan, [], 60_000)).toBe('limit');
    expect(depleted(plan, readings(times(3, 90)), 60_000)).toBe('limit');
  });

  test('ends at the limit whatever the rates', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 60, maxLength: 90 }), (rates) => {
        expect(depleted(plan, readings(rates), 1000 * rates.length)).not.toBe('going-on');
      }),
      { seed: 5, numRuns: 100 },
    );
  });
});
