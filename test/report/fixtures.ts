import type { Analysis, EffectResult, EffectWord } from '../../src/analysis/analysis.ts';
import type { Frozen, Plan, Scenario } from '../../src/design/plan.ts';
import { sha256Hex } from '../../src/design/names.ts';
import { type Reason, reason, REASONS, type ReasonCode } from '../../src/measure/reasons.ts';
import type { LoadRecord, SettleOutcome, TrialRecord } from '../../src/measure/trial-record.ts';
import type { EnvironmentRecord, ExperimentRecord } from '../../src/report/results.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import type { Store } from '../../src/store/store.ts';

/** A whole synthetic experiment, as the files that a store would hold. Same input, same bytes. */
export interface Fixture {
  readonly name: string;
  readonly question: string;
  /** Baseline first. */
  readonly scenarios: readonly [string, string];
  readonly blocks: number;
  /** Mean rates, records per second, in the order of the scenarios. */
  readonly ratesPerS: readonly [number, number];
  /** Spread of the rates as a share. */
  readonly noise: number;
  readonly word: EffectWord;
  readonly voided?: {
    readonly block: number;
    readonly scenario: 0 | 1;
    readonly code: ReasonCode;
    readonly message: string;
  };
  /** Aborted in this block: no analysis. 0 = in the warm-up: nothing frozen either. */
  readonly abortedIn?: number;
  readonly outcome: ExperimentRecord['outcome'];
  readonly hostile?: string;
}

const RECORD_BYTES = 1008;
const START_MS = Date.UTC(2026, 10, 30, 9, 0, 0);
/** t quantile 0.975 with 5 degrees of freedom, as in every table. */
const T5 = 2.570582;

export const COMPLETED: Fixture = {
  name: 'first-look',
  question: 'How much does batch.size matter?',
  scenarios: ['batch=4KiB', 'batch=64KiB'],
  blocks: 6,
  ratesPerS: [27_400, 63_300],
  noise: 0.06,
  word: 'higher',
  outcome: 'completed',
  voided: {
    block: 3,
    scenario: 1,
    code: 'isr-shrunk',
    message: 'partition 2 lost replica 3 from its in-sync set 8.2 s into the load',
  },
};
export const INCONCLUSIVE: Fixture = {
  ...COMPLETED,
  name: 'linger',
  question: 'Does linger.ms = 20 help?',
  scenarios: ['linger=0', 'linger=20'],
  ratesPerS: [61_000, 62_800],
  noise: 0.14,
  word: 'inconclusive',
  outcome: 'completed-with-leaks',
};
export const ABORTED: Fixture = { ...COMPLETED, word: 'cannot be decided', abortedIn: 2, outcome: 'aborted' };
export const ABORTED_EARLY: Fixture = { ...ABORTED, abortedIn: 0 };
const EVIL = `"><script>alert(1)</script>&'\u202e\u001b[31m`;
export const HOSTILE: Fixture = {
  ...COMPLETED,
  name: EVIL,
  question: `=cmd()|${EVIL}`,
  scenarios: ['=HYPERLINK("x")', `<img src=x onerror=alert(1)>${EVIL}`],
  hostile: EVIL,
};

/** Noise that is the same every time: no clock, no random numbers. In −1 … 1. */
function wobble(...parts: readonly (number | string)[]): number {
  return (Number.parseInt(sha256Hex(parts.join('/')).slice(0, 8), 16) / 0xffffffff) * 2 - 1;
}

function scenario(fixture: Fixture, i: 0 | 1): Scenario {
  const slug = fixture.scenarios[i];
  const [factor = 'f', level = slug] = slug.split('=');
  return {
    slug,
    levels: { [fixture.hostile ? `@${factor}` : factor]: level },
    topics: [{ name: 'main', partitions: 6, replication: 3, config: { 'min.insync.replicas': '2' } }],
    loads: [
      {
        name: 'p',
        kind: 'producer',
        topic: 'main',
        on: 'c1',
        count: { kind: 'duration', durationMs: 20_000 },
        recordsPerS: null,
        payload: 'json',
        config: { 'batch.size': level },
      },
    ],
  };
}

