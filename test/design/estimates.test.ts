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

  it('count the steps of a search, in which only the middle of the grid runs', () => {
    const search = {
      set: 'producers.p.rate',
      from: '5k/s',
      to: '40k/s',
      resolution: '10%',
      pass: { achieved: { min: '99.5%' } },
    };
    const found = estimates({
      factors: {},
      producers: { p: { for: '20s', rate: '5k/s' } },
      search,
      metric: 'rate',
    });
    // 5 of the grid in 6 blocks; 2 passes; both ends. At most 3 passes, and 5 steps of bisection of ln 8 ÷ ln 1.1 = 22.
    expect(found.trials).toBe(30);
    expect(found.writtenBytes).toEqual({
      low: (30 + 2 + 2) * PER_TRIAL,
      high: (30 + 3 + 7) * PER_TRIAL,
    });
  });

  it('wait for credits as long as they may', () => {
    const deplete = { upper: '40MiB/s', lower: '20MiB/s', limit: '2h' };
    const more = estimates({ design: { deplete } }).durationMs.high - estimates().durationMs.high;
    expect(more).toBeGreaterThan(2 * 3_600_000);
  });
});
