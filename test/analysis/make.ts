import type { CountPlan, Frozen, Metric, Plan, ProducerLoad, Scenario } from '../../src/design/plan.ts';
import { type ReasonCode, reason } from '../../src/measure/reasons.ts';
import type { LoadRecord, MetricValue, SteadyRate, TrialRecord } from '../../src/measure/trial-record.ts';

const RECORD_BYTES = 1000;

function makeLoad(over: Partial<ProducerLoad> = {}): ProducerLoad {
  return {
    name: 'p',
    kind: 'producer',
    topic: 'main',
    on: 'c1',
    count: { kind: 'duration', durationMs: 20_000 },
    recordsPerS: null,
    heapBytes: 2 ** 29,
    transactionMs: null,
    payload: 'json',
    config: { acks: 'all' },
    ...over,
  };
}

export function makeScenario(slug: string, load: Partial<ProducerLoad> = {}): Scenario {
  return {
    slug,
    levels: { batch: slug },
    plot: 'lab',
    topics: [{ name: 'main', partitions: 6, replication: 3, config: {}, fill: null }],
    loads: [makeLoad(load)],
  };
}

/** A plan of two scenarios, `fast` and `slow`, contrast fast ÷ slow, 6 blocks, margin 5 %, windows of at least 10 s. */
export function makePlan(over: Partial<Plan> = {}, count?: CountPlan): Plan {
  const load = count === undefined ? {} : { count };
  return {
    format: 1,
    name: 'batch',
    question: 'How much does batch.size matter?',
    specSha256: '0'.repeat(64),
    spec: {} as Plan['spec'],
    seed: '1',
    metric: 'rate',
    smallestEffectOfInterest: 0.05,
    scenarios: [makeScenario('fast', load), makeScenario('slow', load)],
    orders: Array.from({ length: 6 }, () => ['fast', 'slow']),
    warmup: { orders: [['fast', 'slow']], maxPasses: 3, agreeWithin: 0.1 },
    contrasts: [makeContrast('fast', 'slow')],
    overrides: [],
    plots: {},
    expectations: [],
    until: null,
    labs: 1,
    series: [],
    search: null,
    deplete: null,
    keepMs: null,
    retries: 2,
    deadlineMs: 3_600_000,
    lab: {
      target: 'local',
      brokers: { count: 3, kafka: '4.3.1', heapBytes: 2 ** 29, jit: 'full', config: {} },
      clients: { names: ['c1'], heapBytes: 2 ** 29 },
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
      trials: 12,
      durationMs: { low: 0, high: 0 },
      writtenBytes: { low: 0, high: 0 },
      writtenBytesLimit: null,
      peakDiskBytes: 0,
      precision: [],
    },
    advice: [],
    ...over,
  };
}

export function makeContrast(numerator: string, denominator: string): Plan['contrasts'][number] {
  return {
    name: `${numerator} vs ${denominator}`,
    numerator,
    denominator,
    changes: { 'producers.p.config.batch.size': ['4096', '65536'] },
    confounded: false,
  };
}

export function steady(recordsPerS: number, over: Partial<SteadyRate> = {}): SteadyRate {
  return {
    recordsPerS,
    bytesPerS: recordsPerS * RECORD_BYTES,
    windowMs: 12_000,
    intervals: 12,
    stalls: 0,
    over: 'own',
    fromMs: 0,
    toMs: 12_000,
    ...over,
  };
}

