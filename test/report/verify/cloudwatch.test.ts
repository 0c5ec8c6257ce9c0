import { beforeAll, expect, test } from 'vitest';
import type { CloudWatchRecord } from '../../../src/measure/cloudwatch.ts';
import { cloudWatchAgain } from '../../../src/report/verify/cloudwatch.ts';
import { deriveAgain } from '../../../src/report/verify/derive-again.ts';
import { loadResults, type Results } from '../../../src/report/results.ts';
import { writeReport } from '../../../src/report/write-report.ts';
import type { Store } from '../../../src/store/store.ts';
import { cloudWatchInPods, storeInPods } from '../kubernetes/fixture.ts';
import { resealed } from './derivable.ts';

let store: Store;

beforeAll(async () => {
  store = await storeInPods();
  await writeReport(store);
});

/** The trials of this fixture, and what was frozen from them, were not made from raw files; everything else must follow. */
const differencesOf = async (changed: Store) =>
  (await deriveAgain(changed)).differences.filter(
    ({ path }) => !/^trials\/|^(plan|frozen)\.json$/.test(path),
  );
const withMetrics = async (metrics: CloudWatchRecord): Promise<Results> => ({
  ...(await loadResults(store)),
  metrics,
});

test('untouched: volumes.csv and every page follow from cloudwatch.json and the trials, which is on record', async () => {
  const again = await deriveAgain(store);
  expect(await differencesOf(store)).toEqual([]);
  expect(again.onRecord.join('\n')).toContain('cloudwatch.json: what CloudWatch answered');
});

test('a cell of volumes.csv that CloudWatch does not give is named by row and column', async () => {
  const changed = await resealed(store, 'volumes.csv', (text) => text.replace(',42991616,', ',52991616,'));
  expect(await differencesOf(changed)).toEqual([
    {
      path: 'volumes.csv',
      where: 'row 2, cloudwatch_write_bytes_per_s',
      stored: '52991616',
      derived: '42991616',
    },
  ]);
});

test('a point that was changed shows in every figure that rests on it', async () => {
  const changed = await resealed(store, 'cloudwatch.json', (text) =>
    text.replaceAll(/"value": 2579496960/g, '"value": 2579496000'),
  );
  const found = (await differencesOf(changed)).map(({ path, where }) => `${path} ${where}`);
  expect(found).toContain('volumes.csv row 2, cloudwatch_write_bytes_per_s');
  expect(
    found.some((one) => one.startsWith('summary.json kubernetes.volumes[0].cloudWatch.writeBytesPerS')),
  ).toBe(true);
});

test('volumes.csv without volumes, and a record that was taken away', async () => {
  const gone = await resealed(store, 'environment.json', (text) => text.replace('"volumes"', '"other"'));
  expect(await differencesOf(gone)).toContainEqual(
    expect.objectContaining({ path: 'volumes.csv', derived: expect.stringContaining('nothing') }),
  );
});

test.each<[string, (record: CloudWatchRecord) => CloudWatchRecord, string]>([
  [
    'a width of bins that the points do not show',
    (r) => ({ ...r, series: r.series.map((one, i) => (i === 0 ? { ...one, spacingS: 300 } : one)) }),
    'series[0].spacingS',
  ],
  [
    'a bin twice',
    (r) => ({
      ...r,
      series: r.series.map((one, i) =>
        i === 0 ? { ...one, points: one.points.flatMap((p) => [p, p]) } : one,
      ),
    }),
    'series[0].points[1].startMs',
  ],
  [
    'a window that leaves trials out',
    (r) => ({ ...r, window: { ...r.window, fromMs: r.window.toMs - 60_000 } }),
    'window',
  ],
  [
    'a volume of somebody else',
    (r) => ({
      ...r,
      series: r.series.map((one, i) => (i === 0 ? { ...one, id: 'vol-0badbadbadbadbad0' } : one)),
    }),
    'series[0].id',
  ],
])('%s is named', async (_, change, where) => {
  const { differences } = cloudWatchAgain(await withMetrics(change(cloudWatchInPods())));
  expect(differences.map((d) => d.where)).toContain(where);
  expect(differences.every(({ path }) => path === 'cloudwatch.json')).toBe(true);
});
