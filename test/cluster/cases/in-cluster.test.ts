import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { V1Pod } from '@kubernetes/client-node';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../../src/lab/wait.ts';
import { openStoreAt } from '../../../src/store/open-store.ts';
import type { ExperimentResult } from '../../../src/temporal/status.ts';
import { pending } from '../../kill/support/phases.ts';
import { temporalCli } from '../../support/python-tool.ts';
import { openCloud } from '../support/cloud.ts';
import { get, kubectl, run as command } from '../support/command.ts';
import { expectComplete, measuredTrials } from '../support/complete.ts';
import { publishEbsMetrics } from '../support/ebs-metrics.ts';
import { leftOver } from '../support/left-over.ts';
import { type OwnAssay, ownAssay } from '../support/own-assay.ts';
import { POD_API } from '../support/run.ts';
import { RunningExperiment } from '../support/running-experiment.ts';
import { clusterLab, REGION, writeSpec } from '../support/spec-file.ts';
import { startTemporal, type TemporalServer } from '../support/temporal-server.ts';
import { useNoEc2 } from '../support/volumes.ts';

/*
 * The worker's image as a pod of deploy/, by the steps of deploy/README.md: it takes an experiment from a Temporal outside of
 * it, runs it in pods beside it by its ServiceAccount, is ended in the middle of a load, and the next pod goes on.
 */

const OVERLAY = new URL('../fixtures/in-cluster/', import.meta.url).pathname;
/** The node's address: pods reach it, and the overlay names these ports. */
const HOST = POD_API.address;
const TEMPORAL_PORT = 7233;
const ID = 'in-cluster';
const HOLD = 'example.com/hold';
const WORKER = ['-n', 'assay', '-l', 'app.kubernetes.io/component=worker'];
const MINUTE = 60_000;

let temporal: TemporalServer;
let own: OwnAssay;
let connection: Connection;
let published: Promise<void>;
const stopped = new AbortController();

beforeAll(async () => {
  expect(process.env['ASSAY_CLUSTER_WORKER'], 'the cluster has the image of the worker').toBe('1');
  const url = await openCloud();
  published = publishEbsMetrics(url, REGION, stopped.signal);
  temporal = await startTemporal(HOST, TEMPORAL_PORT);
  connection = await Connection.connect({ address: temporal.address });
  own = await ownAssay(url);
  await kubectl(['apply', '-k', OVERLAY]);
});

afterAll(async () => {
  await release(await workerPods().catch(() => []));
  await kubectl(['delete', '-k', OVERLAY, '--ignore-not-found', '--timeout=180s'], { limitMs: 200_000 });
  await own?.close();
  await connection?.close();
  await temporal?.stop();
  stopped.abort();
  await published;
  useNoEc2();
});

const workerPods = async () => (await get<{ items: V1Pod[] }>('pods', ...WORKER)).items;
const ready = () =>
  kubectl(['-n', 'assay', 'rollout', 'status', 'deployment/assay-worker', '--timeout=240s'], {
    limitMs: 250_000,
  });
const nameOf = ({ metadata }: V1Pod) => metadata?.name ?? '';

/** By way of the API server: no packet of a test reaches a pod. */
const page = (pod: V1Pod, port: number, path: string) =>
  kubectl(['get', '--raw', `/api/v1/namespaces/assay/pods/${nameOf(pod)}:${port}/proxy${path}`]);

test('the worker gets ready, and answers to the kubelet and to Prometheus', async () => {
  await ready();
  const [pod, ...more] = await workerPods();
  expect(more).toEqual([]);
  expect(await page(pod!, 8086, '/livez')).toBe('ok\n');
  expect(await page(pod!, 8086, '/readyz')).toBe('ok\n');
  const metrics = await page(pod!, 9464, '/metrics');
  expect(metrics).toMatch(/^temporal_num_pollers\{[^}]*task_queue="assay"[^}]*\} [1-9]/m);
  expect(metrics).toMatch(/^temporal_worker_task_slots_available\{/m);
});

