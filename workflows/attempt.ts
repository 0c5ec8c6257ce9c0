import { ParentClosePolicy, executeChild, isCancellation } from '@temporalio/workflow';
import { blockName, trialId, trialWorkflowId } from '../src/design/names.ts';
import type { Counts, PlanBrief, TrialBrief, TrialInput } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import { phaseFailure } from './failures.ts';
import type { Logbook } from './logbook.ts';
import { Diary, conclude, trial } from './trial.ts';

/** What all trials of one pass over the scenarios share. */
export interface PassSettings {
  readonly block: number;
  /** Of block 0 only. */
  readonly pass: number | null;
  readonly rampMs: number;
  readonly counts: Readonly<Record<string, Counts>>;
  readonly loadLimitMs: Readonly<Record<string, number>>;
  /** Scenario → load → records/s, where block 0 fixes them. */
  readonly rates?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Absent = 1. */
  readonly lab?: number;
}

/** Settings of one attempt. */
export function trialInput(
  plan: PlanBrief,
  pass: PassSettings,
  scenario: string,
  attempt: number,
  position: number,
): TrialInput {
  const { ref, hostQueue, settleLimitMs, drainLimitMs, searchAttributes } = plan;
  const counts = pass.counts[scenario] ?? {};
  const loadLimitMs = pass.loadLimitMs[scenario] ?? 600_000;
  const rates = pass.rates?.[scenario];
  const fillLimitMs = plan.fillLimitMs?.[scenario];
  const name = { block: pass.block, pass: pass.pass, scenario, attempt };
  return {
    ...name,
    ref,
    hostQueue,
    position,
    counts,
    ...(rates === undefined ? {} : { rates }),
    ...(fillLimitMs === undefined ? {} : { fillLimitMs }),
    ...(pass.lab === undefined || pass.lab === 1 ? {} : { lab: pass.lab }),
    rampMs: pass.rampMs,
    loadLimitMs,
    settleLimitMs,
    drainLimitMs,
    searchAttributes,
    ...(plan.smoke === true ? { smoke: plan.smoke } : {}),
  };
}

/** Runs one attempt as a child workflow; a child that was terminated is concluded here: its attempt is void. */
export async function runTrial(input: TrialInput, log: Logbook): Promise<TrialBrief> {
  log.trialStarts(input, Date.now());
  const brief = await attempt(input);
  log.trialEnds(brief, Date.now());
  return brief;
}

async function attempt(input: TrialInput): Promise<TrialBrief> {
  try {
    return await executeChild(trial, {
      args: [input],
      workflowId: trialWorkflowId(input.ref.workflowId, input),
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      staticSummary: `${trialId(input)} at position ${input.position}`,
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    const diary = new Diary(input);
    diary.failure = phaseFailure(error);
    return conclude(input, diary);
  }
}

/** Exports the history of each trial, while the server still has it: retention may be a day. */
export async function keepHistories(plan: PlanBrief, trials: readonly TrialInput[]): Promise<void> {
  const workflows = trials.map((t) => ({
    id: trialWorkflowId(t.ref.workflowId, t),
    file: `histories/${blockName(t.block, t.pass)}/${t.scenario}.a${t.attempt}.json`,
  }));
  await hostActivities(plan.hostQueue).exportHistories({ ref: plan.ref, workflows });
}
