import { expect, test } from 'vitest';
import type { CloudWatchRecord } from '../../src/measure/cloudwatch.ts';
import { FILES, loadJson } from '../../src/store/experiment-files.ts';
import { expectComplete, measuredTrials } from './support/complete.ts';
import { WRITTEN } from './support/ebs-metrics.ts';
import { leftOver } from './support/left-over.ts';
import { BUCKET, clusterLab, LOCAL_LAB, REGION, writeSpec } from './support/spec-file.ts';
import { resultOf, setStage } from './support/stage.ts';

/*
 * The whole story by the command line, as a user without a way to any broker: two scenarios, three blocks, three broker pods,
 * results on S3, metrics of the volumes, and nothing left.
 */

const stage = setStage();

test('a spec for a cluster and one for this machine differ in their lab alone', async () => {
  const resolved = async (name: string, lab: object) => {
    const ended = await stage.own.assay(['resolve', writeSpec(stage.own.folder, name, lab)]);
    expect(ended.code, ended.stderr).toBe(0);
    const { lab: _, ...rest } = JSON.parse(ended.stdout) as Record<string, unknown>;
    return rest;
  };
  expect(await resolved('cluster.yaml', clusterLab())).toEqual(await resolved('local.yaml', LOCAL_LAB));
});

test('runs in pods, reports, verifies, and leaves nothing but its results', {
  timeout: 1_200_000,
}, async () => {
  const run = await stage.start('in-pods', { limitMs: 1_150_000 }).ended;
  process.stderr.write(run.stderr);
  // Three blocks decide nothing: exit 4 is the right answer of a complete experiment.
  expect(run.code, run.stderr).toBe(4);
  const { result, store } = resultOf(run);
  // Two of them are the warm-up's.
  expect(result).toMatchObject({ outcome: 'completed', leaks: [], valid: 8, voided: 0 });
  expect(result.resultsFolder).toBe(`s3://${BUCKET}/experiments/${result.key}`);
  expectComplete(await measuredTrials(store), 3);

  const metrics = (await loadJson<CloudWatchRecord>(store, FILES.metrics)).value;
  expect(metrics).toMatchObject({ region: REGION, state: 'stable' });
  const written = metrics.series.filter(({ metric }) => metric === 'VolumeWriteBytes');
  expect(written).toHaveLength(3);
  for (const { points } of written)
    expect(new Set(points.map(({ value }) => value))).toEqual(new Set([WRITTEN.VolumeWriteBytes]));

  const verified = await stage.own.assay(['verify', result.resultsFolder!]);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  expect(String(await store.get('report.html'))).toContain('Does the whole procedure work in a cluster?');
});

test('nothing of it is in the cluster or in EC2', async () => {
  expect(await leftOver()).toEqual([]);
});
