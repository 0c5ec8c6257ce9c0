import { Context } from '@temporalio/activity';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trialId } from '../../src/design/names.ts';
import { ASSAY_SEARCH_ATTRIBUTES, searchAttributeArguments } from '../../src/temporal/search-attributes.ts';
import type { ExperimentStatus } from '../../src/temporal/status.ts';
import { experiment } from '../../workflows/experiment.ts';
import { temporalCli } from '../support/python-tool.ts';
import { workflowBundle } from './bundle.ts';
import { fakeHost, type FakeHost, type Faults } from './fake-host.ts';

let env: TestWorkflowEnvironment;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const suggest = ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=40'];
  env = await TestWorkflowEnvironment.createLocal({
    server: {
      executable: { type: 'existing-path', path: await temporalCli() },
      extraArgs: [...suggest, ...searchAttributeArguments()],
    },
  });
});
afterAll(async () => {
  await env?.teardown();
});

async function withWorker(
  id: string,
  faults: Faults,
  during: (host: FakeHost) => Promise<void>,
): Promise<FakeHost> {
  const host = fakeHost(id, faults);
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: id,
    workflowBundle: await workflowBundle(),
    activities: host.activities,
    maxHeartbeatThrottleInterval: 200,
  });
  await worker.runUntil(() => during(host));
  return host;
}

/** What the time-skipping server does not have: continue-as-new on suggestion, terminated children, search attributes. */
describe('on a real server, an experiment', () => {
  it('continues as new at a block boundary under the same key, and measures every block once', async () => {
    const host = await withWorker(
      'continued',
      { blocks: 8, searchAttributes: Object.keys(ASSAY_SEARCH_ATTRIBUTES) },
      async () => {
        const handle = await env.client.workflow.start(experiment, {
          args: [{}],
          workflowId: 'continued',
          taskQueue: 'continued',
        });
        const result = await handle.result();
        expect(result).toMatchObject({ outcome: 'completed', valid: 20, voided: 0 });
        expect((await env.client.workflow.getHandle('continued').describe()).runId).not.toBe(
          handle.firstExecutionRunId,
        );
      },
    );
    const loads = host.calls.filter((call) => call.startsWith('runLoads b'));
    expect(new Set(loads).size).toBe(loads.length);
    expect(loads.filter((call) => !call.includes(' b0.'))).toHaveLength(16);
    expect(host.calls.filter((call) => call === 'planExperiment')).toHaveLength(1);
    expect(host.calls.filter((call) => call === 'provisionLab')).toHaveLength(1);
  });

  it('keeps what was asked for through continue-as-new', async () => {
    const at: Record<string, (ask: (name: string, request: object) => Promise<string>) => Promise<unknown>> =
      {
        'b1/a/a1': (ask) => ask('extend', { blocks: 2, reason: 'wide' }),
        'b2/b/a1': (ask) => ask('skip', { scenario: 'b', reason: 'broken' }),
        'b8/b/a1': () => Promise.reject(new Error('it is skipped')),
        'b9/a/a1': (ask) => ask('finish-early', { reason: 'enough' }),
      };
    const handle = env.client.workflow.getHandle<typeof experiment>('kept');
    const whileLoading: Faults['whileLoading'] = async (trial) => {
      await at[trialId(trial)]?.((name, request) => handle.executeUpdate(name, { args: [request] }));
    };
    let status: ExperimentStatus | undefined;
    const host = await withWorker('kept', { blocks: 8, whileLoading }, async () => {
      const start = { args: [{}], workflowId: 'kept', taskQueue: 'kept' } as const;
      const started = await env.client.workflow.start(experiment, { ...start, args: [{}] });
      expect(await started.result()).toMatchObject({ outcome: 'completed' });
      status = await handle.query<ExperimentStatus>('status');
      expect((await handle.describe()).runId).not.toBe(started.firstExecutionRunId);
    });
    expect(host.deviations.map((d) => [d.kind, d.block])).toEqual([
      ['extend', 1],
      ...[3, 4, 5, 6, 7, 8].map((block) => ['skip', block]),
      ['skip', 9],
      ['finish-early', 9],
    ]);
    expect(host.calls.filter((c) => c.startsWith('runLoads b9'))).toEqual(['runLoads b9/a/a1']);
    expect(status).toMatchObject({ phase: 'done', outcome: 'completed', trialsDone: 4 + 4 + 7 });
  });

  it('goes on when one of its trials is terminated: that attempt is void and cleaned up', async () => {
    let begin = (): void => {};
    const started = new Promise<void>((resolve) => (begin = resolve));
    const whileLoading: Faults['whileLoading'] = async (trial) => {
      if (trialId(trial) !== 'b1/a/a1') return;
      begin();
      const context = Context.current();
      const beat = setInterval(() => context.heartbeat(), 100);
      await context.cancelled.finally(() => clearInterval(beat));
    };
    const host = await withWorker('terminated', { blocks: 1, whileLoading }, async () => {
      const handle = await env.client.workflow.start(experiment, {
        args: [{}],
        workflowId: 'terminated',
        taskQueue: 'terminated',
      });
      await started;
      await env.client.workflow.getHandle('terminated/b1/a/1').terminate('by hand');
      expect(await handle.result()).toMatchObject({ outcome: 'completed', voided: 1 });
    });
    expect(host.calls).toContain('stopTrial b1/a/a1');
    expect(host.calls).toContain('releaseTrial b1/a/a1');
    expect(host.calls.filter((call) => call.startsWith('runLoads')).at(-1)).toBe('runLoads b1/b/a1');
  });

  it('shows phase, progress and verdict as search attributes', async () => {
    await withWorker(
      'attributes',
      { blocks: 1, searchAttributes: Object.keys(ASSAY_SEARCH_ATTRIBUTES) },
      async () => {
        const handle = await env.client.workflow.start(experiment, {
          args: [{}],
          workflowId: 'attributes',
          taskQueue: 'attributes',
        });
        await handle.result();
        const { typedSearchAttributes } = await handle.describe();
        const shown = Object.fromEntries(
          typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]),
        );
        expect(shown).toMatchObject({
          AssayKind: 'measurement',
          AssayPhase: 'done',
          AssayProgress: '6/6',
          AssayValidTrials: 6,
          AssayVoidTrials: 0,
          AssayVerdict: 'completed',
        });
        expect((await handle.describe()).memo).not.toHaveProperty('rehearsal');
      },
    );
  });

  it('tells a rehearsal from a measurement in its memo, its attributes, those of its trials, and its result', async () => {
    const searchAttributes = Object.keys(ASSAY_SEARCH_ATTRIBUTES);
    await withWorker('rehearsal', { blocks: 1, searchAttributes, extras: { smoke: true } }, async () => {
      const handle = await env.client.workflow.start(experiment, {
        args: [{}],
        workflowId: 'rehearsal',
        taskQueue: 'rehearsal',
      });
      expect(await handle.result()).toMatchObject({ stamp: 'not a measurement' });
      const trial = env.client.workflow.getHandle('rehearsal/b1/a/1');
      for (const { typedSearchAttributes } of [await handle.describe(), await trial.describe()])
        expect(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toContainEqual([
          'AssayKind',
          'rehearsal',
        ]);
      expect((await handle.describe()).memo).toMatchObject({ rehearsal: 'not a measurement' });
    });
  });
});
