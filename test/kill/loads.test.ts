import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialInput } from '../../activities/contract.ts';
import { launchFill } from '../../activities/fill-producer.ts';
import { keptFillCapsules, keptTopicName, topicName, trialCapsule } from '../../src/design/names.ts';
import type { TopicPlan } from '../../src/design/plan.ts';
import type { CapsulePoll } from '../../src/lab/host.ts';
import type { LoadRecord, TrialRecord } from '../../src/measure/trial-record.ts';
import { codes, labBench, type LabBench, said, scenarioOfCase } from './support/lab-bench.ts';

const ARCHIVED = 12_000;
/** Few requests and much patience: the cases must come out alike on a machine that is busy with something else. */
const LIMITED = {
  acks: 'all',
  'linger.ms': 100,
  'batch.size': 65_536,
  'delivery.timeout.ms': 40_000,
  'request.timeout.ms': 20_000,
};
/** A broker waits so long for more than a fetch may bring: the consumer reads some hundred records a second, on any machine. */
const SLOW = {
  'fetch.min.bytes': 4_000_000,
  'fetch.max.wait.ms': 500,
  'max.partition.fetch.bytes': 65_536,
};

/** Loads of every kind in one lab. Each level turns on what its case needs. */
const SPEC = {
  assay: 1,
  name: 'loads',
  question: 'Is every kind of load measured and judged rightly?',
  lab: {
    brokers: { heap: '384MiB', config: { 'replica.lag.time.max.ms': 8000 } },
    clients: { count: 2, heap: '256MiB' },
  },
  payload: { json: { lines: 2000, size: '1008B', padding: '0%' } },
  topics: {
    main: { partitions: 3, replication: 3, config: { 'min.insync.replicas': 2 } },
    archive: {
      partitions: 3,
      replication: 3,
      fill: { records: ARCHIVED, payload: { random: { size: '1000B', lines: 2000 } }, each: 'experiment' },
    },
    fresh: { partitions: 3, replication: 1, fill: { records: 8_000, cache: 'cold' } },
  },
  producers: {
    p: { topic: 'main', records: 8_000, rate: '500/s', on: ['c1'], config: LIMITED },
    q: { topic: 'main', records: 4_000, rate: '250/s', on: ['c2'], config: LIMITED, enabled: false },
  },
  consumers: {
    replay: { topic: 'archive', records: 6_000, idle: '8s', on: ['c2'], config: SLOW, enabled: false },
    reader: { topic: 'fresh', records: 5_000, on: ['c2'], config: SLOW, enabled: false },
    live: { topic: 'main', from: 'latest', on: ['c2'], enabled: false },
  },
  factors: {
    case: {
      levels: {
        plain: {},
        acks0: { 'producers.p.config.acks': 0, 'producers.p.config.enable.idempotence': false },
        impatient: {
          'producers.p.config.delivery.timeout.ms': 700,
          'producers.p.config.request.timeout.ms': 500,
        },
        transactions: { 'producers.p.transactional': '500ms' },
        two: { 'producers.q.enabled': true },
        replay: { 'producers.p.enabled': false, 'consumers.replay.enabled': true },
        both: { 'consumers.replay.enabled': true },
        cold: { 'producers.p.enabled': false, 'consumers.reader.enabled': true },
        live: { 'consumers.live.enabled': true },
      },
    },
  },
  design: { blocks: 1 },
  window: { ramp: '1s', min: '2s' },
  settle: { method: 'sync', quiet: '1s', drain: '1s' },
};

let lab: LabBench;

beforeAll(async () => {
  lab = await labBench(SPEC);
});
afterAll(async () => {
  expect(await lab?.close()).toEqual([]);
});

const scenario = (level: string): string => scenarioOfCase(lab, level);

function load(record: TrialRecord, name: string): LoadRecord {
  const found = record.loads.find((l) => l.name === name);
  if (found === undefined) throw new Error(`no load ${name}`);
  return found;
}

/** Waits until a producer has printed an interval line. */
async function sending(trial: TrialInput, name: string, client = 'c1'): Promise<CapsulePoll> {
  const host = lab.bench.lab.client(client);
  for (;;) {
    const poll = await host.poll(trialCapsule(trial.ref.key, trial, name));
    if (/\n.* records sent/.test(poll.stdout.toString())) return poll;
    if (poll.state === 'exited')
      throw new Error(`${name} ended early: ${poll.stderr.toString().slice(0, 300)}`);
    await delay(100);
  }
}