export function plan(fixture: Fixture = COMPLETED): Plan {
  const [a, b] = fixture.scenarios;
  return {
    format: 1,
    name: fixture.name,
    question: fixture.question,
    specSha256: sha256Hex(fixture.name),
    seed: '5f1c9a20',
    spec: { assay: 1, name: fixture.name } as unknown as Plan['spec'],
    metric: 'rate',
    smallestEffectOfInterest: 0.05,
    scenarios: [scenario(fixture, 0), scenario(fixture, 1)],
    orders: Array.from({ length: fixture.blocks }, (_, i) => (i % 4 === 0 || i % 4 === 3 ? [a, b] : [b, a])),
    warmup: {
      orders: [
        [a, b],
        [b, a],
        [a, b],
      ],
      maxPasses: 3,
      agreeWithin: 0.1,
    },
    contrasts: [
      {
        name: `${b} versus ${a}`,
        numerator: b,
        denominator: a,
        changes: { 'producers.*.config.batch.size': ['4096', '65536'] },
        confounded: false,
      },
    ],
    retries: 2,
    deadlineMs: 8 * 3_600_000,
    lab: {
      target: 'local',
      brokers: {
        count: 3,
        kafka: '4.3.1',
        heapBytes: 2 ** 29,
        jit: 'full',
        config: { 'num.io.threads': '8' },
      },
      clients: { names: ['c1'], heapBytes: 2 ** 28 },
      pin: true,
    },
    settle: {
      method: 'sync',
      quietMs: 5000,
      limitMs: 60_000,
      drainMs: 60_000,
      dirtyBytes: 2 ** 26,
      deviceWriteBytesPerS: 2 ** 20,
    },
    window: { rampMs: null, over: 'own', minMs: 10_000 },
    store: { folder: null },
    payloads: [{ name: 'json', kind: 'json', lines: 20_000, recordBytes: RECORD_BYTES, padding: 0, seed: 1 }],
    estimates: {
      trials: 2 * fixture.blocks,
      durationMs: { low: 600_000, high: 900_000 },
      writtenBytes: { low: 2 ** 33, high: 2 ** 35 },
      writtenBytesLimit: null,
      peakDiskBytes: 2 ** 32,
      precision: [],
    },
    advice: [{ code: 'example', message: fixture.hostile ?? 'three replicas share one disk' }],
  };
}

function load(fixture: Fixture, slug: string, recordsPerS: number, startMs: number): LoadRecord {
  const seconds = 20;
  const series = Array.from({ length: seconds }, (_, i) => {
    const ramp = Math.min(1, 0.35 + i * 0.22);
    const records = Math.round(recordsPerS * ramp * (1 + 0.05 * wobble(slug, startMs, i)));
    return {
      endMs: (i + 1) * 1000,
      lengthMs: i === 9 && slug === fixture.scenarios[0] ? 1620 : 1000,
      records,
      avgLatencyMs: 12,
      stall: i === 9 && slug === fixture.scenarios[0],
    };
  });
  const total = series.reduce((sum, s) => sum + s.records, 0);
  return {
    name: 'p',
    kind: 'producer',
    topic: 'main',
    asked: total,
    finalCount: total,
    exitCode: 0,
    failedCallbacks: 0,
    stderrCutBytes: 0,
    command: [
      'java',
      '-Xmx256m',
      'org.apache.kafka.tools.ProducerPerformance',
      '--topic',
      'assay.main',
      '--num-records',
      String(total),
      '--producer-props',
      `batch.size=${slug}`,
    ],
    totalRecordsPerS: total / seconds,
    latencyMs: { avg: 310.2, max: 912, p50: 290, p95: 590, p99: 720, p999: 880 },
    series,
    steady: {
      recordsPerS,
      bytesPerS: recordsPerS * RECORD_BYTES,
      windowMs: 13_000,
      intervals: 13,
      stalls: 0,
      over: 'own',
      fromMs: startMs + 5000,
      toMs: startMs + 18_000,
    },
    metrics: { 'producer-metrics:record-size-avg': RECORD_BYTES },
    startedAtMs: startMs,
    endedAtMs: startMs + seconds * 1000,
    cpuCores: 0.83,
  };
}

function settled(
  outcome: SettleOutcome['outcome'],
  method: SettleOutcome['method'],
  tookMs: number,
): SettleOutcome {
  return {
    outcome,
    method,
    tookMs,
    baseDirtyBytes: 2 ** 20,
    curve: [
      { atMs: 0, dirtyBytes: 2 ** 28, deviceWriteBytesPerS: 2 ** 26 },
      { atMs: tookMs, dirtyBytes: 2 ** 21, deviceWriteBytesPerS: null },
    ],
  };
}

