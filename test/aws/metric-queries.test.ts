import { describe, expect, test } from 'vitest';
import { mergePages } from '../../src/aws/merge-pages.ts';
import { gridAround, inRequests, type MetricQuery, queriesFor } from '../../src/aws/metric-queries.ts';

const gp3 = (id: string) => ({ id, type: 'gp3' });

describe('queriesFor', () => {
  test('asks for sums of what is counted, by minute, and for five minutes of balances', () => {
    const queries = queriesFor({ volumes: [gp3('vol-1')], instances: [{ id: 'i-1', type: 'm5.xlarge' }] });
    const asked = queries.map(
      ({ id, metric, statistic, periodS }) => `${id} ${metric} ${statistic} ${periodS}`,
    );
    expect(asked).toEqual([
      'vol-1 VolumeReadBytes Sum 60',
      'vol-1 VolumeWriteBytes Sum 60',
      'vol-1 VolumeReadOps Sum 60',
      'vol-1 VolumeWriteOps Sum 60',
      'vol-1 VolumeTotalReadTime Sum 60',
      'vol-1 VolumeTotalWriteTime Sum 60',
      'vol-1 VolumeIdleTime Sum 60',
      'vol-1 VolumeQueueLength Average 60',
      'vol-1 VolumeIOPSExceededCheck Maximum 60',
      'vol-1 VolumeThroughputExceededCheck Maximum 60',
      'i-1 EBSIOBalance% Minimum 300',
      'i-1 EBSByteBalance% Minimum 300',
      'i-1 NetworkIn Sum 60',
      'i-1 NetworkOut Sum 60',
      'i-1 CPUUtilization Average 60',
    ]);
  });

  test('asks for what a type has: burst balances of gp2, CPU credits of t3', () => {
    const names = (volume: string, instance: string) =>
      queriesFor({ volumes: [{ id: 'v', type: volume }], instances: [{ id: 'i', type: instance }] }).map(
        ({ metric }) => metric,
      );
    expect(names('gp2', 't3.large')).toEqual(expect.arrayContaining(['BurstBalance', 'CPUCreditBalance']));
    for (const metric of ['BurstBalance', 'CPUCreditBalance'])
      expect(names('gp3', 'm5.large')).not.toContain(metric);
  });

  test('names each query once, and a resource that is named twice is asked for once', () => {
    const queries = queriesFor({ volumes: [gp3('a'), gp3('b'), gp3('a')], instances: [] });
    expect(queries).toHaveLength(20);
    expect(new Set(queries.map(({ queryId }) => queryId)).size).toBe(20);
  });

  test('no request holds more than 500', () => {
    const volumes = Array.from({ length: 51 }, (_, i) => gp3(`vol-${i}`));
    const requests = inRequests(queriesFor({ volumes, instances: [] }));
    expect(requests.map(({ length }) => length)).toEqual([500, 10]);
    expect(inRequests([])).toEqual([]);
  });
});

test('the window is in whole five minutes around the time', () => {
  const at = (text: string) => Date.parse(`2026-09-02T${text}Z`);
  const window = gridAround({ fromMs: at('02:07:13'), toMs: at('02:36:00.001') });
  expect(window).toEqual({ fromMs: at('02:05:00'), toMs: at('02:40:00') });
  expect(gridAround(window)).toEqual(window);
});

describe('mergePages', () => {
  const query = (queryId: string): MetricQuery => ({
    queryId,
    resource: 'volume',
    id: 'vol-1',
    metric: 'VolumeWriteBytes',
    statistic: 'Sum',
    periodS: 60,
  });
  const M = 60_000;
  const all = { fromMs: 0, toMs: 100 * M };

  test('one id on several pages in any order: each bin once, the later value counts, the last status too', () => {
    const pages = [
      [{ queryId: 'q0', status: 'PartialData', startsMs: [3 * M, 2 * M], values: [30, 20] }],
      [{ queryId: 'q0', status: 'Complete', startsMs: [2 * M, 1 * M], values: [21, 10] }],
    ];
    expect(mergePages([query('q0')], pages, all)[0]).toMatchObject({
      completeness: 'complete',
      spacingS: 60,
      points: [
        { startMs: M, value: 10 },
        { startMs: 2 * M, value: 21 },
        { startMs: 3 * M, value: 30 },
      ],
    });
  });

  test('points outside of the window are left out: the start belongs to it, the end does not', () => {
    const page = [
      { queryId: 'q0', status: 'Complete', startsMs: [0, M, 2 * M, 3 * M], values: [1, 2, 3, 4] },
    ];
    const [series] = mergePages([query('q0')], [page], { fromMs: M, toMs: 3 * M });
    expect(series?.points.map(({ value }) => value)).toEqual([2, 3]);
  });

  test('no points and complete is "has none"; never on any page, or still partial, is partial', () => {
    const pages = [
      [
        { queryId: 'q0', status: 'Complete', startsMs: [], values: [] },
        { queryId: 'q1', status: 'InternalError', startsMs: [], values: [] },
        { queryId: 'q2', status: 'Forbidden', startsMs: [], values: [] },
      ],
    ];
    const merged = mergePages(['q0', 'q1', 'q2', 'q3'].map(query), pages, all);
    expect(merged.map(({ completeness }) => completeness)).toEqual([
      'complete',
      'partial',
      'forbidden',
      'partial',
    ]);
    expect(merged.every(({ points }) => points.length === 0)).toBe(true);
  });
});
