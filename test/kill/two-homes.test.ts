import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hostQueue } from '../../src/lab/home.ts';
import { TASK_QUEUE } from '../../src/temporal/status.ts';
import { temporalCli } from '../support/python-tool.ts';
import { eventually, running, type Running } from './support/running.ts';

const run = promisify(execFile);

/** One broker, so that two labs fit on the machine at once. */
const SPEC = {
  assay: 1,
  name: 'two-homes',
  question: 'Does each home keep to itself?',
  lab: { brokers: { count: 1, heap: '384MiB' }, clients: { count: 1, heap: '256MiB' } },
  payload: { json: { lines: 500, size: '512B' } },
  topics: { main: { partitions: 3, replication: 1 } },
  producers: { p: { topic: 'main', for: '6s', rate: '500/s', config: { acks: 'all' } } },
  factors: { batch: { set: 'producers.p.config.batch.size', levels: ['16KiB', '64KiB'] } },
  design: { blocks: 1, warmup: { passes: 1 } },
  window: { ramp: '1s', min: '2s' },
  // Neither finds the machine quiet while the other one runs: no use in waiting long for it.
  settle: { method: 'sync', quiet: '1s', limit: '3s', drain: '1s' },
};

let folder: string;
let spec: string;
/** The first has the server, the second only a worker; machine folders are apart, so that neither waits for the other. */
let homes: readonly [Running, Running];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'assay-two-homes-'));
  spec = join(folder, 'spec.json');
  writeFileSync(spec, JSON.stringify(SPEC));
  const first = await running();
  homes = [first, await running(first.address)];
});
afterAll(async () => {
  // The second needs the first one's server to end in peace.
  for (const home of (homes ?? []).toReversed()) await home.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Task {
  readonly activity: string;
  readonly queue: string;
  readonly identity: string;
  readonly startedAtMs: number;
}

/** Every activity that an experiment and its trials started: on which queue, and which worker took it. */
async function tasksOf(client: Client, id: string): Promise<Task[]> {
  const tasks: Task[] = [];
  const children = new Set<string>();
  for (const workflowId of await withTrials(client, id, children)) {
    const history = await client.workflow.getHandle(workflowId).fetchHistory();
    const scheduled = new Map<string, { activity: string; queue: string }>();
    for (const event of history.events ?? []) {
      const asked = event.activityTaskScheduledEventAttributes;
      if (asked)
        scheduled.set(String(event.eventId), {
          activity: asked.activityType?.name ?? '',
          queue: asked.taskQueue?.name ?? '',
        });
      const started = event.activityTaskStartedEventAttributes;
      const what = started && scheduled.get(String(started.scheduledEventId));
      if (started && what)
        tasks.push({
          ...what,
          identity: started.identity ?? '',
          startedAtMs: Number(event.eventTime?.seconds ?? 0) * 1000,
        });
    }
  }
  return tasks;
}

async function withTrials(client: Client, id: string, found: Set<string>): Promise<string[]> {
  const history = await client.workflow.getHandle(id).fetchHistory();
  for (const event of history.events ?? []) {
    const child = event.startChildWorkflowExecutionInitiatedEventAttributes;
    if (child?.workflowId) found.add(child.workflowId);
  }
  return [id, ...found];
}

const workerOf = (home: Running): string => `${home.pid('worker')}@${hostname()}`;

describe('two homes with a worker each on one Temporal server', () => {
  it('run their own experiments at once, and no activity of one lands on the other', {
    timeout: 400_000,
  }, async () => {
    const client = await homes[0].client();
    for (const [i, home] of homes.entries()) {
      const started = await home.assay('run', spec, '--id', `home-${i}`, '--detach');
      expect(started.code, started.stderr).toBe(0);
      // Homes that do not share a machine folder do not see which ports the other one is about to take.
      await eventually('its brokers run', async () => (await home.status(`home-${i}`)).trialsPlanned > 2);
    }
    const results = await Promise.all(homes.map((home, i) => home.result(`home-${i}`)));
    expect(results.map((r) => [r.outcome, r.leaks])).toEqual([
      ['completed', []],
      ['completed', []],
    ]);
    const tasks = await Promise.all(homes.map((_home, i) => tasksOf(client, `home-${i}`)));
    for (const [i, home] of homes.entries()) {
      expect(tasks[i]!.length).toBeGreaterThan(30);
      expect(new Set(tasks[i]!.map((t) => t.identity))).toEqual(new Set([workerOf(home)]));
      expect(new Set(tasks[i]!.map((t) => t.queue))).toEqual(new Set([hostQueue(home.own.home)]));
      expect(results[i]!.resultsFolder).toContain(home.own.home.results);
    }
    // They really ran side by side.
    const times = tasks.map((list) => list.map((t) => t.startedAtMs));
    expect(Math.max(...times.map((t) => Math.min(...t)))).toBeLessThan(
      Math.min(...times.map((t) => Math.max(...t))),
    );
  });

  it('one that was started by hand stays with the worker that planned it', { timeout: 300_000 }, async () => {
    const client = await homes[0].client();
    const start = ['workflow', 'start', '--address', homes[0].address, '--type', 'experiment'];
    const args = [...start, '--task-queue', TASK_QUEUE, '--workflow-id', 'by-hand', '--input-file', spec];
    await run(await temporalCli(), args);
    await eventually('a trial runs', async () => (await homes[0].status('by-hand')).current !== null);
    await homes[0].assay('abort', 'by-hand');
    const tasks = await tasksOf(client, 'by-hand');
    const planner = tasks.find((t) => t.activity === 'planExperiment')!.identity;
    expect(homes.map(workerOf)).toContain(planner);
    expect(new Set(tasks.map((t) => t.identity))).toEqual(new Set([planner]));
  });
});
