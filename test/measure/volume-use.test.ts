import { describe, expect, test } from 'vitest';
import { type MetricPoint, type MetricSeries, spacingOf } from '../../src/measure/cloudwatch.ts';
import { volumeUse } from '../../src/measure/volume-use.ts';

const T0 = Date.UTC(2026, 8, 2, 2, 0);
const MINUTE = 60_000;
const at = (minute: number, value: number): MetricPoint => ({ startMs: T0 + minute * MINUTE, value });

function series(metric: MetricSeries['metric'], points: readonly MetricPoint[], id = 'vol-1'): MetricSeries {
  const common = { resource: 'volume', id, statistic: 'Sum', periodS: 60, completeness: 'complete' } as const;
  return { ...common, metric, spacingS: spacingOf(points), points };
}

/** Five minutes, of which minutes 1 to 3 are quiet neighbours of each other. */
const minutes = [0, 1, 2, 3, 4];
const writing = [
  series(
    'VolumeWriteBytes',
    minutes.map((m) => at(m, 6_000 * (m + 1))),
  ),
  series(
    'VolumeWriteOps',
    minutes.map((m) => at(m, 60 * (m + 1))),
  ),
  series(
    'VolumeTotalWriteTime',
    minutes.map((m) => at(m, 0.6 * (m + 1))),
  ),
  series(
    'VolumeReadBytes',
    minutes.map((m) => at(m, 0)),
  ),
  series(
    'VolumeReadOps',
    minutes.map((m) => at(m, 0)),
  ),
];
const span = (fromMs: number, toMs: number) => [{ trial: 'b1/x/a1', fromMs: T0 + fromMs, toMs: T0 + toMs }];
const only = (all: readonly MetricSeries[], fromMs: number, toMs: number) =>
  volumeUse(all, span(fromMs, toMs))[0]?.volumes[0];

describe('volumeUse', () => {
  test('takes the whole minutes inside the window alone, and says what share of it they cover', () => {
    const use = only(writing, 0.5 * MINUTE, 3.5 * MINUTE);
    expect(use?.write).toMatchObject({ bytesPerS: 250, opsPerS: 2.5, meanOpBytes: 100, coverage: 2 / 3 });
    expect(use?.write.meanOpMs).toBeCloseTo(10, 9);
  });

  test('start inclusive, end exclusive', () => {
    expect(only(writing, MINUTE, 2 * MINUTE)?.write).toMatchObject({ bytesPerS: 200, coverage: 1 });
    expect(only(writing, MINUTE + 1, 3 * MINUTE - 1)?.write).toMatchObject({ bytesPerS: null, coverage: 0 });
  });

  test('a trial of 90 s that holds no whole minute but one: one bin, two thirds', () => {
    expect(only(writing, 1.75 * MINUTE, 3.25 * MINUTE)?.write).toMatchObject({
      bytesPerS: 300,
      coverage: 1 / 1.5,
    });
  });

  test('no operation has no size and no latency: null, not 0; its rate is 0', () => {
    expect(only(writing, 0, 5 * MINUTE)?.read).toEqual({
      bytesPerS: 0,
      opsPerS: 0,
      meanOpBytes: null,
      meanOpMs: null,
      coverage: 1,
    });
  });

  test('missing is not 0: a metric that CloudWatch does not have, and one with no point in the window', () => {
    const none = { bytesPerS: null, opsPerS: null, meanOpBytes: null, meanOpMs: null, coverage: 0 };
    expect(only([series('VolumeWriteBytes', [])], 0, 5 * MINUTE)?.write).toEqual(none);
    expect(only(writing, 60 * MINUTE, 65 * MINUTE)?.write).toEqual(none);
    expect(only(writing, 0, 5 * MINUTE)).toMatchObject({ queueLength: null, iopsExceededBins: null });
  });

  test('a hole lowers the coverage, and a minute with bytes but no operations is left out of both', () => {
    const holed = [
      series('VolumeWriteBytes', [at(0, 600), at(1, 600), at(3, 600)]),
      series('VolumeWriteOps', [at(0, 60), at(3, 60)]),
    ];
    expect(only(holed, 0, 4 * MINUTE)?.write).toEqual({
      bytesPerS: 10,
      opsPerS: 1,
      meanOpBytes: 10,
      meanOpMs: null,
      coverage: 0.5,
    });
  });

  test('points of five minutes are five minutes of time, not one', () => {
    const coarse = [
      series('VolumeWriteBytes', [at(0, 30_000), at(5, 30_000), at(10, 30_000)]),
      series('VolumeWriteOps', [at(0, 300), at(5, 300), at(10, 300)]),
    ];
    expect(only(coarse, 0, 12 * MINUTE)?.write).toMatchObject({ bytesPerS: 100, coverage: 10 / 12 });
    expect(only(coarse, MINUTE, 4 * MINUTE)?.write).toMatchObject({ bytesPerS: null, coverage: 0 });
  });

  test('counts the bins in which more was asked for than is provisioned, and keeps volumes apart', () => {
    const all = [
      series('VolumeIOPSExceededCheck', [at(0, 0), at(1, 1), at(2, 1)]),
      series('VolumeThroughputExceededCheck', [at(0, 0), at(1, 0), at(2, 0)]),
      series('VolumeQueueLength', [at(0, 1), at(1, 2), at(2, 6)]),
      series('VolumeIOPSExceededCheck', [at(0, 0), at(1, 0), at(2, 0)], 'vol-2'),
    ];
    const [one, two] = volumeUse(all, span(0, 3 * MINUTE))[0]?.volumes ?? [];
    expect(one).toMatchObject({
      volumeId: 'vol-1',
      iopsExceededBins: 2,
      throughputExceededBins: 0,
      queueLength: 3,
    });
    expect(two).toMatchObject({ volumeId: 'vol-2', iopsExceededBins: 0, throughputExceededBins: null });
  });
});

describe('spacingOf', () => {
  test.each([
    ['minutes', [0, 1, 2], 60],
    ['minutes with holes', [0, 2, 4], 60],
    ['five minutes', [0, 5, 15], 300],
    ['hours', [0, 60, 180], 3_600],
    ['one point off the five-minute mark', [7], 60],
    ['one point on it, which could be either', [5], null],
    ['none', [], null],
    ['points off the minute', [0, 0.5], null],
  ])('%s', (_, at_, spacing) => {
    expect(spacingOf(at_.map((m) => at(m, 1)))).toBe(spacing);
  });
});
