import { describe, expect, test } from 'vitest';
import type { CloudWatchRecord } from '../../../src/measure/cloudwatch.ts';
import { podSamples } from '../../../src/report/kubernetes/pod-samples.ts';
import { volumeMedians } from '../../../src/report/kubernetes/volume-medians.ts';
import { sharedDevices, type VolumeRow, volumeRows } from '../../../src/report/kubernetes/volume-rows.ts';
import { loadResults, type Results } from '../../../src/report/results.ts';
import { sampleFiles } from '../../../src/report/write-report.ts';
import { cloudWatchInPods, storeInPods, VOLUMES, WRITES } from './fixture.ts';

const MIB = 2 ** 20;

async function seen(
  metrics?: CloudWatchRecord | null,
  change: (results: Results) => Results = (r) => r,
): Promise<{ results: Results; rows: readonly VolumeRow[] }> {
  const store = await storeInPods(metrics);
  const results = change(await loadResults(store));
  return { results, rows: volumeRows(results, podSamples(await sampleFiles(store, results.files))) };
}

const of = (rows: readonly VolumeRow[], broker: string) =>
  rows.filter(({ volume }) => volume.broker === broker);

describe('one volume in one trial', () => {
  test('every attempt × every volume, in the order they ran', async () => {
    const { results, rows } = await seen();
    expect(rows.map(({ trial, volume }) => `${trial.id} ${volume.broker}`)).toEqual(
      results.trials.flatMap(({ id }) => ['b1', 'b2', 'b3'].map((broker) => `${id} ${broker}`)),
    );
  });

  test('whole minutes inside the window by CloudWatch, the window by the node, and both over the same minutes', async () => {
    const [row] = of((await seen()).rows, 'b1');
    expect(row?.cloudWatch?.write).toMatchObject({ bytesPerS: 41 * MIB, opsPerS: 400, coverage: 120 / 180 });
    expect(row?.cloudWatch).toMatchObject({ queueLength: 2, iopsExceededBins: 0, throughputExceededBins: 2 });
    expect(row?.device?.writeBytesPerS).toBeCloseTo(40 * MIB, 0);
    expect(row?.device?.coverage).toBeCloseTo(1, 6);
    expect(row?.sameBins?.writeOpsPerS).toBeCloseTo(400, 6);
    expect(row?.agreement).toBeCloseTo(41 / 40, 6);
  });

  test('an idle volume is 0 and has no size; a metric that CloudWatch does not have is unknown', async () => {
    const { rows } = await seen();
    expect(of(rows, 'b3')[0]?.cloudWatch?.write).toMatchObject({
      bytesPerS: 0,
      opsPerS: 0,
      meanOpBytes: null,
    });
    expect(of(rows, 'b2')[0]?.cloudWatch).toMatchObject({
      read: { bytesPerS: null, opsPerS: null, coverage: 0 },
      queueLength: null,
      iopsExceededBins: null,
    });
  });

  test('a lost minute lowers the coverage, not the rate, and the series is named partial', async () => {
    const [row] = of((await seen()).rows, 'b2');
    expect(row?.cloudWatch?.write).toMatchObject({ bytesPerS: 60 * MIB, coverage: 60 / 180 });
    expect(row?.completeness).toBe('partial');
    expect(row?.agreement).toBeCloseTo(1, 6);
  });

  test('a window without a whole minute: no figure of CloudWatch and nothing compared, the node has its own', async () => {
    const row = of((await seen()).rows, 'b1').at(-1);
    expect(row?.cloudWatch?.write).toMatchObject({ bytesPerS: null, coverage: 0 });
    expect(row).toMatchObject({ sameBins: null, agreement: null });
    expect(row?.device?.writeBytesPerS).toBeCloseTo(40 * MIB, 0);
  });

  test('a device that is not known takes its figures from no sampler, though all call theirs alike', async () => {
    for (const row of of((await seen()).rows, 'b3'))
      expect(row).toMatchObject({ device: null, sameBins: null, agreement: null });
  });

  test('samples that do not cover the minutes are not compared', async () => {
    const store = await storeInPods();
    const results = await loadResults(store);
    const half = (await sampleFiles(store, results.files)).map(({ path, text }) => ({
      path,
      text: `${text.split('\n').slice(0, 60).join('\n')}\n`,
    }));
    const [row] = of(volumeRows(results, podSamples(half)), 'b1');
    expect(row).toMatchObject({ sameBins: null, agreement: null });
    expect(row?.device?.coverage).toBeLessThan(0.7);
  });

  test('without CloudWatch, and without samples, nothing is 0', async () => {
    for (const row of (await seen(null)).rows)
      expect(row).toMatchObject({ cloudWatch: null, completeness: null });
    const { results } = await seen();
    for (const row of volumeRows(results, podSamples([])))
      expect(row).toMatchObject({ device: null, agreement: null });
  });

  test('a trial without a rate is seen over its loads; one that never began is left out', async () => {
    const none = (results: Results, startedAtMs: number | null): Results => ({
      ...results,
      trials: results.trials.map((t) => ({
        ...t,
        rate: null,
        loads: t.loads.map((l) => ({ ...l, startedAtMs: startedAtMs === null ? null : l.startedAtMs })),
      })),
    });
    const { rows } = await seen(undefined, (r) => none(r, 0));
    expect((rows[0]?.window.toMs ?? 0) - (rows[0]?.window.fromMs ?? 0)).toBe(220_000);
    expect((await seen(undefined, (r) => none(r, null))).rows).toEqual([]);
  });

  test('a trial has the volumes of its own lab', async () => {
    const { results, rows } = await seen(undefined, (r) => ({
      ...r,
      laterLabs: [
        {
          lab: 2,
          environment: { ...r.environment, volumes: [] } as unknown as NonNullable<Results['environment']>,
        },
      ],
      trials: r.trials.map((t) => (t.block === 2 ? { ...t, lab: 2 } : t)),
    }));
    expect(results.trials.some(({ lab }) => lab === 2)).toBe(true);
    expect(new Set(rows.map(({ trial }) => trial.block))).toEqual(new Set([0, 1]));
  });
});