/** One attempt; `why` voids it. */
export function trial(
  fixture: Fixture,
  at: {
    block: number;
    pass: number | null;
    position: number;
    scenario: 0 | 1;
    attempt: number;
    slot: number;
  },
  why: readonly Reason[] = [],
): TrialRecord {
  const slug = fixture.scenarios[at.scenario];
  const startMs = START_MS + at.slot * 60_000;
  const recordsPerS =
    fixture.ratesPerS[at.scenario] *
    (1 + fixture.noise * wobble(slug, at.block, at.attempt)) *
    (1 + 0.05 * wobble(at.block));
  const one = load(fixture, slug, recordsPerS, startMs);
  return {
    format: 1,
    experimentKey: 'first-look-1a2b3c4d',
    id: `${at.pass === null ? `b${at.block}` : `b0.p${at.pass}`}/${slug}/a${at.attempt}`,
    block: at.block,
    pass: at.pass,
    scenario: slug,
    attempt: at.attempt,
    position: at.position,
    startedAt: new Date(startMs - 9000).toISOString(),
    endedAt: new Date(startMs + 30_000).toISOString(),
    verdict: {
      valid: why.length === 0,
      reasons: why,
      flags:
        at.block === 2
          ? [{ code: 'client-bound', message: 'the client used 0.97 of its one core inside the window' }]
          : [],
    },
    rate: one.steady,
    loads: [one],
    settle: settled('QUIET', 'sync', 6200),
    drain: settled(at.block === 4 ? 'PLATEAU' : 'QUIET', 'watch', 14_300),
    offsets: [{ topic: 'main', asked: one.asked, claimed: one.finalCount, inLog: one.finalCount }],
    host: {
      coverage: 1,
      samples: 21,
      busyCores: 1.7,
      stealShare: 0.01,
      outsideLabShare: 0.02,
      brokerCores: { b1: 0.3, b2: 0.28, b3: null },
      clientCores: { p: 0.83 },
      deviceWriteBytesPerS: 6e7,
      deviceReadBytesPerS: 0,
      deviceBusyShare: 0.4,
      dirtyBytesMax: 4e8,
      psi: { cpuSomeShare: 0.2, ioSomeShare: null },
      clockSteps: 0,
      gaps: 0,
    },
    phasesMs: {
      prepare: 900,
      settle: 6200,
      load: 21_000,
      drain: 14_300,
      verify: 700,
      collect: 300,
      release: 1200,
    },
    raw: [
      { path: 'p.stdout', sha256: sha256Hex(slug), bytes: 1234 },
      { path: 'sampler.jsonl', sha256: sha256Hex('s'), bytes: 456 },
    ],
  };
}

/** All attempts of a fixture in the order they ran. */
export function trials(fixture: Fixture): TrialRecord[] {
  const made: TrialRecord[] = [];
  const add = (
    block: number,
    pass: number | null,
    position: number,
    i: 0 | 1,
    attempt: number,
    why: readonly Reason[] = [],
  ): number =>
    made.push(trial(fixture, { block, pass, position, scenario: i, attempt, slot: made.length }, why));
  const both = (block: number, pass: number | null, order: readonly string[]): void => {
    order.forEach((slug, i) => {
      const which = slug === fixture.scenarios[0] ? 0 : 1;
      const bad =
        fixture.voided?.block === block && fixture.voided.scenario === which ? fixture.voided : null;
      const stop = fixture.abortedIn === block && block > 0 && i === 1;
      if (stop)
        add(block, pass, i + 1, which, 1, [
          reason('aborted', 'the experiment was aborted in the phase load'),
        ]);
      else if (bad) add(block, pass, i + 1, which, 1, [reason(bad.code, fixture.hostile ?? bad.message)]);
      else add(block, pass, i + 1, which, 1);
    });
    if (fixture.voided?.block === block && fixture.abortedIn === undefined)
      add(block, pass, order.length + 1, fixture.voided.scenario, 2);
  };
  const { warmup, orders } = plan(fixture);
  warmup.orders.slice(0, fixture.abortedIn === 0 ? 1 : 2).forEach((order, i) => both(0, i + 1, order));
  orders.slice(0, fixture.abortedIn ?? fixture.blocks).forEach((order, i) => both(i + 1, null, order));
  return made;
}