describe('an experiment', () => {
  let ended: V1Pod;

  test('is completed by the pod and by the one after it', { timeout: 16 * MINUTE }, async () => {
    const run = await startExperiment();
    await loadRuns(run);
    ended = await endWorker(run);
    await ready();
    const watched = await run.ended;
    process.stderr.write(watched.stderr);
    // One block decides nothing; of the valid attempts two are warm-up.
    expect(watched.code, watched.stderr + watched.stdout).toBe(4);
    const result = (await new Client({ connection }).workflow.getHandle(ID).result()) as ExperimentResult;
    expect(result).toMatchObject({ outcome: 'completed', leaks: [], valid: 4, voided: 0 });
    expect(result.unverified).toBeUndefined();
    expectComplete(await measuredTrials(openStoreAt(result.resultsFolder ?? '')), 1);
    const report = await own.assay(['report', result.resultsFolder ?? '']);
    expect(report.stdout, report.stderr).toContain('Does the whole procedure work in a cluster?');
  });

  test('did not keep the worker from ending by itself when it was told to', () => {
    const [status] = ended.status?.containerStatuses ?? [];
    expect(status?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect(status?.restartCount).toBe(0);
  });
});

test('the janitor of the CronJob finds nothing that is left', async () => {
  await kubectl(['-n', 'assay', 'create', 'job', 'last-cleanup', '--from=cronjob/assay-janitor']);
  await kubectl(
    ['-n', 'assay', 'wait', '--for=jsonpath={.status.succeeded}=1', 'job/last-cleanup', '--timeout=120s'],
    { limitMs: 130_000 },
  );
  const said = await kubectl(['-n', 'assay', 'logs', 'job/last-cleanup']);
  expect(said).toContain('Nothing is left of any experiment.');
  // The role of a given namespace does not reach further.
  expect(said).toMatch(/looked at a part of the cluster: .*: Assay may not list namespaces, storageclasses/);
});

test('what the overlay made goes by the overlay', { timeout: 5 * MINUTE }, async () => {
  await kubectl(['delete', '-k', OVERLAY, '--timeout=180s'], { limitMs: 200_000 });
  const nothing = async () => ((await leftOver()).length === 0 ? true : undefined);
  await until(nothing, { everyMs: 1_000, limitMs: 60_000 });
  expect(await leftOver()).toEqual([]);
});

/** As deploy/README.md has it: the spec resolved, Temporal's own command line, and a look from outside. */
async function startExperiment(): Promise<RunningExperiment> {
  const given = { namespace: 'assay-labs', storageClass: 'assay-gp3' };
  const spec = writeSpec(own.folder, 'spec.yaml', clusterLab({ kubernetes: given }));
  const resolved = await own.assay(['resolve', spec, '--blocks', '1']);
  expect(resolved.code, resolved.stderr).toBe(0);
  const file = join(own.folder, 'spec.json');
  writeFileSync(file, resolved.stdout);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ lab: { target: 'kubernetes' } });
  const what = ['--type', 'experiment', '--task-queue', 'assay', '--workflow-id', ID, '--input-file', file];
  const started = await command(await temporalCli(), [
    'workflow',
    'start',
    '--address',
    temporal.address,
    ...what,
  ]);
  expect(started.code, started.stderr).toBe(0);
  const watched = own.assay(['watch', ID], 15 * MINUTE, { TEMPORAL_ADDRESS: temporal.address });
  return new RunningExperiment(ID, watched, async () => Promise.resolve(new Client({ connection })));
}

/** Waits until the load of a measured trial is with the worker. */
async function loadRuns(run: RunningExperiment): Promise<void> {
  await run.moment('a load of a measured trial runs', async () => {
    const status = await run.status();
    if (status?.phase !== 'measuring' || status.current === null) return false;
    const now = await pending(new Client({ connection }), status.current.workflowId).catch(() => []);
    return now.some(({ activity, started }) => activity === 'runLoads' && started);
  });
}

/**
 * Deletes the worker's pod as a drain does: SIGTERM, and SIGKILL after its grace. A finalizer keeps what is known of it.
 *
 * @returns the pod when its container has ended.
 */
async function endWorker(run: RunningExperiment): Promise<V1Pod> {
  const [pod] = await workerPods();
  const name = nameOf(pod!);
  const patch = ['-n', 'assay', 'patch', 'pod', name, '--type=merge', '-p'];
  await kubectl([...patch, JSON.stringify({ metadata: { finalizers: [HOLD] } })]);
  await kubectl(['-n', 'assay', 'delete', 'pod', name, '--wait=false']);
  const ended = await run.moment('the worker has ended', async () => {
    const now = (await workerPods()).find((one) => nameOf(one) === name);
    return now?.status?.containerStatuses?.[0]?.state?.terminated === undefined ? null : now;
  });
  await release([ended]);
  return ended;
}

/** Lets pods go that were held. */
async function release(pods: readonly V1Pod[]): Promise<void> {
  for (const pod of pods)
    if (pod.metadata?.finalizers?.includes(HOLD) === true)
      await kubectl([
        '-n',
        'assay',
        'patch',
        'pod',
        nameOf(pod),
        '--type=merge',
        '-p',
        '{"metadata":{"finalizers":null}}',
      ]).catch(() => undefined);
}
