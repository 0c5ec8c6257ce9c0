import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Metric } from '../../src/design/plan.ts';
import { cacheClass, cacheReading } from '../../src/measure/cache-class.ts';
import { metricValues } from '../../src/measure/metric-values.ts';
import type { MeasuredConsumer } from '../../src/measure/trial-rate.ts';
import { measureTrial } from '../../src/measure/trial-rate.ts';
import type { LoadRecord } from '../../src/measure/trial-record.ts';
import { machine } from './evidence.ts';
import { readConsumer, unclean } from './helpers.ts';
import { printConsumer } from './lines-of-consumer.ts';
import { measuredProducer, steadyLoad } from './lines-of-load.ts';

const START = 1_796_038_829_000;

interface Run {
  readonly records: number;
  readonly fetchMs: number;
  readonly rebalanceMs?: number;
  readonly endedAtMs: number;
}

function consumer(run: Run, name = 'c', feeders: readonly string[] = []): MeasuredConsumer {
  const output = readConsumer(printConsumer({ rebalanceMs: 500, recordBytes: 1000, ...run }), true);
  return { kind: 'consumer', name, output, feeders, endedAtMs: null };
}

function record(name: string, kind: LoadRecord['kind'], over: Partial<LoadRecord> = {}): LoadRecord {
  return {
    name,
    kind,
    topic: 'main',
    command: [],
    asked: 1_000_000,
    finalCount: 1_000_000,
    exitCode: 0,
    failedCallbacks: 0,
    stderrCutBytes: 0,
    totalRecordsPerS: null,
    steady: null,
    latencyMs: null,
    series: [],
    metrics: {},
    startedAtMs: null,
    endedAtMs: null,
    cpuCores: null,
    ...over,
  };
}

describe('a consumer alone', () => {
  it('counts over its fetch time, the rebalance left out', () => {
    const trial = measureTrial([consumer({ records: 600_000, fetchMs: 30_000, endedAtMs: START })], {
      rampMs: 5000,
    });
    expect(trial.rate).toMatchObject({
      over: 'fetch',
      windowMs: 30_000,
      toMs: START,
      fromMs: START - 30_000,
    });
    expect(trial.rate?.recordsPerS).toBeCloseTo(20_000, 6);
    expect((trial.rate?.bytesPerS ?? 0) / 20e6).toBeCloseTo(1, 4);
    expect(trial.loads[0]?.startedAtMs).toBe(START - 30_500);
    expect(unclean(trial)).toEqual([]);
  });

  it('of a topic that is being written counts from the first send on', () => {
    const live = steadyLoad(30, 10_000);
    const waited = consumer({ records: 305_000, fetchMs: 36_500, endedAtMs: START + 30_500 }, 'c', ['p']);
    const trial = measureTrial([measuredProducer(live), waited], { rampMs: 0, metric: 'consumeRate' });
    expect(trial.rate?.recordsPerS).toBeCloseTo(10_000, 0);
    expect(trial.rate?.windowMs).toBeCloseTo(30_500, -1);
  });

  it('that gave up has no rate, with the reason', () => {
    const idle = printConsumer({
      records: 10,
      fetchMs: 9_000,
      rebalanceMs: 5,
      recordBytes: 1,
      endedAtMs: START,
      idleMs: 8_000,
    });
    const load = {
      ...consumer({ records: 1, fetchMs: 1, endedAtMs: START }),
      output: readConsumer(idle, true),
    };
    expect(measureTrial([load], { rampMs: 0 })).toMatchObject({
      rate: null,
      why: 'it gave up after its idle timeout',
    });
  });
});

describe('producers and consumers side by side', () => {
  const p = measuredProducer(steadyLoad(40, 20_000));
  const c = consumer({ records: 1_200_000, fetchMs: 40_000, endedAtMs: START + 41_000 });

  it('have one rate over the interval that is common to them', () => {
    const trial = measureTrial([p, c], { rampMs: 5000 });
    expect(trial.rate?.over).toBe('overlap');
    expect(trial.rate?.recordsPerS).toBeCloseTo(50_000, 0);
    expect(trial.rate?.fromMs).toBeCloseTo(START + 5000, -1);
    expect(trial.rate?.toMs).toBeCloseTo(START + 38_500, -1);
  });

  it('a consumer whose time lies elsewhere has no combined rate, and it is void only when that is the metric', () => {
    const late = consumer({ records: 1_200_000, fetchMs: 40_000, endedAtMs: START + 70_000 });
    expect(measureTrial([p, late], { rampMs: 0 })).toMatchObject({ rate: null, noOverlap: true });
    const produced = measureTrial([p, late], { rampMs: 0, metric: 'produceRate' });
    expect(produced).toMatchObject({ noOverlap: false });
    expect(produced.rate?.recordsPerS).toBeCloseTo(20_000, 0);
    expect(measureTrial([p, late], { rampMs: 0, metric: 'produceRate', over: 'overlap' })).toMatchObject({
      rate: null,
      noOverlap: true,
    });
  });

  it('over the overlap one load counts only where all ran', () => {
    const fastAtFirst = steadyLoad(40, 20_000);
    const load = measuredProducer({
      ...fastAtFirst,
      intervals: fastAtFirst.intervals.map((line, at) => (at < 3 ? { ...line, records: 90_000 } : line)),
    });
    const later = consumer({ records: 1_000_000, fetchMs: 37_000, endedAtMs: START + 40_500 });
    const cut = { rampMs: 0, metric: 'produceRate' } as const;
    expect(measureTrial([load, later], { ...cut, over: 'own' }).rate?.recordsPerS).toBeGreaterThan(24_000);
    expect(measureTrial([load, later], { ...cut, over: 'overlap' }).rate?.recordsPerS).toBeCloseTo(20_000, 0);
  });

  it('a metric over loads that the trial does not have is no finding', () => {
    expect(measureTrial([p], { rampMs: 0, metric: 'consumeRate' })).toMatchObject({
      of: [],
      rate: null,
      noOverlap: false,
    });
  });

  it('the combined rate is never more than what each load did at its fastest', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 12_000 }),
        fc.integer({ min: 1_000, max: 60_000 }),
        (at, fetchMs) => {
          const other = consumer({ records: fetchMs * 30, fetchMs, endedAtMs: START + at + fetchMs });
          const { rate, overlapShare } = measureTrial([p, other], { rampMs: 1000 });
          if (rate === null) return;
          expect(rate.recordsPerS).toBeLessThanOrEqual(50_001);
          expect(overlapShare).toBeGreaterThanOrEqual(0.8);
          expect(rate.fromMs).toBeGreaterThanOrEqual(Math.max(START + 1000 - 10, START + at - 10));
        },
      ),
    );
  });
});