/** A load whose interval lines of one second carry these rates; its final line agrees with them. */
export function makeRecord(perSecond: readonly number[], over: Partial<LoadRecord> = {}): LoadRecord {
  const records = perSecond.reduce((sum, r) => sum + r, 0);
  return {
    name: 'p',
    kind: 'producer',
    topic: 'main',
    command: [],
    asked: records,
    finalCount: records,
    exitCode: 0,
    failedCallbacks: 0,
    stderrCutBytes: 0,
    totalRecordsPerS: perSecond.length === 0 ? null : records / perSecond.length,
    steady: null,
    latencyMs: null,
    series: perSecond.map((r, i) => ({
      endMs: 1000 * (i + 1),
      lengthMs: 1000,
      records: r,
      avgLatencyMs: null,
      stall: false,
    })),
    metrics: {},
    startedAtMs: 0,
    endedAtMs: 1000 * perSecond.length,
    cpuCores: null,
    ...over,
  };
}

export function makeTrial(
  block: number,
  scenario: string,
  rate: number | null,
  over: Partial<TrialRecord> = {},
): TrialRecord {
  return {
    format: 1,
    experimentKey: 'batch-00000000',
    id: `b${block}.p${over.pass ?? 0}/${scenario}/a${over.attempt ?? 1}`,
    block,
    pass: null,
    scenario,
    attempt: 1,
    position: 1,
    startedAt: '2026-01-01T00:00:00Z',
    endedAt: '2026-01-01T00:01:00Z',
    verdict: { valid: true, reasons: [], flags: [] },
    rate: rate === null ? null : steady(rate),
    loads: [],
    settle: null,
    drain: null,
    offsets: [],
    host: null,
    phasesMs: {},
    raw: [],
    ...over,
  };
}

export function voided(block: number, scenario: string, code: ReasonCode, attempt = 1): TrialRecord {
  const verdict = { valid: false, reasons: [reason(code, 'seen')], flags: [] };
  return makeTrial(block, scenario, 1, { verdict, attempt });
}

/** One valid pair a block: `slow` at 100 records/s, `fast` at 100 × the ratio. */
export function pairs(ratios: readonly number[]): readonly TrialRecord[] {
  return ratios.flatMap((ratio, i) => [makeTrial(i + 1, 'fast', 100 * ratio), makeTrial(i + 1, 'slow', 100)]);
}

/** What a metric's values are like; each can be overridden. */
function usual(metric: Metric): Omit<MetricValue, 'value'> {
  const shared = { over: 'own', loads: ['p'], why: null } as const;
  if (metric === 'byteRate') return { ...shared, unit: 'bytes/s' };
  if (metric === 'achieved') return { ...shared, unit: 'share' };
  return metric.startsWith('p') && metric !== 'produceRate'
    ? { ...shared, unit: 'ms', over: 'whole-load' }
    : { ...shared, unit: 'records/s' };
}

/** A valid trial with these metrics: numbers in the metric's unit, or parts of a value. */
export function valued(
  block: number,
  scenario: string,
  values: Readonly<Partial<Record<Metric, number | Partial<MetricValue>>>>,
  over: Partial<TrialRecord> = {},
): TrialRecord {
  const all = Object.entries(values).map(([name, given]) => {
    const metric = name as Metric;
    const value = typeof given === 'number' ? { value: given } : given;
    return [metric, { value: 1, ...usual(metric), ...value }];
  });
  return makeTrial(block, scenario, null, { values: Object.fromEntries(all), ...over });
}

/** Blocks 1, 2, … with one valid trial of each scenario, its metrics made from the block number. */
export function blocksOf(
  blocks: number,
  scenarios: Readonly<Record<string, (block: number) => Parameters<typeof valued>[2]>>,
): readonly TrialRecord[] {
  return Array.from({ length: blocks }, (_, i) =>
    Object.entries(scenarios).map(([slug, values]) => valued(i + 1, slug, values(i + 1))),
  ).flat();
}

/** What block 0 fixed, with nothing special about it. */
export function makeFrozen(over: Partial<Frozen> = {}): Frozen {
  return {
    format: 1,
    planSha256: 'p',
    rampMs: 0,
    rampFrom: 'spec',
    passes: 2,
    warm: true,
    stillWarming: [],
    counts: {},
    expectedHalfWidth: null,
    notes: [],
    ...over,
  };
}