/** Stops a process that is not the leader of partition 0, for a time. */
async function stopped(broker: string, ms: number): Promise<void> {
  const pid = await lab.brokerPid(broker);
  process.kill(pid, 'SIGSTOP');
  await delay(ms);
  process.kill(pid, 'SIGCONT');
}

describe('producers', () => {
  it('acks=0 with a follower that lags for some seconds is valid: the high watermark catches up', async () => {
    const record = await lab.trial(scenario('acks0'), {
      records: 5_000,
      during: async (trial) => {
        await sending(trial, 'p');
        const partitions = await lab.bench.lab.admin.describeTopic(topicName(trial.ref.key, trial, 'main'));
        expect(partitions).toHaveLength(3);
        await stopped('b3', 2_500);
      },
    });
    expect(codes(record), said(record)).toEqual([]);
    expect(record.offsets).toEqual([{ topic: 'main', asked: 5_000, claimed: 5_000, inLog: 5_000 }]);
  });

  it('records that run out of their delivery time void the trial, with the class of the error', async () => {
    const record = await lab.trial(scenario('impatient'), {
      records: 5_000,
      during: async (trial) => {
        await sending(trial, 'p');
        await stopped('b2', 3_000);
      },
    });
    expect(codes(record)).toEqual(expect.arrayContaining(['count-short', 'callbacks-failed']));
    expect(said(record)).toContain('TimeoutException');
  });

  it('a transactional one is valid, and the log holds its markers too', async () => {
    const record = await lab.trial(scenario('transactions'), { records: 5_000 });
    expect(codes(record), said(record)).toEqual([]);
    expect(record.offsets[0]?.inLog).toBeGreaterThan(5_000);
    expect(load(record, 'p').command).toContain('--transaction-duration-ms');
  });

  it('two on one topic are valid over their common interval; the sum of their own rates would be another number', async () => {
    const record = await lab.trial(scenario('two'), { records: { p: 6_000, q: 2_700 } });
    expect(codes(record), said(record)).toEqual([]);
    expect(record.rate?.over).toBe('overlap');
    expect(record.offsets).toEqual([{ topic: 'main', asked: 8_700, claimed: 8_700, inLog: 8_700 }]);
    const { from, to } = common(record, ['p', 'q']);
    expect(record.rate?.fromMs).toBeGreaterThanOrEqual(from);
    expect(record.rate?.toMs).toBeLessThanOrEqual(to);
    expect(ownSum(record, ['p', 'q'])).not.toBe(record.rate?.recordsPerS);
    expect(record.values?.p99?.value).toBeNull();
  });

  it('two on one topic, one killed: void, and only that one is to blame', async () => {
    const record = await lab.trial(scenario('two'), {
      records: { p: 4_000, q: 2_000 },
      during: async (trial) => {
        const { child } = await sending(trial, 'q', 'c2');
        process.kill(child!.pid, 'SIGKILL');
      },
    });
    expect(codes(record).toSorted()).toEqual(['no-summary', 'tool-exit']);
    expect(record.verdict.reasons.every((r) => r.message.startsWith('q:'))).toBe(true);
    expect(record.rate).toBeNull();
  });
});

/** The time in which all of these loads ran. */
function common(record: TrialRecord, names: readonly string[]): { from: number; to: number } {
  const loads = names.map((name) => load(record, name));
  return {
    from: Math.max(...loads.map((l) => l.steady?.fromMs ?? 0)) - 1_100,
    to: Math.min(...loads.map((l) => l.endedAtMs ?? 0)),
  };
}

function ownSum(record: TrialRecord, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (load(record, name).steady?.recordsPerS ?? 0), 0);
}

function archive(): TopicPlan {
  const found = lab.bench.plan.scenarios.flatMap((s) => s.topics).find((t) => t.name === 'archive');
  if (found === undefined) throw new Error('the plan has no archive');
  return found;
}

/** What a trial leaves that was ended in the middle of its fill. */
async function fillHalf(key: string): Promise<void> {
  const { partitions, replication, config, fill } = archive();
  const topic = { name: keptTopicName(key, archive()), partitions, replication, config };
  await lab.bench.lab.admin.createTopic(topic, AbortSignal.timeout(60_000));
  const capsule = `${keptFillCapsules(key, topic.name)}/1`;
  const half = { records: ARCHIVED / 2, payload: fill?.payload ?? '', client: 'c1', limitMs: 120_000 };
  await launchFill(lab.bench, { topic, as: 'archive', ...half }, capsule);
  while ((await lab.bench.lab.client('c1').poll(capsule)).state === 'running') await delay(200);
}

