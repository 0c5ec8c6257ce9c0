import { analyse } from '../../../src/analysis/analyse.ts';
import { corpus, corpusSha256 } from '../../../src/design/corpus.ts';
import { drawPlan } from '../../../src/design/draw-plan.ts';
import type { Plan } from '../../../src/design/plan.ts';
import type { TrialName } from '../../../src/design/names.ts';
import { deriveTrial } from '../../../src/measure/derive-trial.ts';
import { quietConfigOf } from '../../../src/measure/derive-quiet.ts';
import { observe, passTime, quietOutcome, quietReading, startQuiet } from '../../../src/measure/quiet.ts';
import { readSamples } from '../../../src/measure/sample.ts';
import type { AttemptEvidence } from '../../../src/measure/trial-evidence.ts';
import type { SettleOutcome, TrialRecord } from '../../../src/measure/trial-record.ts';
import { frozenFrom } from '../../../src/report/analysis-of.ts';
import { historyFile } from '../../../src/report/verify/histories.ts';
import { writeReport } from '../../../src/report/write-report.ts';
import { EVIDENCE, loadRaw, TRIAL } from '../../../src/store/attempt-files.ts';
import { asJson, FILES, trialFolder } from '../../../src/store/experiment-files.ts';
import type { Store } from '../../../src/store/store.ts';
import { printLoad, steadyLoad } from '../../measure/lines-of-load.ts';
import { ENVIRONMENT } from '../fixtures.ts';
import { memoryStore } from '../harness.ts';

const SPEC = {
  assay: 1,
  name: 'derivable',
  question: 'Does every number follow from the raw files?',
  payload: { json: { lines: 20, size: '512B', padding: '0%' } },
  topics: { main: { partitions: 3, replication: 3 } },
  producers: { p: { topic: 'main', records: '9500', config: { acks: 'all', 'buffer.memory': '262144' } } },
  factors: { batch: { set: 'producers.p.config.batch.size', levels: ['4KiB', '64KiB'] } },
  design: { blocks: 2, warmup: { passes: 1 } },
  window: { ramp: '1s', min: '2s' },
};
const KEY = 'derivable-1a2b3c4d';
const BASE_DIRTY_BYTES = 4096;
const START_MS = 1_796_038_829_000;

/**
 * A results folder whose every file was made as an experiment makes it, by the same code, from tool outputs and samples
 * that are written here; exported, with its manifest. Another outcome of `verify` than "all as stored" is a finding.
 */
export async function derivableStore(): Promise<Store> {
  const store = memoryStore();
  const drawn = drawPlan(SPEC, { experimentKey: KEY });
  if (!drawn.ok) throw new Error(JSON.stringify(drawn.issues));
  const { plan } = drawn;
  await store.put(FILES.spec, asJson(SPEC));
  const planSha256 = (await store.put(FILES.plan, asJson(plan))).sha256;
  const made = plan.payloads
    .flatMap((p) => (p.kind === 'json' ? [p] : []))
    .map((payload) => {
      const bytes = corpus(payload);
      return [payload.name, { sha256: corpusSha256(bytes), bytes: bytes.length }] as const;
    });
  await store.put('payloads.json', asJson({ format: 1, payloads: Object.fromEntries(made) }));
  await store.put(FILES.environment, asJson({ ...ENVIRONMENT, baseDirtyBytes: BASE_DIRTY_BYTES }));
  const trials: TrialRecord[] = [];
  const run = async (block: number, pass: number | null, order: readonly string[]): Promise<void> => {
    for (const [i, scenario] of order.entries())
      trials.push(await runTrial(store, plan, { block, pass, scenario, attempt: 1 }, i + 1, trials.length));
  };
  await run(0, 1, plan.warmup.orders[0] ?? []);
  const frozen = frozenFrom(plan, planSha256, trials);
  const frozenSha256 = (await store.put(FILES.frozen, asJson(frozen))).sha256;
  for (const [i, order] of plan.orders.entries()) await run(i + 1, null, order);
  await store.put(FILES.analysis, asJson(analyse(plan, planSha256, frozen, frozenSha256, trials)));
  const at = (ms: number): string => new Date(START_MS + ms).toISOString();
  const ended = { outcome: 'completed', message: 'completed', leaks: [], notes: [], overrides: [] };
  const experiment = { format: 1, key: KEY, workflowId: 'derivable', startedAt: at(0), endedAt: at(600_000) };
  await store.put(FILES.experiment, asJson({ ...experiment, ...ended }));
  await writeReport(store);
  return store;
}

/** A folder whose manifest was made anew after a change: only derivation can find the change. */
export async function resealed(store: Store, path: string, change: (text: string) => string): Promise<Store> {
  const copy = memoryStore();
  for (const file of await store.list('')) await copy.put(file, await store.get(file));
  const text = (await copy.get(path)).toString('utf8');
  const changed = change(text);
  if (changed === text) throw new Error(`${path} was not changed`);
  await copy.replace(path, changed);
  return copy;
}

