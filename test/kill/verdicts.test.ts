import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TrialInput } from '../../activities/contract.ts';
import { trialCapsule } from '../../src/design/names.ts';
import type { CapsulePoll } from '../../src/lab/host.ts';
import { codes, labBench, type LabBench, said, scenarioOfCase } from './support/lab-bench.ts';

/** One lab, one scenario a case. Rates are limited so that the loads last long enough to be disturbed. */
const SPEC = {
  assay: 1,
  name: 'verdicts',
  question: 'Does every fault get the right verdict?',
  lab: {
    brokers: { heap: '384MiB', config: { 'replica.lag.time.max.ms': 4000 } },
    clients: { heap: '256MiB' },
  },
  payload: { json: { lines: 2000, size: '1008B', padding: '0%' } },
  topics: { main: { partitions: 3, replication: 3, config: { 'min.insync.replicas': 2 } } },
  producers: {
    p: {
      topic: 'main',
      records: 20_000,
      rate: '2k/s',
      config: { acks: 'all', 'delivery.timeout.ms': 12_000, 'request.timeout.ms': 6_000 },
    },
  },
  factors: {
    case: {
      levels: {
        plain: {},
        rf1: {
          'topics.main.replication': 1,
          'topics.main.config.min.insync.replicas': 1,
          'producers.p.config.acks': 1,
          'producers.p.config.enable.idempotence': false,
        },
        acks0: { 'producers.p.config.acks': 0, 'producers.p.config.enable.idempotence': false },
        // With a codec the plan cannot know that no batch fits; without one it refuses such a spec.
        acks0TooLarge: {
          'producers.p.config.acks': 0,
          'producers.p.config.enable.idempotence': false,
          'producers.p.config.compression.type': 'lz4',
          'topics.main.config.max.message.bytes': 300,
        },
        tooLarge: {
          'producers.p.config.compression.type': 'lz4',
          'topics.main.config.max.message.bytes': 300,
        },
        minIsr3: { 'topics.main.config.min.insync.replicas': 3 },
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

/** Waits until the load has sent its first records. */
async function sending(trial: TrialInput): Promise<CapsulePoll> {
  const host = lab.bench.lab.client('c1');
  const name = trialCapsule(trial.ref.key, trial, 'p');
  for (;;) {
    const poll = await host.poll(name);
    if (/\n.* records sent/.test(poll.stdout.toString())) return poll;
    if (poll.state === 'exited')
      throw new Error(`the load ended before it was disturbed: ${poll.stderr.toString().slice(0, 300)}`);
    await delay(100);
  }
}

/** The broker that leads partition 0 of the trial's topic. */
async function leader(trial: TrialInput): Promise<string> {
  const { topicName } = await import('../../src/design/names.ts');
  const partitions = await lab.bench.lab.admin.describeTopic(topicName(trial.ref.key, trial, 'main'));
  const nodeId = partitions.find((p) => p.partition === 0)?.leader;
  const broker = (await lab.bench.lab.inspect()).brokers.find((b) => b.nodeId === nodeId);
  if (broker === undefined) throw new Error('partition 0 has no leader');
  return broker.name;
}

const killLeader = async (trial: TrialInput): Promise<void> => {
  await sending(trial);
  process.kill(await lab.brokerPid(await leader(trial)), 'SIGKILL');
};

describe('the verdict on real brokers', () => {
  it('a plain acks=all run is valid', async () => {
    const record = await lab.trial(scenario('plain'), { records: 14_000 });
    expect(codes(record), said(record)).toEqual([]);
    expect(record.verdict.valid).toBe(true);
    expect(record.offsets).toEqual([{ topic: 'main', asked: 14_000, claimed: 14_000, inLog: 14_000 }]);
    expect(record.rate?.intervals).toBeGreaterThan(2);
  });

  it('acks=0 whose records are over the limit of the topic: the tool claims all, the log has none', async () => {
    const record = await lab.trial(scenario('acks0TooLarge'), { records: 8_000 });
    expect(record.loads[0]).toMatchObject({ exitCode: 0, finalCount: 8_000, failedCallbacks: 0 });
    expect(record.offsets[0]?.inLog).toBe(0);
    expect(codes(record)).toContain('offsets-lost');
  });

  it('a record that is too large: none succeeded, and the error is quoted', async () => {
    const record = await lab.trial(scenario('tooLarge'), { records: 4_000 });
    expect(codes(record)).toEqual(expect.arrayContaining(['count-short', 'callbacks-failed']));
    expect(said(record)).toContain('RecordTooLarge');
  });

  it('a load that is killed has no result', async () => {
    const record = await lab.trial(scenario('plain'), {
      records: 20_000,
      during: async (trial) => {
        const { child } = await sending(trial);
        process.kill(child!.pid, 'SIGKILL');
      },
    });
    expect(codes(record)).toEqual(expect.arrayContaining(['tool-exit', 'no-summary']));
    expect(record.loads[0]?.exitCode).toBe(137);
  });

  it('a runner that is killed leaves a lost capsule, and its load does not go on', async () => {
    let child = 0;
    const record = await lab.trial(scenario('plain'), {
      records: 20_000,
      during: async (trial) => {
        const poll = await sending(trial);
        child = poll.child!.pid;
        process.kill(poll.claim!.pid, 'SIGKILL');
      },
    });
    expect(codes(record)).toContain('capsule-lost');
    expect(() => process.kill(child, 0)).toThrow();
  });

  it('a follower that is paused in mid load leaves the in-sync set', async () => {
    let paused = 0;
    const record = await lab.trial(scenario('plain'), {
      records: 24_000,
      during: async (trial) => {
        await sending(trial);
        paused = await lab.brokerPid((await leader(trial)) === 'b3' ? 'b2' : 'b3');
        process.kill(paused, 'SIGSTOP');
        await delay(7_000);
        process.kill(paused, 'SIGCONT');
      },
    });
    expect(codes(record)).toContain('isr-shrunk');
  });

  it('RF3 acks=0 with a broker killed: the tool claims all, only the offsets know', async () => {
    const record = await lab.trial(scenario('acks0'), { records: 20_000, during: killLeader });
    await lab.mend();
    // The tool may notice some failed sends, but never all: it claims more than the log holds.
    expect(record.loads[0]?.exitCode).toBe(0);
    expect(record.loads[0]?.finalCount ?? 0).toBeGreaterThan(record.offsets[0]?.inLog ?? 20_000);
    expect(codes(record)).toContain('host-gone');
    expect(record.offsets[0]?.inLog).toBeLessThan(20_000);
    expect(codes(record)).toContain('offsets-lost');
  });

  it('RF1 acks=1 with a broker killed: sends fail and the count is short', async () => {
    const record = await lab.trial(scenario('rf1'), { records: 24_000, during: killLeader });
    await lab.mend();
    expect(codes(record)).toEqual(expect.arrayContaining(['count-short', 'callbacks-failed', 'host-gone']));
    expect(record.loads[0]?.failedCallbacks).toBeGreaterThan(0);
  });

  it('min ISR that is not met: every send fails with the reason', async () => {
    const record = await lab.trial(scenario('minIsr3'), {
      records: 6_000,
      beforeLoad: async () => process.kill(await lab.brokerPid('b2'), 'SIGSTOP') as unknown as void,
      during: async (trial) => {
        const host = lab.bench.lab.client('c1');
        const name = trialCapsule(trial.ref.key, trial, 'p');
        while ((await host.poll(name)).state !== 'exited') await delay(200);
        process.kill(await lab.brokerPid('b2'), 'SIGCONT');
      },
    });
    expect(codes(record)).toEqual(expect.arrayContaining(['count-short', 'callbacks-failed', 'isr-shrunk']));
  });

  it('the lab is as good as before: a plain run is valid again', async () => {
    await lab.mend();
    const record = await lab.trial(scenario('plain'), { records: 10_000 });
    expect(codes(record), said(record)).toEqual([]);
  });
});
