import { sha256Hex } from '../../src/design/names.ts';
import type { Plan, Scenario } from '../../src/design/plan.ts';
import { COMPLETED, type Fixture } from './fixture-cases.ts';

export const RECORD_BYTES = 1008;

function scenario(fixture: Fixture, i: 0 | 1): Scenario {
  const slug = fixture.scenarios[i];
  const [factor = 'f', level = slug] = slug.split('=');
  return {
    slug,
    levels: { [fixture.hostile ? `@${factor}` : factor]: level },
    plot: 'p1',
    topics: [
      { name: 'main', partitions: 6, replication: 3, config: { 'min.insync.replicas': '2' }, fill: null },
    ],
    loads: [
      {
        name: 'p',
        kind: 'producer',
        topic: 'main',
        on: 'c1',
        count: { kind: 'duration', durationMs: 20_000 },
        heapBytes: 2 ** 28,
        recordsPerS: null,
        transactionMs: null,
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
    overrides: fixture.overrides ?? [],
    ...(fixture.smoke === true ? { smoke: true } : {}),
    plots: { p1: { config: {}, heapBytes: 2 ** 29, jit: 'full', apply: 'dynamic' } },
    expectations: [],
    until: null,
    labs: 1,
    series: [],
    search: null,
    deplete: null,
    keepMs: null,
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
