import { describe, expect, it } from 'vitest';
import { drawPlan } from '../../src/design/draw-plan.ts';
import type { Estimates } from '../../src/design/plan.ts';
import { smallSpec } from '../spec/small-spec.ts';

function estimates(changes: Readonly<Record<string, unknown>> = {}): Estimates {
  const counted = { producers: { p: { records: '100k', rate: '5k/s' } }, metric: 'p99' };
  const drawn = drawPlan(smallSpec({ ...counted, ...changes }), { experimentKey: 'key-1' });
  if (!drawn.ok) throw new Error(drawn.issues.map((i) => i.message).join('\n'));
  return drawn.plan.estimates;
}

const PER_TRIAL = 100_000 * (1008 + 16) * 3;

describe('estimates', () => {
  it('count blocks and the passes of block 0: two at least, all at most', () => {
    expect(estimates()).toMatchObject({
      trials: 12,
      writtenBytes: { low: (6 + 2) * 2 * PER_TRIAL, high: (6 + 3) * 2 * PER_TRIAL },
      peakDiskBytes: PER_TRIAL,
    });
  });

  it('of a stopping rule go from the first look to the last block', () => {
    const { writtenBytes } = estimates({ design: { until: { halfWidth: '10%', max: 12 } } });
    expect(writtenBytes).toEqual({ low: (8 + 2) * 2 * PER_TRIAL, high: (12 + 3) * 2 * PER_TRIAL });
  });

  it('count the pass that warms brokers after each restart, and the restarts', () => {
    const plain = estimates({ factors: { f: { set: 'topics.main.partitions', levels: [6, 12] } } });
    const split = estimates({
      factors: { io: { set: 'lab.brokers.config.num.io.threads', levels: [8, 16] } },
    });
    expect(split.trials).toBe(plain.trials);
    expect(split.writtenBytes.low).toBe((6 + 6 + 2) * 2 * PER_TRIAL);
    expect(split.durationMs.low).toBeGreaterThan(1.5 * plain.durationMs.low);
  });

  it('count the passes that warm every further lab', () => {
    const { writtenBytes } = estimates({ design: { labs: 3 } });
    expect(writtenBytes.low).toBe((6 + 2 + 2 * 2) * 2 * PER_TRIAL);
  });

  describe('of a search', () => {
    const asked = (changes: object = {}, producer: object = {}) =>
      estimates({
        factors: {},
        producers: { p: { for: '20s', ...producer } },
        search: {
          set: 'producers.p.rate',
          from: '5k/s',
          to: '40k/s',
          resolution: '10%',
          pass: { achieved: { min: '99.5%' } },
          ...changes,
        },
        metric: 'rate',
      });
    const bytes = (records: number) => records * (1008 + 16) * 3;
    const grid = 20 * [-2, -1, 0, 1, 2].reduce((sum, step) => sum + 1.1 ** step, 0);
    const warmUp = (mibPerS: number) => Math.ceil((mibPerS * 1024 ** 2 * 20) / 1008);

    it('come from the rates that it may try, and from a warm-up as fast as it can', () => {
      // 5 of the grid in 6 blocks; 2 passes; both ends. At most 3 passes, and 5 steps of bisection of ln 8 ÷ ln 1.1 = 22.
      const found = asked();
      expect(found.trials).toBe(30);
      const low = bytes(6 * 5_000 * grid + 2 * 5_000 * 20 + 2 * warmUp(4));
      const high = bytes(6 * 40_000 * grid + 7 * 40_000 * 20 + 3 * warmUp(150));
      expect(found.writtenBytes.low / low).toBeCloseTo(1, 4);
      expect(found.writtenBytes.high / high).toBeCloseTo(1, 4);
      expect(found.peakDiskBytes).toBe(bytes(warmUp(150)));
      expect(asked({ to: '400k/s' }).peakDiskBytes / bytes(400_000 * 20 * 1.21)).toBeCloseTo(1, 4);
    });

    it('take no notice of a rate that the search overrides', () => {
      expect(asked({}, { rate: '5k/s' })).toEqual(asked());
    });

    it('take the time of steps beyond the capacity, where a rate is asked that is not reached', () => {
      const more = asked({ to: '400k/s' }).durationMs.high - asked().durationMs.high;
      // With the capacity at 5k/s the highest rate takes 80 times its time instead of 8 times.
      expect(more).toBeGreaterThan((80 - 8) * 20_000);
    });

    it('say nothing of intervals: it compares nothing', () => {
      expect(asked().precision).toEqual([]);
    });
  });

  it('wait for credits as long as they may', () => {
    const deplete = { upper: '40MiB/s', lower: '20MiB/s', limit: '2h' };
    const more = estimates({ design: { deplete } }).durationMs.high - estimates().durationMs.high;
    expect(more).toBeGreaterThan(2 * 3_600_000);
  });
});
