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
    expect(drawOrders(FIVE, 3, '7').map((o) => o.join(''))).toEqual(['edbca', 'abced', 'daecb']);
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
