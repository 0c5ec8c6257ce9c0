import { describe, expect, it } from 'vitest';
import { placeReplicas, whyNotReady } from '../../src/lab/topic-layout.ts';

const partitions = (n: number, change: (p: number) => object = () => ({})) =>
  placeReplicas(n, 3, [1, 2, 3]).map(({ partition, brokers }) => ({
    partition,
    leader: brokers[0] ?? 0,
    leaderEpoch: 0,
    replicas: brokers,
    isr: [1, 2, 3],
    ...change(partition),
  }));

describe('placement of a topic', () => {
  it('spreads leaders evenly and never puts two replicas on one broker', () => {
    const placed = placeReplicas(7, 2, [1, 2, 3]);
    expect(placed.map((p) => p.brokers)).toEqual([
      [1, 2],
      [2, 3],
      [3, 1],
      [1, 2],
      [2, 3],
      [3, 1],
      [1, 2],
    ]);
  });

  it('is ready only with full ISR, preferred leaders and an even spread', () => {
    expect(whyNotReady(partitions(6), 3)).toBeNull();
    expect(whyNotReady(partitions(2), 3)).toBeNull();
    expect(
      whyNotReady(
        partitions(6, (p) => (p === 4 ? { isr: [1, 2] } : {})),
        3,
      ),
    ).toBe('partition 4 has replicas 2,3,1 but only 1,2 in sync');
    expect(
      whyNotReady(
        partitions(6, (p) => (p === 1 ? { leader: 3 } : {})),
        3,
      ),
    ).toBe('partition 1 is led by 3, not by its preferred leader 2');
    expect(
      whyNotReady(
        partitions(6, () => ({ leader: 1, replicas: [1, 2, 3] })),
        3,
      ),
    ).toBe('leaders are spread unevenly over the brokers');
  });
});