describe('the values of a trial', () => {
  const p1 = measuredProducer(steadyLoad(30, 20_000), 'p-1');
  const p2 = measuredProducer(steadyLoad(30, 30_000), 'p-2');
  const latencyMs = { avg: 1, max: 9, p50: 1, p95: 3, p99: 5, p999: 8 };
  const values = (loads: Parameters<typeof measureTrial>[0], records: readonly LoadRecord[]) =>
    metricValues(measureTrial(loads, { rampMs: 2000 }), records);

  it('one producer has rates, latencies and, when it was asked for a rate, what it achieved of it', () => {
    const found = values([p1], [record('p-1', 'producer', { latencyMs, askedRecordsPerS: 25_000 })]);
    expect(found.rate).toMatchObject({ unit: 'records/s', over: 'own', loads: ['p-1'], why: null });
    expect(found.achieved?.value).toBeCloseTo(0.8, 4);
    expect(found.p99).toMatchObject({ value: 5, unit: 'ms', over: 'whole-load' });
    expect(Object.keys(found)).not.toContain('consumeRate');
  });

  it('without an asked rate nothing was achieved of it', () => {
    expect(values([p1], [record('p-1', 'producer')])).not.toHaveProperty('achieved');
  });

  it('percentiles of several producers are bounds and no value', () => {
    const others = { ...latencyMs, p99: 7 };
    const found = values(
      [p1, p2],
      [record('p-1', 'producer', { latencyMs }), record('p-2', 'producer', { latencyMs: others })],
    );
    expect(found.rate?.over).toBe('overlap');
    expect(found.p99).toMatchObject({ value: null, why: expect.stringContaining('between 5 and 7 ms') });
  });

  it('a percentile from too few latencies is none', () => {
    const found = values([p1], [record('p-1', 'producer', { latencyMs, finalCount: 500 })]);
    expect(found.p99?.value).toBe(5);
    expect(found.p999).toMatchObject({ value: null, why: '500 latencies are too few for it' });
  });

  it('acks 0 has no latency', () => {
    expect(values([p1], [record('p-1', 'producer')]).p50).toMatchObject({ value: null });
  });

  it.each<[Metric, number]>([
    ['rate', 50_000],
    ['produceRate', 20_000],
    ['consumeRate', 30_000],
  ])('%s of a producer and a consumer is %i', (metric, perS) => {
    const c = consumer({ records: 900_000, fetchMs: 30_000, endedAtMs: START + 30_500 });
    const found = values([p1, c], [record('p-1', 'producer'), record('c', 'consumer')]);
    expect(found[metric]?.value).toBeCloseTo(perS, 0);
  });
});

describe('the cache class', () => {
  it.each([
    [0, 'hot'],
    [0.1, 'hot'],
    [0.3, 'partial'],
    [0.8, 'cold'],
    [1.4, 'cold'],
  ])('%f of what was consumed came from the disk: %s', (share, is) => {
    expect(cacheClass(share)).toBe(is);
  });

  it('is disk bytes read ÷ bytes consumed, as they lie on disk, in the window', () => {
    const { rate } = measureTrial([consumer({ records: 600_000, fetchMs: 30_000, endedAtMs: START })], {
      rampMs: 0,
    });
    const host = machine({ deviceReadBytesPerS: 5e6 }).summary;
    const window = { fromMs: START - 30_000, toMs: START };
    expect(cacheReading(host, window, [{ rate: rate!, diskBytesPerRecord: 250 }])).toEqual({
      diskReadShare: 1,
      cache: 'cold',
    });
    expect(cacheReading(host, window, [{ rate: rate!, diskBytesPerRecord: null }]).cache).toBe('partial');
    expect(cacheReading(null, window, [{ rate: rate!, diskBytesPerRecord: null }]).cache).toBeNull();
    expect(cacheReading(host, window, []).cache).toBeNull();
  });
});
