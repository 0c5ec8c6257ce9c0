import type { ExpectationTally } from '../../src/temporal/status.ts';
import { ApplicationFailure, Context } from '@temporalio/activity';
import type {
  Activities,
  FrozenBrief,
  PlanBrief,
  TrialBrief,
  TrialInput,
} from '../../activities/contract.ts';
import type { Deviation } from '../../src/design/deviation.ts';
import { trialId } from '../../src/design/names.ts';
import { reason, deservesNewAttempt, type ReasonCode } from '../../src/measure/reasons.ts';

/** What a fake host is told to do wrong; workflows are tested against it, everything else against real parts. */
export interface Faults {
  /** Trial id → reason with which `collectTrial` voids it. */
  readonly voids?: Readonly<Record<string, ReasonCode>>;
  /** Name of an activity → how it fails. */
  readonly fails?: Partial<Record<keyof Activities, () => Error>>;
  /** `runLoads` waits for this before it returns. */
  readonly whileLoading?: (trial: TrialInput) => Promise<void>;
  readonly leaks?: readonly string[];
  /** Where it may not look for leaks. */
  readonly unverified?: readonly string[];
  readonly brokerDead?: () => boolean;
  readonly searchAttributes?: readonly string[];
  readonly blocks?: number;
  /** Blocks that the budget of written bytes has room for. */
  readonly mostBlocks?: number;
  readonly deadlineMs?: number;
  /** Parts that only some experiments have. */
  readonly extras?: Partial<PlanBrief>;
  readonly frozen?: Partial<FrozenBrief>;
  /** Rates that a search tries before it has its candidate. */
  readonly searched?: readonly number[];
  /** Passes until credits are used up. */
  readonly depletedAfter?: number;
  /** The block at which every interval is narrow enough. */
  readonly enoughAt?: number;
  /** How the spec's expectations come out. */
  readonly expectations?: ExpectationTally;
}

export interface FakeHost {
  readonly activities: Activities;
  /** Every call in order: `name` or `name trial`. */
  readonly calls: string[];
  /** What the analysis was told to have been changed by hand. */
  readonly deviations: readonly Deviation[];
  /** Every trial that was loaded, as it was asked for. */
  readonly trials: readonly TrialInput[];
  /** Notes of the last export. */
  readonly notes: readonly string[];
}