async function runTrial(
  store: Store,
  plan: Plan,
  name: TrialName,
  position: number,
  slot: number,
): Promise<TrialRecord> {
  const folder = trialFolder(name);
  const startedAtMs = START_MS + slot * 60_000;
  const recordsPerS = name.scenario.includes('64') ? 1000 : 700 + 10 * slot;
  const asked = 9.5 * recordsPerS;
  const evidence = evidenceOf(plan, name, position, startedAtMs, asked);
  await store.put(`${folder}/p.stdout`, printLoad(steadyLoad(9, recordsPerS, startedAtMs)));
  await store.put(`${folder}/p.stderr`, '');
  const exit = { code: 0, by: 'itself', startedAtMs: startedAtMs - 500, endedAtMs: startedAtMs + 9_900 };
  await store.put(
    `${folder}/p.exit.json`,
    asJson({ state: 'exited', exit: { ...exit, stderrCounted: 0, stderrCutBytes: 0 } }),
  );
  await store.put(`${folder}/sampler.jsonl`, samples(startedAtMs));
  await store.put(`${folder}/${EVIDENCE}`, asJson(evidence));
  const input = { trial: evidence.trial, evidence: evidence.seen };
  await store.put(historyFile(name), history(input));
  const record = deriveTrial(plan, evidence, await loadRaw(store, folder, evidence, ['p']));
  await store.put(`${folder}/${TRIAL}`, asJson(record));
  return record;
}

function evidenceOf(
  plan: Plan,
  name: TrialName,
  position: number,
  startedAtMs: number,
  asked: number,
): AttemptEvidence {
  const partitions = [0, 1, 2].map((partition) => {
    return { partition, leader: partition + 1, leaderEpoch: 0, replicas: [1, 2, 3], isr: [1, 2, 3] };
  });
  const identities = { 'broker b1': 'incarnation 1, pid 10, started at tick 99', 'client c1': 'boot b00t' };
  const times = { startedAtMs: startedAtMs - 5_000, endedAtMs: startedAtMs + 15_000 };
  return {
    format: 1,
    experimentKey: KEY,
    trial: { ...name, position, counts: { p: asked }, rampMs: name.block === 0 ? 0 : 1000 },
    startedAt: new Date(times.startedAtMs).toISOString(),
    endedAt: new Date(times.endedAtMs).toISOString(),
    clientCores: null,
    commands: { p: ['java', '--num-records', String(asked)] },
    machines: [{ name: 'this machine', samples: 'sampler.jsonl' }],
    seen: {
      ...times,
      phasesMs: { prepare: 600, settle: 1500, load: 10_100 },
      failure: null,
      prepared: {
        atMs: startedAtMs - 4_000,
        identities,
        topics: { main: { name: `assay.${KEY}.main`, partitions } },
        payloads: { p: '/lab/payload.txt' },
      },
      settled: quietOf(plan, 'settle', startedAtMs, 0),
      loaded: { loads: { p: { state: 'exited', exitCode: 0 } }, endedAtMs: startedAtMs + 9_900 },
      drained: quietOf(plan, 'drain', startedAtMs, 14),
      verified: { identities, topics: { main: { inLog: asked, partitions } }, events: [] },
    },
  };
}

/** Watched from this sample on, as the activity watches it. */
function quietOf(plan: Plan, phase: 'settle' | 'drain', startedAtMs: number, from: number): SettleOutcome {
  const machine = { baseDirtyBytes: BASE_DIRTY_BYTES, deviceKnown: true };
  const seen = readSamples(samples(startedAtMs)).samples.slice(from);
  let state = startQuiet(quietConfigOf(plan.settle, phase, machine), seen[0]?.uptimeMs[1] ?? 0);
  seen.forEach((sample, i) => {
    state = observe(state, quietReading(seen[i - 1] ?? null, sample));
  });
  // The samples end before the plan's patience does: time passed.
  return quietOutcome(passTime(state, state.startedAtMs + 90_000)) as SettleOutcome;
}

function samples(startedAtMs: number): string {
  const lines = Array.from({ length: 18 }, (_, i) => {
    const wall = startedAtMs / 1000 + i - 4;
    const proc = (ticks: number) => [ticks * i, ticks * i, 77];
    return JSON.stringify({
      w0: wall,
      w1: wall + 0.002,
      u0: 500 + i,
      u1: 500 + i,
      cpu: [60 * i, 0, 20 * i, 110 * i, 4 * i, i, i, 4 * i],
      disk: { rio: i, rsect: 8 * i, wio: 10 * i, wsect: 2000 * i, ioms: 250 * i },
      dirty: 100 + i,
      wb: 4,
      net: { lo: [1000 * i, 1000 * i] },
      psi: { cpu: 50_000 * i, io: 10_000 * i, mem: 0 },
      proc: { 'broker.b1': proc(7), 'broker.b2': proc(6), 'broker.b3': proc(5), 'load.p': proc(12) },
      cg: null,
    });
  });
  return `${['{"sampler":1,"boot":"b00t","hz":100,"ncpu":2,"device":"vda"}', ...lines].join('\n')}\n`;
}

function history(input: unknown): string {
  const data = Buffer.from(JSON.stringify(input)).toString('base64');
  const scheduled = { activityType: { name: 'collectTrial' }, input: { payloads: [{ data }] } };
  return JSON.stringify({ events: [{}, { activityTaskScheduledEventAttributes: scheduled }] });
}
