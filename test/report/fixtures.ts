import { analyse } from '../../src/analysis/analyse.ts';
import { sha256Hex } from '../../src/design/names.ts';
import type { Frozen, Plan } from '../../src/design/plan.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import type { EnvironmentRecord, ExperimentRecord } from '../../src/report/results.ts';
import type { Store } from '../../src/store/store.ts';
import type { Fixture } from './fixture-cases.ts';
import { plan } from './fixture-plan.ts';
import { START_MS, trials } from './fixture-trials.ts';

export const ENVIRONMENT: EnvironmentRecord = {
  format: 1,
  assayVersion: '0.1.0',
  nodeVersion: 'v24.21.0',
  baseDirtyBytes: 3 * 2 ** 20,
  bootstrapServers: '127.0.0.1:19092',
  kafkaVersion: '4.3.1',
  javaVersion: '17.0.12',
  clusterId: 'q1Sh-9_ISia_zwGINzRvyQ',
  jvmFlags: ['-Xms512m', '-Xmx512m', '-XX:+UseG1GC'],
  pinning: { brokers: '0', clients: '1' },
  machine: { kernel: '6.1.0-28-amd64', cpu: 'example CPU, 2 cores', memory: '7.7 GiB' },
  brokerConfig: { 'num.io.threads': '8' },
};

/** One sample a second from 4 s before the load to 6 s after it: dirty memory grows with the load and drains. */
function samplesAround(trial: TrialRecord): string {
  const startS = (trial.loads[0]?.startedAtMs ?? 0) / 1000;
  const lines = Array.from({ length: 31 }, (_, i) => {
    const at = i - 4;
    const dirty = at < 0 ? 900 : at <= 20 ? 900 + at * 20_000 : Math.max(900, 400_000 - (at - 20) * 80_000);
    return JSON.stringify({
      w0: startS + at + 0.0001,
      w1: startS + at + 0.0009,
      u0: 100 + at,
      u1: 100 + at,
      cpu: [10 * i, 0, 5 * i, 170 * i, i, i, i, i],
      disk: i === 3 ? null : { rio: i, rsect: 8 * i, wio: i, wsect: 100 * i, ioms: 5 * i },
      dirty,
      wb: at > 5 && at < 24 ? 3000 : 0,
      net: { lo: [1000 * i, 1000 * i] },
      psi: i === 3 ? null : { cpu: i, io: 2 * i, mem: 0 },
      proc: { 'broker.b1': [7 * i, i, 99], 'load.p': at < 0 ? null : [i, i, 120] },
      cg: null,
    });
  });
  return ['{"sampler":1,"boot":"b00t","hz":100,"ncpu":2,"device":"vda"}', ...lines].join('\n');
}

/** What the files of an experiment hold. */
export interface Parts {
  readonly plan: Plan;
  readonly trials: readonly TrialRecord[];
  readonly environment: EnvironmentRecord;
  /** Raw files of a trial, by name. */
  readonly raw: (trial: TrialRecord) => Readonly<Record<string, string>>;
  /** How long it took, from `START_MS` on. */
  readonly tookMs: number;
}

function partsOf(fixture: Fixture): Parts {
  return {
    plan: plan(fixture),
    trials: trials(fixture),
    environment: fixture.hostile
      ? { ...ENVIRONMENT, machine: { [fixture.hostile]: fixture.hostile } }
      : ENVIRONMENT,
    raw: (one) => ({ 'sampler.jsonl': `${samplesAround(one)}\n` }),
    tookMs: 830_000,
  };
}

/** Writes what the experiment of a fixture leaves into a store, nothing rendered. */
export async function fillStore(
  fixture: Fixture,
  store: Store,
  parts: Parts = partsOf(fixture),
): Promise<void> {
  const json = async (path: string, value: unknown): Promise<string> =>
    (await store.put(path, `${JSON.stringify(value, null, 1)}\n`)).sha256;
  const planSha256 = await json('plan.json', parts.plan);
  const frozen: Frozen = {
    format: 1,
    planSha256,
    rampMs: 5000,
    rampFrom: 'block-0',
    passes: 2,
    warm: true,
    stillWarming: [],
    counts: {},
    expectedHalfWidth: 0.08,
    notes: [],
  };
  const frozenSha256 = fixture.abortedIn === 0 ? null : await json('frozen.json', frozen);
  await json('environment.json', parts.environment);
  await json('payloads.json', {
    format: 1,
    payloads: { json: { sha256: sha256Hex('corpus'), bytes: 20_180_000 } },
  });
  for (const one of parts.trials) {
    const folderName = one.id
      .split('/')
      .map((part) => part.replace(/[^\w=,.-]/g, '_'))
      .join('/');
    await json(`trials/${folderName}/trial.json`, one);
    for (const [name, text] of Object.entries(parts.raw(one)))
      await store.put(`trials/${folderName}/${name}`, text);
  }
  if (frozenSha256 && fixture.abortedIn === undefined)
    await json('analysis.json', analyse(parts.plan, planSha256, frozen, frozenSha256, parts.trials));
  const experiment: ExperimentRecord = {
    format: 1,
    key: 'first-look-1a2b3c4d',
    workflowId: 'first-look',
    startedAt: new Date(START_MS).toISOString(),
    endedAt: new Date(START_MS + parts.tookMs).toISOString(),
    outcome: fixture.outcome,
    message: fixture.outcome === 'aborted' ? 'aborted by the user in block 2, phase load' : null,
    leaks: fixture.outcome === 'completed-with-leaks' ? ['process 4711 (broker b2)', 'folder lab/b2'] : [],
    notes: [],
    overrides: ['--blocks 6'],
  };
  await json('experiment.json', experiment);
}