describe('consumers', () => {
  let replayPerS = 0;

  it('reads what was filled once, overshoots by less than a poll, and is valid; a half-filled topic is filled anew', async () => {
    const { key } = lab.bench.ref;
    await fillHalf(key);
    const record = await lab.trial(scenario('replay'), { records: 6_100 });
    expect(codes(record), said(record)).toEqual([]);
    const { prepared } = (await lab.evidence()).seen;
    expect(prepared?.fills?.['archive']).toMatchObject({ records: ARCHIVED, now: true });
    expect(await lab.bench.lab.client('c1').list(`${key}/fills`)).toHaveLength(2);
    const replay = load(record, 'replay');
    expect(replay.finalCount).toBeGreaterThanOrEqual(6_100);
    expect(replay.finalCount).toBeLessThan(6_600);
    expect(record.rate?.over).toBe('fetch');
    expect(record.rate?.recordsPerS).toBeCloseTo(replay.consumer?.fetchRecordsPerS ?? 0, 6);
    expect(record.offsets).toEqual([{ topic: 'archive', asked: 0, claimed: 0, inLog: 0, filled: ARCHIVED }]);
    replayPerS = replay.consumer?.fetchRecordsPerS ?? 0;
  });

  it('that asks for more than there is gives up: void', async () => {
    const record = await lab.trial(scenario('replay'), { records: ARCHIVED + 1_000 });
    expect(codes(record)).toEqual(['idle-timeout', 'consumer-short']);
  });

  it('beside a producer: one rate over the time that is common to both, not the sum of their own', async () => {
    const records = { p: 6_000, replay: Math.min(ARCHIVED, Math.round(replayPerS * 12)) };
    const record = await lab.trial(scenario('both'), { records });
    expect(codes(record), said(record)).toEqual([]);
    expect(record.rate?.over).toBe('overlap');
    // What the two tools print at their ends, each over its own time, is what people add up.
    const printed = ['p', 'replay'].map((name) => load(record, name).totalRecordsPerS ?? 0);
    expect(printed.every((perS) => perS > 0)).toBe(true);
    expect(Math.abs((printed[0] ?? 0) + (printed[1] ?? 0) - (record.rate?.recordsPerS ?? 0))).toBeGreaterThan(
      1,
    );
    const { produceRate, consumeRate, rate } = record.values ?? {};
    expect(produceRate).toMatchObject({ over: 'own', loads: ['p'] });
    expect(consumeRate).toMatchObject({ over: 'fetch', loads: ['replay'] });
    expect(rate?.loads).toEqual(['p', 'replay']);
  });

  it('one fill is kept across trials: one topic, and no tool that fills it again', async () => {
    const { seen, experimentKey } = await lab.evidence();
    expect(seen.prepared?.fills?.['archive']).toMatchObject({ records: ARCHIVED, now: false });
    const name = keptTopicName(experimentKey, archive());
    expect(seen.prepared?.topics['archive']?.name).toBe(name);
    expect(await lab.bench.lab.admin.recordsInLog(name)).toBe(ARCHIVED);
    expect(await lab.bench.lab.client('c1').list(`${experimentKey}/fills`)).toHaveLength(2);
  });

  it('from a cold page cache reads from the disk, and a fresh fill goes with its attempt', async () => {
    const record = await lab.trial(scenario('cold'), { records: 5_000 });
    expect(codes(record), said(record)).toEqual([]);
    const { cache, diskReadShare } = load(record, 'reader').consumer ?? {};
    const flags = record.verdict.flags.map((f) => f.code);
    if (diskReadShare === null) expect(flags).toContain('cache-unknown');
    else expect(flags.includes('cache-not-cold')).toBe(cache !== 'cold');
    const { seen } = await lab.evidence();
    expect(seen.prepared?.fills?.['fresh']).toMatchObject({ records: 8_000, now: true, cache: 'cold' });
    await expect(
      lab.bench.lab.admin.describeTopic(seen.prepared?.topics['fresh']?.name ?? ''),
    ).rejects.toThrow('does not exist');
  });

  it('from the end of a topic starts before its producers, and its time counts from the first send', async () => {
    const record = await lab.trial(scenario('live'), { records: { p: 5_000, live: 5_000 } });
    expect(codes(record), said(record)).toEqual([]);
    const { seen } = await lab.evidence();
    const barrier = seen.loaded?.notBeforeMs ?? {};
    expect((barrier['p'] ?? 0) - (barrier['live'] ?? 0)).toBe(5_000);
    expect(load(record, 'live').steady?.fromMs).toBeGreaterThanOrEqual(load(record, 'p').startedAtMs ?? 0);
  });
});
