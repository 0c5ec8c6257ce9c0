import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../src/cli/context.ts';
import { folderOf, keyOf, listExperiments } from '../../src/cli/experiments.ts';
import { followToEnd } from '../../src/cli/follow-to-end.ts';
import { observe } from '../../src/cli/observe.ts';
import { startExperiment } from '../../src/cli/start.ts';
import { experimentKey } from '../../src/design/names.ts';
import { chooseTemporal } from '../../src/temporal/connection.ts';
import {
  ASSAY_SEARCH_ATTRIBUTES,
  missingSearchAttributes,
  searchAttributeArguments,
} from '../../src/temporal/search-attributes.ts';
import { TASK_QUEUE } from '../../src/temporal/status.ts';
import { temporalCli, until } from '../temporal/support.ts';
import { standInActivities } from './stand-in/activities.ts';
import { fakeTerminal } from './support.ts';

let temporal: TestWorkflowEnvironment;
let worker: Worker;
let running: Promise<void>;

beforeAll(async () => {
  const path = await temporalCli();
  // One of the attributes is left out, to be missed.
  const extraArgs = searchAttributeArguments().slice(0, -2);
  temporal = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path }, extraArgs },
  });
  worker = await Worker.create({
    connection: temporal.nativeConnection,
    taskQueue: TASK_QUEUE,
    workflowsPath: join(import.meta.dirname, 'stand-in', 'workflows.ts'),
    activities: standInActivities,
    maxHeartbeatThrottleInterval: 200,
  });
  running = worker.run();
});
afterAll(async () => {
  worker?.shutdown();
  await running;
  await temporal?.teardown();
});

const start = (workflowId: string, json: object = { name: 'codec' }) =>
  startExperiment(temporal.client, {
    workflowId,
    json,
    name: 'codec',
    question: 'Which? '.repeat(100),
    smoke: false,
    hostQueue: 'assay-host-0123456789ab',
  });

function context(): { context: Context; terminal: ReturnType<typeof fakeTerminal> } {
  const terminal = fakeTerminal();
  return { context: { terminal, env: {}, exitWith: () => {} }, terminal };
}

const session = () => ({
  client: temporal.client,
  choice: chooseTemporal({ TEMPORAL_ADDRESS: temporal.address }),
});

describe('an experiment on a real server', () => {
  it('is seen with its status and the heartbeat of its trial, refuses its id to another, and ends as aborted with 6', async () => {
    const handle = await start('one');
    await expect(start('one')).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('already running'),
    });
    const seen = await until('a heartbeat', async () => {
      const observation = await observe(temporal.client, 'one');
      return observation.heartbeat === null ? null : observation;
    });
    expect(seen).toMatchObject({
      state: 'RUNNING',
      silent: null,
      status: { name: 'codec', trialsDone: 1 },
      heartbeat: { phase: 'drain', text: '412 MiB dirty', remainingMs: 30_000 },
    });
    const { context: ours, terminal } = context();
    const end = followToEnd(ours, session(), 'one', { json: true });
    await until('it is followed', () => terminal.err.includes('trial 1 of 2'));
    await handle.executeUpdate('abort', { args: [{ reason: 'enough' }] });
    expect(await end).toBe(6);
    expect(JSON.parse(terminal.out)).toMatchObject({
      workflowId: 'one',
      outcome: 'aborted',
      message: 'aborted: enough',
    });
    // Its id is free again.
    await (await start('one')).terminate();
  });

  it('ends with 2 when the workflow finds the spec invalid', async () => {
    await start('two', {});
    const { context: ours } = context();
    await expect(followToEnd(ours, session(), 'two', { json: false })).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('name is missing'),
    });
  });

  it('says so when there is no such experiment', async () => {
    const { context: ours } = context();
    await expect(followToEnd(ours, session(), 'nobody', { json: false })).rejects.toMatchObject({
      exitCode: 2,
    });
  });

  it('lists experiments, running or not, and not their trials', async () => {
    const handle = await start('three');
    const running = await until('it is listed', async () => {
      const found = await listExperiments(temporal.client, { running: true, limit: 10 });
      return found.some(({ workflowId }) => workflowId === 'three') ? found : null;
    });
    expect(running).toMatchObject([
      {
        workflowId: 'three',
        name: 'codec',
        state: 'RUNNING',
        endedAt: null,
      },
    ]);
    // As the workflow itself makes it: its results folder is found by it.
    const key = experimentKey(
      'three',
      (handle as { firstExecutionRunId?: string }).firstExecutionRunId ?? '',
    );
    expect(await Promise.all(running.map((one) => keyOf(temporal.client, one)))).toEqual([key]);
    expect(await folderOf(temporal.client, 'nobody')).toBeNull();
    await handle.terminate();
  });

  it('knows which search attributes the server lacks', async () => {
    const last = Object.keys(ASSAY_SEARCH_ATTRIBUTES).at(-1);
    expect(await missingSearchAttributes(temporal.connection, 'default')).toEqual([last]);
  });
});
