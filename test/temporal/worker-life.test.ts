import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hostQueue } from '../../src/lab/home.ts';
import { machineLease } from '../../src/lab/lease.ts';
import { privateHome, type PrivateHome } from '../support/private-home.ts';
import { temporalCli } from '../support/python-tool.ts';
import { until } from './support.ts';

/** A real worker process against a real server, as a pod has it. */

const WORKER = join(import.meta.dirname, '../../src/worker.ts');
/** PENDING_ACTIVITY_STATE_STARTED of the wire format. */
const STARTED = 2;

let server: TestWorkflowEnvironment;
let serving = true;
let home: PrivateHome;
const workers: RunningWorker[] = [];

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  home = await privateHome();
  server = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path: await temporalCli() } },
  });
});
afterAll(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  if (serving) await server?.teardown();
  home.remove();
});

interface RunningWorker {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  said: string;
  /** `200 ok`; null when nobody listens. */
  health(page: string): Promise<string | null>;
  metrics(): Promise<string>;
}

async function start(env: NodeJS.ProcessEnv = {}): Promise<RunningWorker> {
  const [health, metrics] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [WORKER], {
    env: {
      ...home.env,
      TEMPORAL_ADDRESS: server.address,
      ASSAY_HEALTH_ADDRESS: `127.0.0.1:${health}`,
      ASSAY_METRICS_ADDRESS: `127.0.0.1:${metrics}`,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const worker: RunningWorker = {
    child,
    ended: new Promise((resolve) => {
      child.on('exit', (code) => resolve(code));
    }),
    said: '',
    health: (page) =>
      fetch(`http://127.0.0.1:${health}${page}`).then(
        async (response) => `${response.status} ${(await response.text()).trim()}`,
        () => null,
      ),
    metrics: async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text(),
  };
  child.stderr?.on('data', (bytes: Buffer) => (worker.said += bytes.toString()));
  workers.push(worker);
  return worker;
}

async function ready(): Promise<RunningWorker> {
  const worker = await start();
  await until('the worker is ready', async () => (await worker.health('/readyz')) === '200 ok', 60_000);
  return worker;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const socket = createServer().listen(0, '127.0.0.1', () => {
      const address = socket.address();
      socket.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Who has the waiting activity now, and at which attempt. */
async function inFlight(handle: WorkflowHandle): Promise<{ pid: number; attempt: number } | null> {
  const [pending] = (await handle.describe()).raw.pendingActivities ?? [];
  if (pending === undefined || Number(pending.state) !== STARTED) return null;
  return { pid: Number.parseInt(pending.lastWorkerIdentity ?? '', 10), attempt: pending.attempt ?? 0 };
}

it('a worker serves health and metrics, and hands its activity over when it is told to end', async () => {
  const lease = machineLease(join(String(home.env['ASSAY_MACHINE_DIR'])));
  const holder = {
    experimentKey: 'other-1',
    workflowId: 'other',
    labFolder: join(home.home.labs, 'other-1'),
  };
  expect((await lease.acquire(holder)).held).toBe(true);
  const first = await ready();
  expect(await first.health('/livez')).toBe('200 ok');
  expect(await first.metrics()).toMatch(/^temporal_\w+\{.*task_queue="assay"/m);

  const story = await Worker.create({
    connection: server.nativeConnection,
    taskQueue: 'hand-over',
    workflowsPath: join(import.meta.dirname, 'hand-over/workflows.ts'),
  });
  await story.runUntil(async () => {
    const ref = { key: 'waiting-1', workflowId: 'waiting', store: join(home.home.results, 'waiting-1') };
    const handle = await server.client.workflow.start('waitsForLease', {
      args: [hostQueue(home.home), ref],
      taskQueue: 'hand-over',
      workflowId: 'waiting',
    });
    const before = await until('the first worker has it', () => inFlight(handle));
    expect(before).toEqual({ pid: first.child.pid, attempt: 1 });
    const second = await ready();

    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    const after = await until('the second worker has it', () => inFlight(handle));
    expect(after).toEqual({ pid: second.child.pid, attempt: 2 });
    expect(await first.health('/livez')).toBeNull();

    await lease.release('other-1');
    await handle.result();
  });
}, 120_000);

it('a worker is alive and not ready while its server does not answer', async () => {
  const worker = workers.find(({ child }) => child.exitCode === null) ?? (await ready());
  serving = false;
  await server.teardown();
  await until('it is not ready', async () => (await worker.health('/readyz'))?.startsWith('503 Temporal'));
  expect(await worker.health('/livez')).toBe('200 ok');
});

it.each([
  [{ ASSAY_HEALTH_ADDRESS: 'everywhere' }, 'ASSAY_HEALTH_ADDRESS is \\"everywhere\\"'],
  [{ ASSAY_METRICS_ADDRESS: '192.0.2.1:1' }, 'Metrics cannot be served on 192.0.2.1:1'],
  [{ ASSAY_HEALTH_ADDRESS: '192.0.2.1:1' }, 'The health server cannot listen on 192.0.2.1:1'],
])('a worker with %j ends at once and says why, without a stack', async (env, message) => {
  const worker = await start(env);
  expect(await worker.ended).toBe(1);
  expect(worker.said).toContain(message);
  expect(worker.said).not.toMatch(/\\n\s+at /);
});
