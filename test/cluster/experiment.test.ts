import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CloudWatchRecord } from '../../src/measure/cloudwatch.ts';
import { FILES, loadJson, loadTrials } from '../../src/store/experiment-files.ts';
import { openStoreAt } from '../../src/store/open-store.ts';
import type { ExperimentResult } from '../../src/temporal/status.ts';
import { awsEnvironment, type Moto, startMoto } from '../aws/support/moto.ts';
import { kubectl } from './support/command.ts';
import { publishEbsMetrics, WRITTEN } from './support/ebs-metrics.ts';
import { type OwnAssay, ownAssay } from './support/own-assay.ts';
import { heldVolumes, useEc2, useNoEc2 } from './support/volumes.ts';

/*
 * The whole story by the command line, as a user without a way to any broker: two scenarios, three blocks, three broker pods,
 * results on S3, metrics of the volumes, and nothing left.
 */

const REGION = 'ap-northeast-2';
const PODS = { limits: { cpu: '2', memory: '768MiB' }, requests: { cpu: '50m', memory: '128MiB' } };
const COMMON = { brokers: { count: 3, heap: '320MiB' }, clients: { count: 1, heap: '192MiB' } };
const LOCAL = COMMON;
const CLUSTER = {
  target: 'kubernetes',
  brokers: COMMON.brokers,
  clients: { ...COMMON.clients, apart: 'none' },
  kubernetes: {
    region: REGION,
    scratch: '256MiB',
    brokers: { nodes: {}, spread: 'none', disk: '1GiB', grace: '5s', resources: PODS },
    clients: { nodes: {}, resources: PODS },
  },
};

let moto: Moto;
let own: OwnAssay;
let published: Promise<void>;
const stopped = new AbortController();

beforeAll(async () => {
  moto = await startMoto();
  Object.assign(process.env, awsEnvironment(moto.url));
  await new S3Client({ forcePathStyle: true }).send(
    new CreateBucketCommand({
      Bucket: 'assay-results',
      CreateBucketConfiguration: { LocationConstraint: REGION },
    }),
  );
  useEc2(moto.url);
  published = publishEbsMetrics(moto.url, REGION, stopped.signal);
  own = await ownAssay(moto.url);
});

afterAll(async () => {
  await own?.close();
  stopped.abort();
  await published;
  useNoEc2();
  await moto?.stop();
});

/** The spec of the fixture with this `lab` section. */
function specWith(name: string, lab: object): string {
  const path = join(own.folder, name);
  const rest = readFileSync(new URL('fixtures/experiment.yaml', import.meta.url), 'utf8');
  writeFileSync(path, `${rest}lab: ${JSON.stringify(lab)}\n`);
  return path;
}

test('a spec for a cluster and one for this machine differ in their lab alone', async () => {
  const resolved = async (name: string, lab: object) => {
    const ended = await own.assay(['resolve', specWith(name, lab)]);
    expect(ended.code, ended.stderr).toBe(0);
    const { lab: _, ...rest } = JSON.parse(ended.stdout) as Record<string, unknown>;
    return rest;
  };
  expect(await resolved('cluster.yaml', CLUSTER)).toEqual(await resolved('local.yaml', LOCAL));
});

test('runs in pods, reports, verifies, and leaves nothing but its results', {
  timeout: 1_200_000,
}, async () => {
  const spec = specWith('cluster.yaml', CLUSTER);
  const run = await own.assay(['run', spec, '--id', 'in-pods', '--json'], 1_150_000);
  process.stderr.write(run.stderr);
  // Three blocks decide nothing: exit 4 is the right answer of a complete experiment.
  expect(run.code, run.stderr).toBe(4);
  const result = JSON.parse(run.stdout) as ExperimentResult;
  // Two of them are the warm-up's.
  expect(result).toMatchObject({ outcome: 'completed', leaks: [], valid: 8, voided: 0 });
  expect(result.resultsFolder).toBe(`s3://assay-results/experiments/${result.key}`);

  const store = openStoreAt(result.resultsFolder!);
  const measured = (await loadTrials(store)).filter(({ block }) => block > 0);
  expect(measured.map(({ verdict }) => [verdict.valid, verdict.reasons])).toEqual(
    Array.from({ length: 6 }, () => [true, []]),
  );
  for (const trial of measured)
    expect(trial.offsets[0]).toMatchObject({ claimed: trial.loads[0]?.asked, inLog: trial.loads[0]?.asked });

  const metrics = (await loadJson<CloudWatchRecord>(store, FILES.metrics)).value;
  expect(metrics).toMatchObject({ region: REGION, state: 'stable' });
  const written = metrics.series.filter(({ metric }) => metric === 'VolumeWriteBytes');
  expect(written).toHaveLength(3);
  for (const { points } of written)
    expect(new Set(points.map(({ value }) => value))).toEqual(new Set([WRITTEN.VolumeWriteBytes]));

  const verified = await own.assay(['verify', result.resultsFolder!]);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  expect(String(await store.get('report.html'))).toContain('Does the whole procedure work in a cluster?');
});

test('nothing of it is in the cluster or in EC2', async () => {
  const ours = ['-l', 'app.kubernetes.io/managed-by=assay', '-o', 'name'];
  const kinds = 'namespaces,storageclasses,statefulsets,pods,services,networkpolicies,persistentvolumeclaims';
  expect(await kubectl(['get', kinds, '--all-namespaces', ...ours])).toBe('');
  expect(await kubectl(['get', 'pv,volumeattachments', '-o', 'name'])).toBe('');
  expect(heldVolumes()).toEqual([]);
  const { Volumes = [] } = await new EC2Client().send(new DescribeVolumesCommand());
  expect(Volumes.filter(({ Tags = [] }) => Tags.some(({ Key }) => Key === 'assay.dev/experiment'))).toEqual(
    [],
  );
});
