import { describe, expect, it } from 'vitest';
import { defaultBlocks, drawOrders, drawWarmupOrders, fewestBlocks } from '../../src/design/order.ts';

/** Scenarios under one and the same broker settings. */
const of = (...slugs: string[]) => slugs.map((slug) => ({ slug, plot: 'as-written' }));
const FIVE = of('a', 'b', 'c', 'd', 'e');
const SLUGS = FIVE.map((s) => s.slug);

describe('orders', () => {
  it('are the same for one seed and different for another', () => {
    expect(drawOrders(FIVE, 7, 'seed-1')).toEqual(drawOrders(FIVE, 7, 'seed-1'));
    expect(drawOrders(FIVE, 7, 'seed-1')).not.toEqual(drawOrders(FIVE, 7, 'seed-2'));
  });

  it('are these for this seed, on every machine and in every later version', () => {
    expect(drawOrders(FIVE, 3, '7').map((o) => o.join(''))).toEqual(['cdbea', 'eadbc', 'decab']);
  });

  it('have every scenario once in each block', () => {
    for (const order of drawOrders(FIVE, 20, 'x')) expect(order.toSorted()).toEqual(SLUGS);
    for (const order of drawWarmupOrders(FIVE, 3, 'x')) expect(order.toSorted()).toEqual(SLUGS);
  });

  it('stay as they were when blocks are added', () => {
    expect(drawOrders(FIVE, 12, 'x').slice(0, 7)).toEqual(drawOrders(FIVE, 7, 'x'));
  });

  it('put each scenario in each position about equally often', () => {
    const counts = new Map<string, number>();
    for (const order of drawOrders(of('a', 'b', 'c'), 6_000, 'uniform'))
      counts.set(order.join(''), (counts.get(order.join('')) ?? 0) + 1);
    expect(counts.size).toBe(6);
    // 1000 expected each, sd 29: five sd on either side.
    for (const n of counts.values()) expect(Math.abs(n - 1_000)).toBeLessThan(145);
  });

  it('reverse every second block of two scenarios, so that none is first more often', () => {
    for (const seed of ['1', '2', '3', '4']) {
      const orders = drawOrders(of('a', 'b'), 6, seed);
      for (const i of [0, 2, 4]) expect(orders[i + 1]).toEqual(orders[i]?.toReversed());
    }
    const firsts = Array.from({ length: 40 }, (_, i) => drawOrders(of('a', 'b'), 2, `s${i}`)[0]?.[0]);
    expect(new Set(firsts).size).toBe(2);
  });

  it('keep scenarios under the same broker settings together, plots and scenarios both in random order', () => {
    const split = ['a', 'b', 'c', 'd', 'e', 'f'].map((slug, i) => ({ slug, plot: `plot-${(i % 3) + 1}` }));
    const plotOf = new Map(split.map((s) => [s.slug, s.plot]));
    const orders = drawOrders(split, 60, 'x');
    for (const order of orders) {
      expect(order.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
      const changes = order.filter((slug, i) => i > 0 && plotOf.get(slug) !== plotOf.get(order[i - 1] ?? ''));
      expect(changes).toHaveLength(2);
    }
    expect(new Set(orders.map((o) => o.map((s) => plotOf.get(s)).join())).size).toBe(6);
  });
});

describe('positions', () => {
  const many = (k: number) => Array.from({ length: k }, (_, i) => `s${i}`);
  /** How often each scenario stands at a place of the order, seldom to often. */
  const times = (orders: readonly (readonly string[])[], at: number, slugs: readonly string[]) =>
    slugs.map((slug) => orders.filter((order) => order[at] === slug).length).toSorted((a, b) => a - b);

  it.each([2, 3, 4, 5, 7, 10])('of %i scenarios are shared as evenly as any number of blocks allows', (k) => {
    const slugs = many(k);
    for (const seed of ['1', '2', '3'])
      for (const blocks of [1, 6, 7, 10, 23]) {
        const orders = drawOrders(of(...slugs), blocks, seed);
        for (const at of slugs.keys()) {
          const counts = times(orders, at, slugs);
          expect(counts[0]).toBe(Math.floor(blocks / k));
          expect(counts.at(-1)).toBe(Math.ceil(blocks / k));
        }
      }
  });

  it.each([
    [4, 4, 1],
    [6, 6, 1],
    [3, 6, 2],
    [5, 10, 2],
  ])('of %i scenarios: in %i blocks each comes right after each other one %i times', (k, blocks, often) => {
    const slugs = many(k);
    const follows = new Map<string, number>();
    for (const order of drawOrders(of(...slugs), blocks, 'x'))
      order.slice(1).forEach((slug, i) => {
        const pair = `${order[i]} ${slug}`;
        follows.set(pair, (follows.get(pair) ?? 0) + 1);
      });
    expect(follows.size).toBe(k * (k - 1));
    expect([...new Set(follows.values())]).toEqual([often]);
  });

  it('are shared by broker settings too, and inside each of them', () => {
    const split = ['a', 'b', 'c', 'd', 'e', 'f'].map((slug, i) => ({ slug, plot: `plot-${(i % 3) + 1}` }));
    const orders = drawOrders(split, 6, 'x');
    const plots = orders.map((order) => order.map((slug) => split.find((s) => s.slug === slug)?.plot ?? ''));
    expect(times(plots, 0, ['plot-1', 'plot-2', 'plot-3'])).toEqual([2, 2, 2]);
    const inside = orders.map((order) => order.filter((slug) => slug === 'a' || slug === 'd'));
    expect(times(inside, 0, ['a', 'd'])).toEqual([3, 3]);
  });

  it('in a block drawn alone are as likely for each: the first block has every order', () => {
    const first = (i: number) => drawOrders(of('a', 'b', 'c', 'd'), 1, `s${i}`)[0]?.join('');
    const counts = Map.groupBy(
      Array.from({ length: 2_400 }, (_, i) => first(i)),
      (order) => order,
    );
    expect(counts.size).toBe(24);
    // 100 expected each, sd 9.8: five sd on either side.
    for (const { length } of counts.values()) expect(Math.abs(length - 100)).toBeLessThan(49);
  });
});

describe('blocks', () => {
  // facts: statistics, "how many blocks".
  it.each([
    [0, 6],
    [1, 6],
    [2, 7],
    [3, 7],
    [4, 8],
    [6, 8],
    [7, 9],
    [12, 9],
  ])('for %i contrasts are %i by default', (m, blocks) => {
    expect(defaultBlocks(m)).toBe(blocks);
    expect(fewestBlocks(m)).toBeLessThanOrEqual(blocks);
    // 2^-blocks × 2 is the smallest two-sided p of a sign-flip test.
    expect(2 ** (1 - fewestBlocks(m)) * Math.max(1, m)).toBeLessThanOrEqual(0.05);
  });
});
