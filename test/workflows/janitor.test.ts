import { Worker } from '@temporalio/worker';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JanitorActivities, JanitorInput, JanitorReport } from '../../activities/contract-janitor.ts';
import { janitorActivities } from '../../activities/janitor.ts';
import { experimentKey } from '../../src/design/names.ts';
import { workflowsOf } from '../../src/janitor/workflows.ts';
import { experiment } from '../../workflows/experiment.ts';
import { janitor } from '../../workflows/janitor.ts';
import { EVERYWHERE, makeLab, shiftOf } from '../janitor/support.ts';
import { type MemoryCluster, memoryCluster } from '../lab/kubernetes/memory-cluster.ts';
import { designOf } from '../lab/kubernetes/objects/support.ts';
import { workflowBundle } from './bundle.ts';
import { failure } from './fake-host.ts';
import { timeSkipping } from './time-skipping.ts';

/* The workflow with its real activities, asking a real Temporal; the cluster is the one in memory. */

const server = timeSkipping();
const HOUR = 3_600_000;
let runs = 0;
let cluster: MemoryCluster;
let begun: string[];

beforeEach(() => {
  cluster = memoryCluster();
  begun = [];
});
afterEach(async () => {
  for (const id of begun)
    await server.env.client.workflow
      .getHandle(id)
      .terminate()
      .catch(() => undefined);
});

/** An experiment that no worker takes: it runs until somebody ends it. Its lab expired an hour ago. */
async function leftBy(
  name: string,
): Promise<{ readonly key: string; readonly terminate: () => Promise<unknown> }> {
  const workflowId = `${name}-${++runs}`;
  const options = { args: [{}] as [unknown], workflowId, taskQueue: 'nobody' };
  const handle = await server.env.client.workflow.start(experiment, options);
  begun.push(workflowId);
  const key = experimentKey(workflowId, handle.firstExecutionRunId);
  await makeLab(cluster, designOf({}, { key, workflowId, expiresAtMs: Date.now() - HOUR }));
  return { key, terminate: () => handle.terminate('by hand') };
}

async function run(
  input: JanitorInput | undefined,
  changes: (real: JanitorActivities) => Partial<JanitorActivities> = () => ({}),
): Promise<JanitorReport> {
  const id = `janitor-${++runs}`;
  const { ways } = shiftOf({
    cluster: async () => Promise.resolve(cluster),
    workflows: workflowsOf(server.env.client),
  });
  const real = janitorActivities({ hostQueue: id }, () => ways);
  const worker = await Worker.create({
    connection: server.env.nativeConnection,
    taskQueue: id,
    workflowBundle: await workflowBundle(),
    activities: { ...real, ...changes(real) },
    maxHeartbeatThrottleInterval: 200,
  });
  const args: [JanitorInput?] = input === undefined ? [] : [input];
  return worker.runUntil(
    server.env.client.workflow.execute(janitor, { args, workflowId: id, taskQueue: id }),
  );
}

const told = ({ found }: JanitorReport) =>
  Object.fromEntries(
    found.map(({ key, verdict, removal }) => [key, [verdict.remove, removal?.outcome ?? null]]),
  );

describe('the janitor', () => {
  it('says what it would remove, and removes nothing unless it is told to', async () => {
    const lab = await leftBy('codec');
    await lab.terminate();
    const before = [...cluster.things.keys()];
    const report = await run(undefined);
    expect(report).toMatchObject({ format: 1, dryRun: true });
    expect(report.looks.map(({ place, state }) => [place, state])).toEqual([
      ['machine', 'complete'],
      ['cluster', 'complete'],
      ['ec2', 'skipped'],
    ]);
    expect(told(report)).toEqual({ [lab.key]: [true, null] });
    expect(report.found[0]).toMatchObject({ workflow: { kind: 'closed', how: 'terminated' } });
    expect([...cluster.things.keys()]).toEqual(before);
  });

  it('removes what a terminated experiment left, and never what belongs to one that runs', async () => {
    const [ended, running] = [await leftBy('ended'), await leftBy('running')];
    await ended.terminate();
    const report = await run({ delete: true });
    // Nobody asks EC2 here, so that its disks are gone is not proven.
    expect(told(report)).toEqual({ [ended.key]: [true, 'incomplete'], [running.key]: [false, null] });
    expect(report.found[0]?.removal?.remains).toEqual([
      expect.stringMatching(/^unverified: volumes .* in EC2/),
    ]);
    const left = [...cluster.things.values()].map(
      ({ metadata }) => metadata.labels?.['assay.dev/experiment'],
    );
    expect(left).not.toContain(ended.key);
    expect(left).toContain(running.key);
    expect(told(await run({ delete: true }))).toEqual({ [running.key]: [false, null] });
  });

  it('goes on when one of them does not go', async () => {
    const labs = [await leftBy('a'), await leftBy('b')];
    for (const lab of labs) await lab.terminate();
    const [first] = labs;
    const report = await run({ delete: true }, (real) => ({
      removeLeftover: async (input) => {
        if (input.leftover.key === first?.key) throw failure('Infrastructure', 'the server is on fire')();
        return real.removeLeftover(input);
      },
    }));
    expect(report.found.map(({ removal }) => removal?.why)).toEqual([
      'the server is on fire',
      expect.stringContaining('has ended (terminated)'),
    ]);
  });

  it('ends at once, with every mistake, when its input is wrong', async () => {
    const wrong = { delete: 'yes', region: 'http://evil' } as unknown as JanitorInput;
    const error = await run(wrong).then(
      () => null,
      (reason: { cause?: { cause?: Error } }) => reason.cause?.cause?.message ?? '',
    );
    expect(error).toContain('delete: ');
    expect(error).toContain('region: Expected a region such as ap-northeast-2.');
  });

  it('does not know an experiment that another one of its id has followed', async () => {
    const { key, terminate } = await leftBy('again');
    await terminate();
    const workflowId = `again-${runs}`;
    await server.env.client.workflow.start(experiment, { args: [{}], workflowId, taskQueue: 'nobody' });
    const states = workflowsOf(server.env.client);
    expect(await states.stateOf(workflowId, key)).toEqual({ kind: 'not-found' });
    expect(await states.stateOf('never-was', key)).toEqual({ kind: 'not-found' });
    expect(told(await run({ delete: true, ignoreExpiry: EVERYWHERE.ignoreExpiry }))).toEqual({
      [key]: [false, null],
    });
  });
});
