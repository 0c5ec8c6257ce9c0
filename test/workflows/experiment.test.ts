import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import type { TrialInput } from '../../activities/contract.ts';
import { trialId } from '../../src/design/names.ts';
import type { ExperimentResult, ExperimentStatus } from '../../src/temporal/status.ts';
import { experiment } from '../../workflows/experiment.ts';
import { failure, fakeHost, type FakeHost, type Faults, untilCancelled } from './fake-host.ts';
import { timeSkipping, workerOf } from './time-skipping.ts';

const server = timeSkipping();
let runs = 0;

interface Run {
  readonly host: FakeHost;
  readonly handle: WorkflowHandle<typeof experiment>;
  readonly id: string;
}

/** Starts an experiment against a fake host, lets `during` act on it, and waits for its end. */
async function run(
  faults: Faults,
  during: (run: Run) => Promise<void> = async () => {},
): Promise<Run & { result: ExperimentResult | Error }> {
  runs += 1;
  const id = `experiment-${runs}`;
  const queue = `assay-${runs}`;
  const host = fakeHost(queue, faults);
  const worker = await workerOf(server.env, queue, host);
  const result = await worker.runUntil(async () => {
    const handle = await server.env.client.workflow.start(experiment, {
      args: [{ spec: true }],
      workflowId: id,
      taskQueue: queue,
    });
    await during({ host, handle, id });
    return handle.result().catch((error: unknown) => error as Error);
  });
  return { host, id, result, handle: server.env.client.workflow.getHandle(id) };
}

function trialsOf(host: FakeHost): string[] {
  return host.calls.filter((c) => c.startsWith('runLoads ')).map((c) => c.slice('runLoads '.length));
}

describe('an experiment', () => {
  it('fills topics between prepare and settle, where a scenario has some', async () => {
    const { host, result } = await run({ blocks: 1, extras: { fillLimitMs: { a: 60_000 } } });
    expect(result).toMatchObject({ outcome: 'completed', voided: 0 });
    const of = (id: string) =>
      host.calls.filter((call) => call.endsWith(` ${id}`)).map((call) => call.split(' ')[0]);
    expect(of('b1/a/a1').slice(0, 4)).toEqual(['prepareTrial', 'fillTrial', 'settleTrial', 'runLoads']);
    expect(of('b1/b/a1').slice(0, 3)).toEqual(['prepareTrial', 'settleTrial', 'runLoads']);
  });

  it('is a story: plan, machine, lab, two passes of block 0, freeze, blocks in their drawn order, report, teardown', async () => {
    const { host, result } = await run({});
    expect(result).toMatchObject({
      outcome: 'completed',
      decided: true,
      valid: 10,
      voided: 0,
      leaks: [],
      resultsFolder: '/results/x',
    });
    expect(trialsOf(host)).toEqual([
      'b0.p1/a/a1',
      'b0.p1/b/a1',
      'b0.p2/a/a1',
      'b0.p2/b/a1',
      'b1/a/a1',
      'b1/b/a1',
      'b2/b/a1',
      'b2/a/a1',
      'b3/a/a1',
      'b3/b/a1',
    ]);
    const story = host.calls.filter((c) => !c.includes('/'));
    expect(story.slice(0, 4)).toEqual(['planExperiment', 'tryLease', 'provisionLab', 'planPass']);
    expect(story.slice(-6)).toEqual([
      'analyseExperiment',
      'exportResults completed',
      'teardownLab',
      'verifyGone',
      'exportResults completed',
      'releaseLease',
    ]);
  });

  it('runs the phases of a trial in order', async () => {
    const { host } = await run({ blocks: 1 });
    const of = host.calls.filter((c) => c.endsWith(' b1/a/a1')).map((c) => c.split(' ')[0]);
    expect(of).toEqual([
      'prepareTrial',
      'settleTrial',
      'runLoads',
      'drainTrial',
      'verifyTrial',
      'collectTrial',
      'releaseTrial',
    ]);
  });

  it('tries a voided attempt anew at the end of its block, as often as the plan allows', async () => {
    const { host, result } = await run({
      blocks: 2,
      voids: { 'b1/a/a1': 'isr-shrunk', 'b1/a/a2': 'isr-shrunk' },
    });
    expect(trialsOf(host).slice(4)).toEqual(['b1/a/a1', 'b1/b/a1', 'b1/a/a2', 'b2/b/a1', 'b2/a/a1']);
    expect(result).toMatchObject({ outcome: 'completed', valid: 7, voided: 2 });
  });

  it('makes no new attempt when the reason is a full disk or our own bug', async () => {
    const { host } = await run({ blocks: 1, voids: { 'b1/a/a1': 'disk-full', 'b1/b/a1': 'bug' } });
    expect(trialsOf(host).slice(4)).toEqual(['b1/a/a1', 'b1/b/a1']);
  });

  it('warms a repaired lab up again before its next trial, outside the estimate', async () => {
    let dead = false;
    const { host } = await run({
      blocks: 1,
      voids: { 'b1/a/a1': 'host-replaced' },
      whileLoading: async (t) => void (trialId(t) === 'b1/a/a1' && (dead = true)),
      brokerDead: () => dead && !(dead = false),
    });
    expect(trialsOf(host).slice(4)).toEqual([
      'b1/a/a1',
      'b0.p101/a/a1',
      'b0.p101/b/a1',
      'b1/b/a1',
      'b1/a/a2',
    ]);
  });

  it('ends with what it has when the lab cannot be repaired', async () => {
    const { host, result } = await run({
      voids: { 'b2/b/a1': 'host-replaced' },
      fails: { mendLab: failure('Infrastructure', 'the broker does not start') },
    });
    expect(trialsOf(host).at(-1)).toBe('b2/b/a1');
    expect(result).toMatchObject({ outcome: 'completed', valid: 6, voided: 1 });
    expect(host.calls).toContain('teardownLab');
  });

  it('fails at once on a bad spec, with its type, and starts nothing', async () => {
    const { host, result } = await run({
      fails: { planExperiment: failure('InvalidSpec', 'the spec has 2 mistakes') },
    });
    expect(result).toBeInstanceOf(WorkflowFailedError);
    expect((result as WorkflowFailedError).cause).toMatchObject({ cause: { type: 'InvalidSpec' } });
    expect(host.calls).toEqual(['planExperiment']);
  });

  it('tears down and fails with the reason when the lab cannot be provisioned', async () => {
    const { host, result } = await run({
      fails: { provisionLab: failure('Infrastructure', 'port 9092 is taken') },
    });
    expect((result as WorkflowFailedError).cause).toMatchObject({
      type: 'Infrastructure',
      message: 'port 9092 is taken',
    });
    expect(host.calls.slice(-4)).toEqual([
      'teardownLab',
      'verifyGone',
      'exportResults failed',
      'releaseLease',
    ]);
  });

  it('names what is left behind', async () => {
    const { result } = await run({ blocks: 1, leaks: ['process 42 (broker b1)'] });
    expect(result).toMatchObject({ outcome: 'completed-with-leaks', leaks: ['process 42 (broker b1)'] });
  });

  it('is completed where nothing was found but something could not be looked at, and says so', async () => {
    const unverified = ['VolumeAttachments: Assay may not list them'];
    const { host, result } = await run({ blocks: 1, unverified });
    expect(result).toMatchObject({ outcome: 'completed', leaks: [], unverified });
    expect(host.notes).toContain(`not verified that nothing is left: ${unverified[0]}`);
  });

  it('tears down even when export and analysis fail', async () => {
    const { host, result } = await run({
      blocks: 1,
      fails: { exportResults: failure('bug', 'disk on fire'), analyseExperiment: failure('bug', 'no') },
    });
    expect(host.calls).toContain('teardownLab');
    expect(host.calls).toContain('releaseLease');
    expect(result).toMatchObject({ outcome: 'completed', decided: false });
  });
});

