import { describe, expect, it } from 'vitest';
import type { ConsumerLoad, Plan, ProducerLoad, TopicPlan } from '../../src/design/plan.ts';
import { deriveTrial } from '../../src/measure/derive-trial.ts';
import type { AttemptEvidence, RawLoad } from '../../src/measure/trial-evidence.ts';
import { makePlan, makeScenario } from '../analysis/make.ts';
import { partitions } from './evidence.ts';
import { printConsumer } from './lines-of-consumer.ts';
import { printLoad, steadyLoad } from './lines-of-load.ts';

const START = 1_796_038_829_000;
const ARCHIVE: TopicPlan = {
  name: 'archive',
  partitions: 3,
  replication: 3,
  config: {},
  fill: { records: 2_000_000, payload: 'json', each: 'experiment', cache: 'hot' },
};

const REPLAY: ConsumerLoad = {
  name: 'replay',
  kind: 'consumer',
  topic: 'archive',
  on: 'c2',
  heapBytes: 2 ** 28,
  config: { 'max.poll.records': '1000' },
  count: { kind: 'records', records: 899_500 },
  group: 'replay',
  members: 1,
  from: 'earliest',
  idleMs: 10_000,
};

/** Produce to `main` while replaying `archive`. */
function plan(over: Partial<ProducerLoad> = {}): Plan {
  const base = makeScenario('e4', { transactionMs: 500, ...over });
  const e4 = { ...base, topics: [...base.topics, ARCHIVE], loads: [...base.loads, REPLAY] };
  return makePlan({ scenarios: [e4], orders: [['e4']], contrasts: [] });
}

const raw = (stdout: string, startedAtMs: number, endedAtMs: number): RawLoad => ({
  state: 'exited',
  exit: { code: 0, by: 'itself', startedAtMs, endedAtMs, stderrCounted: 0, stderrCutBytes: 0 },
  stdout: new TextEncoder().encode(stdout),
  stderr: new Uint8Array(),
});

function attempt(rates?: Readonly<Record<string, number>>): AttemptEvidence {
  const topics = {
    main: { name: 'main-1', partitions: partitions() },
    archive: { name: 'kept', partitions: partitions() },
  };
  return {
    format: 1,
    experimentKey: 'e4-00000000',
    trial: {
      block: 1,
      pass: null,
      scenario: 'e4',
      attempt: 1,
      position: 1,
      counts: { p: 610_000, replay: 899_500 },
      ...(rates === undefined ? {} : { rates }),
      rampMs: 3_000,
    },
    startedAt: new Date(START).toISOString(),
    endedAt: new Date(START + 60_000).toISOString(),
    clientCores: null,
    commands: {},
    machines: [],
    seen: {
      startedAtMs: START,
      endedAtMs: START + 60_000,
      phasesMs: {},
      failure: null,
      prepared: {
        atMs: START,
        identities: {},
        topics,
        payloads: {},
        fills: {
          archive: { records: 2_000_000, now: false, tookMs: 5, diskBytesPerRecord: 1_010, cache: 'hot' },
        },
      },
      settled: null,
      loaded: null,
      drained: null,
      verified: {
        identities: {},
        topics: {
          // 61 commits of one marker in each of 3 partitions.
          main: { inLog: 610_183, partitions: partitions() },
          archive: { inLog: 2_000_000, partitions: partitions() },
        },
        events: [],
      },
    },
  };
}

const LOADS = {
  p: raw(printLoad({ ...steadyLoad(30, 20_000, START), recordBytes: 1_000 }), START - 900, START + 30_700),
  replay: raw(
    printConsumer({
      records: 900_000,
      recordBytes: 1_000,
      rebalanceMs: 600,
      fetchMs: 30_000,
      endedAtMs: START + 30_600,
    }),
    START - 900,
    START + 31_000,
  ),
};

const derived = (rates?: Readonly<Record<string, number>>) =>
  deriveTrial(plan(), attempt(rates), { loads: LOADS, samples: {}, files: [] });

describe('a trial of a transactional producer beside a replay', () => {
  it('is valid: markers are no duplicates, the overshoot is within a poll, the fill is whole', () => {
    const record = derived();
    expect(record.verdict.reasons).toEqual([]);
    expect(record.offsets).toEqual([
      { topic: 'main', asked: 610_000, claimed: 610_000, inLog: 610_183 },
      { topic: 'archive', asked: 0, claimed: 0, inLog: 0, filled: 2_000_000 },
    ]);
  });

  it('has one rate over the common interval, and each kind its own beside it', () => {
    const { rate, values, loads } = derived();
    expect(rate?.over).toBe('overlap');
    expect(rate?.recordsPerS).toBeCloseTo(50_000, 0);
    expect(values?.produceRate).toMatchObject({ over: 'own', loads: ['p'] });
    expect(values?.consumeRate).toMatchObject({ over: 'fetch', loads: ['replay'] });
    expect(loads[1]).toMatchObject({ kind: 'consumer', finalCount: 900_000, consumer: { fetchMs: 30_000 } });
  });

  it('does not know its page cache without samples, and says so', () => {
    expect(derived().verdict.flags.map((f) => f.code)).toContain('cache-unknown');
  });

  it('is judged by the rate that the trial was given, before that of the plan', () => {
    expect(derived().loads[0]?.askedRecordsPerS).toBeNull();
    const given = derived({ p: 25_000 });
    expect(given.loads[0]?.askedRecordsPerS).toBe(25_000);
    expect(given.verdict.flags.map((f) => f.code)).toContain('rate-not-reached');
    expect(given.values?.achieved?.value).toBeCloseTo(0.8, 4);
  });
});