test('volumes on one device of one node are named: its counters are of both', () => {
  const [b1, b2, b3] = VOLUMES.map((volume) => ({ lab: 1, ...volume }));
  if (!b1 || !b2 || !b3) throw new Error('three volumes');
  expect(sharedDevices([b1, b2, b3])).toEqual([]);
  expect(sharedDevices([b1, { ...b2, node: b1.node }, { ...b3, node: b1.node }])).toEqual([
    expect.stringContaining('The volumes of b1, b2 lie on one device, nvme1n1 of ip-10-0-0-1'),
  ]);
  expect(sharedDevices([b1, { ...b1, lab: 2 }])).toEqual([]);
});

describe('medians', () => {
  test('of valid trials of measured blocks by scenario and volume, each instrument with its own n', async () => {
    const { results, rows } = await seen();
    const medians = volumeMedians(results.plan, rows);
    expect(medians.map(({ scenario, volume }) => `${scenario} ${volume.broker}`)).toEqual(
      results.plan.scenarios.flatMap(({ slug }) => ['b1', 'b2', 'b3'].map((b) => `${slug} ${b}`)),
    );
    const last = results.trials.at(-1);
    const short = medians.find(
      ({ scenario, volume }) => scenario === last?.scenario && volume.broker === 'b1',
    );
    // The window of the last trial holds no whole minute.
    expect(short).toMatchObject({
      valid: 2,
      cloudWatch: { n: 1, writeBytesPerS: 41 * MIB, writeOpsPerS: 400, coverage: { median: 120 / 180 } },
      device: { n: 2 },
    });
    const idle = medians.find(({ volume }) => volume.broker === 'b3');
    expect(idle).toMatchObject({ cloudWatch: { writeBytesPerS: 0 }, device: null });
  });

  test('void attempts and block 0 enter nothing, whatever they show', async () => {
    const { rows, results } = await seen(undefined, (r) => ({
      ...r,
      trials: r.trials.map((t) =>
        t.block === 2 ? { ...t, verdict: { valid: false, reasons: [], flags: [] } } : t,
      ),
    }));
    expect(volumeMedians(results.plan, rows).every(({ valid }) => valid === 1)).toBe(true);
  });

  test('CloudWatch without whole minutes anywhere has no median, with coverage or without', async () => {
    const series = cloudWatchInPods().series.map((one) => ({ ...one, points: [], spacingS: null }));
    const { rows, results } = await seen(cloudWatchInPods({ series }));
    for (const { cloudWatch } of volumeMedians(results.plan, rows)) expect(cloudWatch).toBeNull();
    expect(rows.some(({ volume }) => volume.volumeId === WRITES.b1.volumeId)).toBe(true);
  });
});
