import { describe, expect, it } from 'vitest';
import { drawPlan } from '../../src/design/draw-plan.ts';
import type { Plan } from '../../src/design/plan.ts';
import { NOT_A_MEASUREMENT, shrunk, stampOf } from '../../src/design/smoke.ts';

const rehearsed = (spec: object): Plan => {
  const drawn = drawPlan({ name: 'n', question: 'Q?', smoke: true, ...spec }, { experimentKey: 'k' });
  if (!drawn.ok) throw new Error(drawn.issues.map((i) => i.message).join('\n'));
  return drawn.plan;
};
const codec = { codec: { set: 'producers.*.config.compression.type', levels: ['none', 'lz4'] } };
const countsOf = (plan: Plan) => plan.scenarios.map((s) => s.loads.map((l) => l.count));
const few = { kind: 'records', records: 2_000 };

describe('a rehearsal', () => {
  it('sends a few records, whatever a load is measured in and whatever its levels say', () => {
    for (const load of [
      { for: '8h' },
      { records: '900M' },
      { bytes: '900GiB' },
      { for: '1h', rate: '80k/s' },
    ])
      expect(countsOf(rehearsed({ producers: { p: load }, factors: codec }))).toEqual([[few], [few]]);
    const factors = { much: { set: 'producers.p.records', levels: ['1M', '900M'] } };
    expect(countsOf(rehearsed({ producers: { p: { records: '2M' } }, factors }))).toEqual([[few], [few]]);
  });

  it('leaves what is small as it is', () => {
    const small = { kind: 'records', records: 70 };
    expect(countsOf(rehearsed({ producers: { p: { records: 70 } }, factors: codec }))).toEqual([
      [small],
      [small],
    ]);
  });

  it('is one block after one pass of block 0, without waiting or new attempts', () => {
    const design = { until: { halfWidth: '3%', max: 60 }, retries: 9 };
    const plan = rehearsed({
      producers: { p: { for: '30s' } },
      factors: codec,
      design: { ...design, budget: { written: '100GiB' } },
      teardown: { keep: '2h' },
    });
    expect(plan).toMatchObject({ smoke: true, until: null, retries: 0, keepMs: null });
    expect(plan.orders).toHaveLength(1);
    expect(plan.warmup.orders).toHaveLength(1);
    expect(plan.warmup.orders[0]).toHaveLength(1);
    expect(plan.settle).toMatchObject({ quietMs: 200, drainMs: 200 });
    expect(plan.window).toMatchObject({ minMs: 0, rampMs: 0 });
  });

  it('runs one scenario of block 0 under each broker setting', () => {
    const factors = { io: { set: 'lab.brokers.config.num.io.threads', levels: [8, 4, 16] }, ...codec };
    const scenarios = [{ cross: ['io', 'codec'] }];
    const plan = rehearsed({ producers: { p: { for: '30s' } }, factors, scenarios });
    const plots = plan.warmup.orders[0]?.map((slug) => plan.scenarios.find((s) => s.slug === slug)?.plot);
    expect(plots?.toSorted()).toEqual(Object.keys(plan.plots).toSorted());
    expect(plots).toHaveLength(3);
  });

  it('makes a second lab where several are asked for', () => {
    const plan = rehearsed({
      producers: { p: { for: '30s' } },
      factors: codec,
      design: { labs: 6, blocks: 12 },
    });
    expect(plan).toMatchObject({ labs: 2 });
    expect(plan.orders).toHaveLength(2);
  });

  it('searches where every machine gets by, once over the grid, and ends no series', () => {
    const search = {
      set: 'producers.p.rate',
      from: '20MiB/s',
      to: '300MiB/s',
      pass: { achieved: { min: '99.5%' } },
    };
    const plan = rehearsed({ producers: { p: { for: '30s' } }, factors: codec, search });
    expect(plan.search).toMatchObject({ unit: 'records/s', fromPerS: 500, toPerS: 1_000 });
    expect(plan.search?.pass).toEqual({ p99MaxMs: 60_000 });
    expect(plan.orders).toHaveLength(1);
    const rate = {
      set: 'producers.p.rate',
      levels: ['10k/s', '20k/s'],
      while: { achieved: { min: '99.5%' } },
    };
    const series = rehearsed({ producers: { p: { for: '60s', rate: '10k/s' } }, factors: { rate } });
    expect(series.series).toEqual([]);
  });

  it('polls so little for each member of a group that none takes what another waits for', () => {
    const polls = (processes: number, config = {}) =>
      Object.values(shrunk({ consumers: { c: { processes, config } } })['consumers'] as object).map(
        (load: { config: object }) => load.config,
      );
    expect(polls(1)).toEqual([{}]);
    expect(polls(3)).toEqual([{ 'max.poll.records': 50 }]);
    expect(polls(3, { 'max.poll.records': 7 })).toEqual([{ 'max.poll.records': 7 }]);
  });

  it('is stamped, and a measurement is not', () => {
    expect(stampOf({ smoke: true })).toEqual({ stamp: NOT_A_MEASUREMENT });
    expect(stampOf({ smoke: false })).toEqual({});
    expect(stampOf({})).toEqual({});
  });
});