/** A host that does nothing and says what it was asked. */
export function fakeHost(hostQueue: string, faults: Faults = {}): FakeHost {
  const calls: string[] = [];
  const deviations: Deviation[] = [];
  const notes: string[] = [];
  const trials: TrialInput[] = [];
  const said = <T>(name: keyof Activities, value: T, about = ''): T => {
    calls.push(about === '' ? name : `${name} ${about}`);
    const fails = faults.fails?.[name];
    if (fails !== undefined) throw fails();
    return value;
  };
  const limits = { a: 60_000, b: 60_000 };
  const counts = { a: { p: 1000 }, b: { p: 1000 } };
  let steps = 0;
  let depletions = 0;
  const activities: Activities = {
    planExperiment: async ({ key, workflowId }) =>
      said('planExperiment', brief(hostQueue, key, workflowId, faults)),
    tryLease: async () => said('tryLease', { holder: null }),
    waitForLease: async () => said('waitForLease', undefined),
    holdLease: async () => {
      said('holdLease', undefined);
      await untilCancelled();
    },
    releaseLease: async () => said('releaseLease', undefined),
    provisionLab: async () =>
      said('provisionLab', { kafkaVersion: '4.3.1', brokers: 3, bootstrapServers: 'x:1' }),
    mendLab: async () => {
      const repaired = faults.brokerDead?.() ?? false;
      return said('mendLab', { repaired, message: repaired ? 'Repaired the lab.' : 'all live' });
    },
    planPass: async ({ pass }) =>
      said('planPass', { enough: pass > 2, message: 'warm', counts, loadLimitMs: limits }),
    freezeExperiment: async () =>
      said('freezeExperiment', {
        frozenSha256: 'f',
        rampMs: 3000,
        warm: true,
        stillWarming: [],
        counts,
        loadLimitMs: limits,
        expectedHalfWidth: null,
        mostBlocks: faults.mostBlocks ?? null,
        ...faults.frozen,
      }),
    applyPlot: async ({ plot }) => said('applyPlot', { message: `${plot} applied` }, plot),
    renewLab: async ({ lab }) =>
      said('renewLab', { kafkaVersion: '4.3.1', brokers: 3, bootstrapServers: 'y:1' }, String(lab)),
    planSearch: async () => {
      const rate = faults.searched?.[steps];
      steps += 1;
      const trial =
        rate === undefined
          ? null
          : { scenario: 'a', counts: { p: rate * 10 }, rates: { p: rate }, loadLimitMs: 60_000 };
      return said('planSearch', { message: `step ${steps}`, trial });
    },
    planDepletion: async () => {
      depletions += 1;
      const over = depletions > (faults.depletedAfter ?? 0);
      return said('planDepletion', { over, message: over ? 'credits are used up' : 'going on' });
    },
    assessBlocks: async ({ block }) =>
      said('assessBlocks', { enough: block === faults.enoughAt, message: 'narrow enough' }, String(block)),
    prepareTrial: async (t) =>
      said('prepareTrial', { atMs: 1, identities: {}, topics: {}, payloads: {} }, trialId(t)),
    fillTrial: async ({ trial, prepared }) => said('fillTrial', prepared, trialId(trial)),
    settleTrial: async (t) => said('settleTrial', outcome(), trialId(t)),
    runLoads: async ({ trial }) => {
      trials.push(trial);
      said('runLoads', undefined, trialId(trial));
      await faults.whileLoading?.(trial);
      return { loads: { p: { state: 'exited', exitCode: 0 } }, endedAtMs: 2 };
    },
    drainTrial: async (t) => said('drainTrial', outcome(), trialId(t)),
    verifyTrial: async ({ trial }) =>
      said('verifyTrial', { identities: {}, topics: {}, events: [] }, trialId(trial)),
    stopTrial: async (t) => said('stopTrial', undefined, trialId(t)),
    collectTrial: async ({ trial, evidence }) =>
      said(
        'collectTrial',
        trialBrief(trial, evidence.failure?.code ?? faults.voids?.[trialId(trial)]),
        trialId(trial),
      ),
    releaseTrial: async (t) => said('releaseTrial', undefined, trialId(t)),
    exportHistories: async ({ workflows }) =>
      said('exportHistories', undefined, workflows.map((w) => w.file).join(' ')),
    analyseExperiment: async (input) => {
      deviations.push(...input.deviations);
      const { expectations } = faults;
      const answer = 'b is 2 times as fast as a';
      return said('analyseExperiment', {
        decided: true,
        answer,
        words: {},
        ...(expectations && { expectations }),
      });
    },
    exportResults: async ({ conclusion }) => {
      notes.splice(0, notes.length, ...conclusion.notes);
      return said('exportResults', { folder: '/results/x' }, conclusion.outcome);
    },
    teardownLab: async () => said('teardownLab', undefined),
    assessBudget: async () => ({ enough: true, message: 'within' }),
    readMetrics: async () => ({ message: 'CloudWatch: nothing' }),
    verifyGone: async () =>
      said('verifyGone', { leaks: faults.leaks ?? [], unverified: faults.unverified ?? [] }),
  };
  return { activities, calls, deviations, notes, trials };
}

function outcome() {
  return { outcome: 'QUIET', method: 'sync', tookMs: 1, baseDirtyBytes: 0, curve: [] } as const;
}

function brief(hostQueue: string, key: string, workflowId: string, faults: Faults): PlanBrief {
  const orders = Array.from({ length: faults.blocks ?? 3 }, (_, i) =>
    i % 2 === 0 ? ['a', 'b'] : ['b', 'a'],
  );
  return {
    ref: { key, workflowId, store: `/results/${key}` },
    name: 'fake',
    question: 'does it work?',
    planSha256: 'p',
    hostQueue,
    scenarios: ['a', 'b'],
    orders,
    spareOrders: orders.map(() => ['b', 'a']),
    warmupOrders: [['a', 'b']],
    maxPasses: 3,
    retries: 1,
    deadlineMs: faults.deadlineMs ?? 48 * 3_600_000,
    settleLimitMs: 1000,
    drainLimitMs: 1000,
    searchAttributes: faults.searchAttributes ?? [],
    ...faults.extras,
  };
}

function trialBrief(trial: TrialInput, voided: ReasonCode | undefined): TrialBrief {
  const { block, pass, scenario, attempt, position } = trial;
  const reasons = voided === undefined ? [] : [reason(voided, 'as told')];
  const valid = reasons.length === 0;
  const newAttempt = deservesNewAttempt(reasons);
  const rest = { id: trialId(trial), position, valid, newAttempt, reasons, flags: [], recordSha256: 'r' };
  return { block, pass, scenario, attempt, ...rest, recordsPerS: valid ? 100 : null };
}

/** Heartbeats until the activity is cancelled, as everything long does. */
export async function untilCancelled(): Promise<never> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), 100);
  try {
    return await context.cancelled;
  } finally {
    clearInterval(beat);
  }
}

/** An activity failure that Temporal does not retry. */
export function failure(type: string, message: string): () => Error {
  return () => ApplicationFailure.create({ type, message, nonRetryable: true });
}
