/** Stands in for the real experiment where the command line is tested: one child with a heartbeat, until it is aborted. */
import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineUpdate,
  proxyActivities,
  setHandler,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { ExperimentResult, ExperimentStatus } from '../../../src/temporal/status.ts';
import type { StandInActivities } from './activities.ts';

export async function experiment(spec: { name?: string }): Promise<ExperimentResult> {
  if (spec.name === undefined) throw ApplicationFailure.nonRetryable('name is missing', 'InvalidSpec');
  let reason: string | null = null;
  const id = workflowInfo().workflowId;
  const child = await startChild(trial, { workflowId: `${id}/b1/x/1`, parentClosePolicy: 'TERMINATE' });
  setHandler(defineUpdate<void, [{ reason: string }]>('abort'), (request) => void (reason = request.reason));
  setHandler(defineQuery<ExperimentStatus>('status'), () => ({
    format: 1,
    key: 'stand-in',
    name: spec.name ?? '',
    phase: 'measuring',
    outcome: null,
    message: '',
    trialsDone: 1,
    trialsPlanned: 2,
    valid: 1,
    voided: [],
    current: { id: 'b1/x/a1', workflowId: child.workflowId, phase: 'load', since: '2026-01-01T00:00:00Z' },
    recent: [{ id: 'b0.p1/x/a1', position: 1, valid: true, rateRecordsPerS: 1234, reasons: [] }],
    resultsFolder: null,
    startedAt: '2026-01-01T00:00:00Z',
  }));
  await condition(() => reason !== null);
  return {
    format: 1,
    key: 'stand-in',
    outcome: 'aborted',
    decided: false,
    resultsFolder: null,
    message: `aborted: ${reason}`,
    leaks: [],
    valid: 1,
    voided: 0,
  };
}

export async function trial(): Promise<void> {
  await proxyActivities<StandInActivities>({ startToCloseTimeout: '5m', heartbeatTimeout: '10s' }).load();
}
