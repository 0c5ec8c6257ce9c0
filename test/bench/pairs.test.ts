import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byCoin, inPairs, pairedRatio, percentile } from '../../bench/pairs.ts';

const figure = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
const pairs = fc.array(fc.record({ first: figure, second: figure }), { minLength: 2, maxLength: 20 });

describe('the ratio of pairs', () => {
  it('is the geometric mean, with the t interval of the logs', () => {
    const logs = [0.1, 0.2, 0.3];
    const { n, ratio, low, high } = pairedRatio(logs.map((d) => ({ first: 7 * Math.exp(d), second: 7 })));
    expect(n).toBe(3);
    expect(ratio).toBeCloseTo(Math.exp(0.2), 12);
    // t of 2 degrees of freedom, 97.5 %: 4.302653; sd 0.1
    const half = (4.302653 * 0.1) / Math.sqrt(3);
    expect(low).toBeCloseTo(Math.exp(0.2 - half), 6);
    expect(high).toBeCloseTo(Math.exp(0.2 + half), 6);
  });

  it('is turned over when the sides are', () => {
    fc.assert(
      fc.property(pairs, (given) => {
        const there = pairedRatio(given);
        const back = pairedRatio(given.map(({ first, second }) => ({ first: second, second: first })));
        expect(Math.log(back.ratio)).toBeCloseTo(-Math.log(there.ratio), 6);
        expect(Math.log(back.low)).toBeCloseTo(-Math.log(there.high), 6);
      }),
    );
  });

  it('needs two pairs, and figures above 0', () => {
    expect(() => pairedRatio([{ first: 1, second: 1 }])).toThrow(RangeError);
    expect(() =>
      pairedRatio([
        { first: 0, second: 1 },
        { first: 1, second: 1 },
      ]),
    ).toThrow(RangeError);
    expect(() =>
      pairedRatio([
        { first: Number.NaN, second: 1 },
        { first: 1, second: 1 },
      ]),
    ).toThrow(RangeError);
  });
});

it('takes turns, and the other goes first each time', async () => {
  const order: string[] = [];
  const step = (name: string) => async (pair: number) => {
    order.push(`${name}${pair}`);
    return name;
  };
  const taken = await inPairs(3, step('a'), step('b'));
  expect(order).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
  expect(taken).toEqual(Array.from({ length: 3 }, () => ({ first: 'a', second: 'b' })));
});

it.each([
  [[5], 0.99, 5],
  [[4, 1, 3, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, i) => 100 - i), 0.99, 99],
  [Array.from({ length: 101 }, (_, i) => i), 0.99, 99],
])('the percentile of %j at %d is %d', (values, p, wanted) => {
  expect(percentile(values, p)).toBe(wanted);
});

it('lets either be first by the coin, and keeps each on its side', async () => {
  const order: string[] = [];
  const run = (side: string) => async () => {
    order.push(side);
    return side;
  };
  const found = await inPairs(200, run('a'), run('b'), byCoin);
  expect(found).toHaveLength(200);
  expect(found.every(({ first, second }) => first === 'a' && second === 'b')).toBe(true);
  const early = Array.from({ length: 200 }, (_, pair) => order.slice(2 * pair, 2 * pair + 2).join(''));
  expect(new Set(early)).toEqual(new Set(['ab', 'ba']));
});
