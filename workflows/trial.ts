import { CancellationScope, setCurrentDetails } from '@temporalio/workflow';
import type { SettleOutcome } from '../src/measure/trial-record.ts';
import type { TrialPhase } from '../src/temporal/status.ts';
import { trialId } from '../src/design/names.ts';
import type {
  Loaded,
  Prepared,
  TrialBrief,
  TrialEvidence,
  TrialInput,
  Verified,
} from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import { kindOf, tag } from './attributes.ts';
import { phaseFailure } from './failures.ts';

const MINUTE = 60_000;

/**
 * One attempt at a trial: prepare → fill → settle → load → drain → verify → collect → release. Its history is the
 * audit of one measurement. Whatever happens, what was measured is collected with a verdict, and the topic goes.
 */
export async function trial(input: TrialInput): Promise<TrialBrief> {
  const diary = new Diary(input);
  tag(input.searchAttributes, {
    AssayExperiment: input.ref.workflowId,
    AssayKind: kindOf(input),
    AssayScenario: input.scenario,
    AssayBlock: input.block,
  });
  try {
    await measure(input, diary);
  } catch (error) {
    diary.failure = phaseFailure(error);
  }
  return CancellationScope.nonCancellable(() => conclude(input, diary));
}

async function measure(trial: TrialInput, diary: Diary): Promise<void> {
  const host = (longestMs: number, summary: string) => hostActivities(trial.hostQueue, longestMs, summary);

  let prepared = await diary.phase('prepare', () =>
    host(3 * MINUTE, 'fresh topics, samplers, identities').prepareTrial(trial),
  );
  diary.prepared = prepared;
  const { fillLimitMs } = trial;
  if (fillLimitMs !== undefined) {
    prepared = await diary.phase('fill', () =>
      host(fillLimitMs + 5 * MINUTE, 'records and page cache before the load').fillTrial({ trial, prepared }),
    );
    diary.prepared = prepared;
  }
  diary.settled = await diary.phase('settle', () =>
    host(trial.settleLimitMs + 5 * MINUTE, 'until the machine is quiet').settleTrial(trial),
  );
  diary.loaded = await diary.phase('load', () =>
    host(trial.loadLimitMs + 2 * MINUTE, loadSummary(trial)).runLoads({ trial, prepared }),
  );
  diary.drained = await diary.phase('drain', () =>
    host(trial.drainLimitMs + MINUTE, 'watch dirty memory go').drainTrial(trial),
  );
  diary.verified = await diary.phase('verify', () =>
    host(3 * MINUTE, 'offsets, leaders, ISR, events').verifyTrial({ trial, prepared }),
  );
}

function loadSummary(trial: TrialInput): string {
  return Object.entries(trial.counts)
    .map(([load, records]) => `${load}: ${records} records`)
    .join(', ');
}

/** Runs uncancelled: ends what still runs, stores everything with its verdict, and removes the topic. */
export async function conclude(trial: TrialInput, diary: Diary): Promise<TrialBrief> {
  const host = hostActivities(trial.hostQueue, 5 * MINUTE);
  if (diary.failure !== null) await host.stopTrial(trial);
  const evidence = diary.evidence();
  const brief = await diary.phase('collect', () => host.collectTrial({ trial, evidence }));
  await diary.phase('release', () => host.releaseTrial(trial));
  diary.says(verdictLine(brief));
  tag(trial.searchAttributes, { AssayPhase: 'done', AssayVerdict: brief.valid ? 'valid' : 'invalid' });
  return brief;
}

function verdictLine(brief: TrialBrief): string {
  if (brief.valid)
    return `valid${brief.recordsPerS === null ? '' : `, ${Math.round(brief.recordsPerS)} records/s`}`;
  return `invalid: ${brief.reasons.map((r) => `${r.code} (${r.message})`).join('; ')}`;
}

/** What the phases of an attempt saw, and how long each took. */
export class Diary {
  failure: TrialEvidence['failure'] = null;
  prepared: Prepared | null = null;
  settled: SettleOutcome | null = null;
  loaded: Loaded | null = null;
  drained: SettleOutcome | null = null;
  verified: Verified | null = null;
  private readonly phasesMs: Record<string, number> = {};
  private readonly startedAtMs = Date.now();
  private readonly trial: TrialInput;

  constructor(trial: TrialInput) {
    this.trial = trial;
  }

  async phase<T>(name: TrialPhase, run: () => Promise<T>): Promise<T> {
    this.says(`phase: ${name}`);
    tag(this.trial.searchAttributes, { AssayPhase: name });
    const from = Date.now();
    try {
      return await run();
    } finally {
      this.phasesMs[name] = Date.now() - from;
    }
  }

  says(text: string): void {
    setCurrentDetails(`**${trialId(this.trial)}** (position ${this.trial.position})\n\n${text}`);
  }

  evidence(): TrialEvidence {
    const { failure, prepared, settled, loaded, drained, verified, startedAtMs } = this;
    const phasesMs = { ...this.phasesMs };
    return {
      startedAtMs,
      endedAtMs: Date.now(),
      phasesMs,
      failure,
      prepared,
      settled,
      loaded,
      drained,
      verified,
    };
  }
}
