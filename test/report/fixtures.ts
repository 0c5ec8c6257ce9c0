import { analyse } from '../../src/analysis/analyse.ts';
import { sha256Hex } from '../../src/design/names.ts';
import type { Frozen } from '../../src/design/plan.ts';
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

const SAMPLES = [
  '{"sampler":1,"boot":"b00t","hz":100,"ncpu":2,"device":"vda"}',
  '{"w0":1790000000.000100,"w1":1790000000.000900,"u0":10.01,"u1":10.01,"cpu":[1,2,3,4,5,6,7,8],"disk":{"rio":1,"rsect":2,"wio":3,"wsect":4,"ioms":5,"dio":0,"fio":9},"dirty":120,"wb":0,"net":{"lo":[10,20]},"psi":{"cpu":1,"io":2,"mem":3},"proc":{"b1":[7,8,99],"p":null},"cg":null}',
  '{"w0":1790000001.000100,"w1":1790000001.000800,"u0":11.01,"u1":11.01,"cpu":[2,2,3,5,5,6,7,8],"disk":null,"dirty":121,"wb":4,"net":{"lo":[11,22]},"psi":null,"proc":{"b1":[8,8,99],"p":[1,1,120]},"cg":{"throttledUsec":0}}',
].join('\n');

/** Writes what the experiment of a fixture leaves into a store, nothing rendered. */
export async function fillStore(fixture: Fixture, store: Store): Promise<void> {
  const json = async (path: string, value: unknown): Promise<string> =>
    (await store.put(path, `${JSON.stringify(value, null, 1)}\n`)).sha256;
  const planSha256 = await json('plan.json', plan(fixture));
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
  await json(
    'environment.json',
    fixture.hostile ? { ...ENVIRONMENT, machine: { [fixture.hostile]: fixture.hostile } } : ENVIRONMENT,
  );
  await json('payloads.json', {
    format: 1,
    payloads: { json: { sha256: sha256Hex('corpus'), bytes: 20_180_000 } },
  });
  for (const one of trials(fixture)) {
    const folderName = one.id
      .split('/')
      .map((part) => part.replace(/[^\w=,.-]/g, '_'))
      .join('/');
    await json(`trials/${folderName}/trial.json`, one);
    await store.put(`trials/${folderName}/sampler.jsonl`, `${SAMPLES}\n`);
  }
  if (frozenSha256 && fixture.abortedIn === undefined)
    await json('analysis.json', analyse(plan(fixture), planSha256, frozen, frozenSha256, trials(fixture)));
  const experiment: ExperimentRecord = {
    format: 1,
    key: 'first-look-1a2b3c4d',
    workflowId: 'first-look',
    startedAt: new Date(START_MS).toISOString(),
    endedAt: new Date(START_MS + 830_000).toISOString(),
    outcome: fixture.outcome,
    message: fixture.outcome === 'aborted' ? 'aborted by the user in block 2, phase load' : null,
    leaks: fixture.outcome === 'completed-with-leaks' ? ['process 4711 (broker b2)', 'folder lab/b2'] : [],
    notes: [],
    overrides: ['--blocks 6'],
  };
  await json('experiment.json', experiment);
}
