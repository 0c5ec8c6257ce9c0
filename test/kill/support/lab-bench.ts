import { MockActivityEnvironment } from '@temporalio/testing';
import { createBenches, type Bench } from '../../../activities/bench.ts';
import type {
  Activities,
  PlanBrief,
  TrialBrief,
  TrialEvidence,
  TrialInput,
} from '../../../activities/contract.ts';
import { createActivities } from '../../../activities/index.ts';
import { loadJson, trialFolder } from '../../../src/store/experiment-files.ts';
import type { AttemptEvidence } from '../../../src/measure/trial-evidence.ts';
import type { TrialRecord } from '../../../src/measure/trial-record.ts';
import { privateHome, type PrivateHome } from '../../support/private-home.ts';

/**
 * A real lab whose trials are run phase by phase with the real activities, without Temporal in between, so that
 * a fault can be put exactly where it belongs.
 */
export interface LabBench {
  readonly bench: Bench;
  /** One attempt at a scenario; `during` runs beside the load. */
  trial(scenario: string, how: TrialHow): Promise<TrialRecord>;
  /** What the last trial's phases saw. */
  evidence(): Promise<AttemptEvidence>;
  /** Brings dead brokers back. */
  mend(): Promise<void>;
  brokerPid(name: string): Promise<number>;
  close(): Promise<readonly string[]>;
}

export interface How {
  /** Runs beside the load. */
  readonly during?: (trial: TrialInput) => Promise<void>;
  readonly beforeLoad?: () => Promise<void>;
  /** Two minutes unless it is given. */
  readonly loadLimitMs?: number;
}

interface TrialHow extends How {
  /** Of every load, or by load. */
  readonly records: number | Readonly<Record<string, number>>;
}

/** Provisions the lab of a spec (given as JSON). */
export async function labBench(spec: object): Promise<LabBench> {
  const own = await privateHome();
  Object.assign(process.env, own.env);
  const activities = activitiesOf(own);
  const brief = await call(activities.planExperiment, {
    spec,
    key: 'verdicts-00000000',
    workflowId: 'verdicts',
  });
  await call(activities.tryLease, brief.ref);
  await call(activities.provisionLab, brief.ref);
  const bench = await benchesOf(own).open(brief.ref);
  let attempts = 0;
  let last = '';
  return {
    bench,
    trial: async (scenario, how) => {
      attempts += 1;
      const input = trialInput(brief, scenario, attempts, how, bench);
      await runTrial(activities, input, how);
      last = trialFolder(input);
      return (await loadJson<TrialRecord>(bench.store, `${last}/trial.json`)).value;
    },
    evidence: async () => (await loadJson<AttemptEvidence>(bench.store, `${last}/evidence.json`)).value,
    mend: async () => void (await call(activities.mendLab, brief.ref)),
    brokerPid: async (name) => {
      const broker = (await bench.lab.inspect()).brokers.find((b) => b.name === name);
      if (broker?.pid == null || !broker.alive) throw new Error(`broker ${name} does not live`);
      return broker.pid;
    },
    close: async () => {
      await call(activities.teardownLab, brief.ref);
      const found = await call(activities.verifyGone, brief.ref);
      await call(activities.releaseLease, brief.ref);
      own.remove();
      return 'leaks' in found ? found.leaks : found;
    },
  };
}

const benches = new Map<PrivateHome, ReturnType<typeof createBenches>>();

function benchesOf(own: PrivateHome): ReturnType<typeof createBenches> {
  const known = benches.get(own) ?? createBenches(own.home);
  benches.set(own, known);
  return known;
}

function activitiesOf(own: PrivateHome): Activities {
  return createActivities({
    home: own.home,
    hostQueue: 'unused',
    benches: benchesOf(own),
    searchAttributes: async () => [],
    assayVersion: 'test',
  });
}

async function call<A extends unknown[], R>(activity: (...args: A) => Promise<R>, ...args: A): Promise<R> {
  return (await new MockActivityEnvironment().run(activity, ...args)) as R;
}

function trialInput(
  brief: PlanBrief,
  scenario: string,
  attempt: number,
  { records, loadLimitMs = 120_000 }: TrialHow,
  bench: Bench,
): TrialInput {
  const fillLimitMs = brief.fillLimitMs?.[scenario];
  const loads = bench.plan.scenarios.find((s) => s.slug === scenario)?.loads ?? [];
  return {
    block: 1,
    pass: null,
    scenario,
    attempt,
    ref: brief.ref,
    hostQueue: 'unused',
    position: attempt,
    counts:
      typeof records === 'number' ? Object.fromEntries(loads.map((load) => [load.name, records])) : records,
    ...(fillLimitMs === undefined ? {} : { fillLimitMs }),
    rampMs: 1_000,
    loadLimitMs,
    settleLimitMs: brief.settleLimitMs,
    drainLimitMs: brief.drainLimitMs,
    searchAttributes: [],
  };
}

/** The phases of workflows/trial.ts, with a hole beside the load. */
async function runTrial(activities: Activities, trial: TrialInput, how: How): Promise<TrialBrief> {
  const startedAtMs = Date.now();
  let evidence: TrialEvidence = {
    startedAtMs,
    endedAtMs: startedAtMs,
    phasesMs: {},
    failure: null,
    prepared: null,
    settled: null,
    loaded: null,
    drained: null,
    verified: null,
  };
  let prepared = await call(activities.prepareTrial, trial);
  if (trial.fillLimitMs !== undefined) prepared = await call(activities.fillTrial, { trial, prepared });
  const settled = await call(activities.settleTrial, trial);
  await how.beforeLoad?.();
  const [loaded] = await Promise.all([call(activities.runLoads, { trial, prepared }), how.during?.(trial)]);
  const drained = await call(activities.drainTrial, trial);
  const verified = await call(activities.verifyTrial, { trial, prepared });
  evidence = { ...evidence, endedAtMs: Date.now(), prepared, settled, loaded, drained, verified };
  const brief = await call(activities.collectTrial, { trial, evidence });
  await call(activities.releaseTrial, trial);
  return brief;
}

/** The scenario in which the factor `case` has this level. */
export function scenarioOfCase({ bench }: LabBench, level: string): string {
  const found = bench.plan.scenarios.find((s) => s.levels['case'] === level);
  if (found === undefined) throw new Error(`no scenario for ${level}`);
  return found.slug;
}

export const codes = (record: TrialRecord): string[] => record.verdict.reasons.map((r) => r.code);
export const said = (record: TrialRecord): string => record.verdict.reasons.map((r) => r.message).join('\n');
