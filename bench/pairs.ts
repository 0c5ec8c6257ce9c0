import { randomInt } from 'node:crypto';
import { tInterval } from '../src/analysis/interval.ts';
import { median } from '../src/analysis/statistics/describe.ts';
import { pairedT } from '../src/analysis/statistics/paired-t.ts';

/** One pair of figures of the same kind, taken right after each other. */
export interface Pair {
  readonly first: number;
  readonly second: number;
}

/** first ÷ second: geometric mean over pairs with the 95 % t interval of the logs (docs/statistics.md). */
export interface PairedRatio {
  readonly n: number;
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** @throws RangeError with fewer than two pairs, or with a figure that is not above 0. */
export function pairedRatio(pairs: readonly Pair[]): PairedRatio {
  if (pairs.some(({ first, second }) => !(first > 0 && second > 0)))
    throw new RangeError('a ratio needs figures above 0');
  const t = pairedT(pairs.map(({ first, second }) => Math.log(first / second)));
  const { low, high } = tInterval(t, 1, 1);
  return { n: t.n, ratio: Math.exp(t.mean), low, high };
}

/**
 * Runs two things `n` times each in pairs.
 *
 * @param isFirst whether the first goes before the second in this pair; unless it is given they take turns: first second,
 *   second first, first second, …
 */
export async function inPairs<A, B>(
  n: number,
  first: (pair: number) => Promise<A>,
  second: (pair: number) => Promise<B>,
  isFirst: (pair: number) => boolean = (pair) => pair % 2 === 0,
): Promise<{ first: A; second: B }[]> {
  const pairs: { first: A; second: B }[] = [];
  for (let pair = 0; pair < n; pair += 1) {
    if (isFirst(pair)) pairs.push({ first: await first(pair), second: await second(pair) });
    else {
      const late = await second(pair);
      pairs.push({ first: await first(pair), second: late });
    }
  }
  return pairs;
}

/** The toss of a coin: nothing that recurs can favour the side that is first by it. */
export const byCoin = (): boolean => randomInt(2) === 0;

/** `0.934 [0.912, 0.957], n = 6 pairs`. */
export function ratioText({ n, ratio, low, high }: PairedRatio): string {
  return `${ratio.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}], n = ${n} pairs`;
}

/** `12.1 (11.8 to 13.0)`: median, least and most. */
export function spreadText(values: readonly number[], digits: number): string {
  const text = (value: number) => value.toFixed(digits);
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}

/** The smallest value that a share `p` of all values does not exceed (nearest rank). */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('percentile of an empty list');
  return value;
}