function effect(fixture: Fixture, all: readonly TrialRecord[]): EffectResult {
  const [a, b] = fixture.scenarios;
  const rate = (block: number, slug: string): number =>
    all.find((t) => t.block === block && t.scenario === slug && t.verdict.valid)?.rate?.recordsPerS ??
    Number.NaN;
  const ratios = Array.from({ length: fixture.blocks }, (_, i) => ({
    block: i + 1,
    ratio: rate(i + 1, b) / rate(i + 1, a),
  }));
  const logs = ratios.map((r) => Math.log(r.ratio));
  const mean = logs.reduce((s, x) => s + x, 0) / logs.length;
  const sd = Math.sqrt(logs.reduce((s, x) => s + (x - mean) ** 2, 0) / (logs.length - 1));
  const half = (T5 * sd) / Math.sqrt(logs.length);
  const interval = { low: Math.exp(mean - half), high: Math.exp(mean + half), confidence: 0.95 };
  return {
    contrast: `${b} versus ${a}`,
    numerator: b,
    denominator: a,
    confounded: false,
    primary: true,
    n: logs.length,
    ratios,
    ratio: Math.exp(mean),
    interval,
    simultaneous: interval,
    sdLog: sd,
    signFlipP: 0.03125,
    signedRank: null,
    holmP: 0.0002,
    tP: 0.0002,
    higherIn: ratios.filter((r) => r.ratio > 1).length,
    word: fixture.word,
    because:
      fixture.word === 'inconclusive'
        ? 'the interval reaches from below the margin to above it; about 31 blocks would decide it at this spread'
        : 'the whole interval lies above 1 and not inside the margin',
    flags: [],
  };
}

export function analysis(fixture: Fixture, planSha256: string, frozenSha256: string): Analysis {
  const all = trials(fixture);
  const one = effect(fixture, all);
  return {
    format: 1,
    planSha256,
    frozenSha256,
    metric: 'rate',
    blocksPlanned: fixture.blocks,
    blocksRun: fixture.blocks,
    scenarios: fixture.scenarios.map((slug) => {
      const mine = all.filter((t) => t.block > 0 && t.scenario === slug);
      const rates = mine
        .flatMap((t) => (t.verdict.valid && t.rate ? [t.rate.recordsPerS] : []))
        .sort((x, y) => x - y);
      const median = ((rates[2] ?? 0) + (rates[3] ?? 0)) / 2;
      const voided = mine.filter((t) => !t.verdict.valid).length;
      return {
        scenario: slug,
        valid: rates.length,
        voided,
        medianRecordsPerS: median,
        medianBytesPerS: median * RECORD_BYTES,
        minRecordsPerS: rates[0] ?? null,
        maxRecordsPerS: rates.at(-1) ?? null,
        cv: 0.05,
        reasons: voided > 0 && fixture.voided ? { [fixture.voided.code]: 1 } : {},
      };
    }),
    effects: [one],
    answer:
      fixture.word === 'inconclusive'
        ? `It stays open whether ${one.numerator} changes the rate: ${(one.ratio ?? 0).toFixed(2)} times that of ${one.denominator}, 95 % interval ${(one.interval?.low ?? 0).toFixed(2)} to ${(one.interval?.high ?? 0).toFixed(2)}, over 6 blocks.`
        : `The rate of ${one.numerator} is ${(one.ratio ?? 0).toFixed(2)} times that of ${one.denominator}, 95 % interval ${(one.interval?.low ?? 0).toFixed(2)} to ${(one.interval?.high ?? 0).toFixed(2)}, higher in 6 of 6 blocks.`,
    limits: [
      'One lab on one machine: client and brokers share its cores and its disk, so this is no broker capacity.',
      'One corpus: unpadded JSON lines of 1,008 B, no keys.',
      'PLAINTEXT, one topic of 6 partitions, replication 3.',
    ],
    flags: [{ code: 'order-drift', message: 'rates fall by 1.2 % a block over the experiment' }],
    decided: fixture.word !== 'inconclusive',
  };
}

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

/** Writes a fixture into a folder as an experiment would leave it, without anything rendered. */
export async function storeOf(fixture: Fixture, folder: string): Promise<Store> {
  const store = createFolderStore(folder);
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
    await json('analysis.json', analysis(fixture, planSha256, frozenSha256));
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
  return store;
}

/** The words that a report uses for a reason. */
export const says = (code: ReasonCode): string => REASONS[code].says;