describe('control', () => {
  /** Holds the load of one trial until the test lets it go. */
  function held(id: string): { faults: Faults; started: Promise<void>; letGo: () => void } {
    let letGo = (): void => {};
    let begin = (): void => {};
    const gone = new Promise<void>((resolve) => (letGo = resolve));
    const started = new Promise<void>((resolve) => (begin = resolve));
    const whileLoading = async (trial: TrialInput): Promise<void> => {
      if (trialId(trial) !== id) return;
      begin();
      await Promise.race([gone, untilCancelled()]);
    };
    return { faults: { whileLoading }, started, letGo };
  }

  it('an abort keeps what was measured, ends the load, tears down and says so', async () => {
    const { faults, started } = held('b1/a/a1');
    const { host, result } = await run(faults, async ({ handle }) => {
      await started;
      await handle.executeUpdate('abort', { args: [{ reason: 'coffee' }] });
    });
    expect(result).toMatchObject({ outcome: 'aborted', message: 'aborted: coffee' });
    expect(host.calls).toContain('stopTrial b1/a/a1');
    expect(host.calls).toContain('collectTrial b1/a/a1');
    expect(host.calls.slice(-4)).toEqual([
      'teardownLab',
      'verifyGone',
      'exportResults aborted',
      'releaseLease',
    ]);
    expect(trialsOf(host).at(-1)).toBe('b1/a/a1');
  });

  it('cancel means abort', async () => {
    const { faults, started } = held('b0.p1/a/a1');
    const { host, result } = await run(faults, async ({ handle }) => {
      await started;
      await handle.cancel();
    });
    expect(result).toMatchObject({ outcome: 'aborted' });
    expect(host.calls).toContain('teardownLab');
  });

  it('answers the query status while it runs and after it ended', async () => {
    const { faults, started, letGo } = held('b1/b/a1');
    let during: ExperimentStatus | undefined;
    const { handle } = await run({ ...faults, blocks: 1 }, async ({ handle }) => {
      await started;
      during = await handle.query<ExperimentStatus>('status');
      letGo();
    });
    expect(during).toMatchObject({
      phase: 'measuring',
      trialsDone: 5,
      trialsPlanned: 6,
      valid: 5,
      current: { id: 'b1/b/a1' },
    });
    expect(handle.workflowId).toBeTruthy();
  });
});
