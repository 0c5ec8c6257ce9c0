import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Host } from '../../../src/lab/host.ts';
import { openCluster } from '../../../src/lab/kubernetes/api/client-cluster.ts';
import { openKubernetesLab } from '../../../src/lab/kubernetes/kubernetes-lab.ts';
import { createLabMaker } from '../../../src/lab/kubernetes/lab-maker.ts';
import { folderKeeper } from '../../../src/lab/kubernetes/record.ts';
import type { Lab, LabFacts } from '../../../src/lab/lab.ts';
import { PRODUCER_MAIN, producerArguments } from '../../../src/lab/producer-command.ts';
import { samplerCapsule } from '../../../src/lab/sampler/sampler.ts';
import { until } from '../../../src/lab/wait.ts';
import { readSamples } from '../../../src/measure/sample.ts';
import { labPlanOf } from '../../lab/kubernetes/objects/support.ts';
import { kubectl } from '../support/command.ts';

/* One lab of real brokers in pods, driven as an experiment drives it: by the Lab interface alone. */

const key = 'lab-case-0a1b2c3d';
const namespace = `assay-${key}`;
const small = (cpu: string, memory: string) => ({
  requests: { cpu: '50m', memory: '256MiB' },
  limits: { cpu, memory },
});
const plan = labPlanOf({
  brokers: { heap: '256MiB', config: { 'num.replica.fetchers': 3 } },
  clients: { count: 2, heap: '128MiB', apart: 'none' },
  kubernetes: {
    brokers: { nodes: {}, spread: 'none', disk: '1GiB', resources: small('2', '1GiB') },
    clients: { nodes: {}, resources: small('2', '1GiB') },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'assay-lab-case-'));
const signal = new AbortController().signal;
const say = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`);
const topic = {
  name: `assay.${key}.b1.a1.main.00000000`,
  partitions: 6,
  replication: 3,
  config: { 'min.insync.replicas': '2' },
};

/** As another worker would open it: nothing is kept between two. */
function open(): Lab {
  const cluster = openCluster();
  const ids = { key, workflowId: 'lab-case', owner: null, expiresAtMs: Date.now() + 3_600_000 };
  const keeper = folderKeeper(folder);
  const maker = createLabMaker({ cluster, plan, ids, keeper, plannedMs: 600_000 });
  return openKubernetesLab({ cluster, key, plan, maker });
}

let lab: Lab;
let facts: LabFacts;

beforeAll(async () => {
  lab = open();
});

afterAll(async () => {
  await lab.teardown();
  rmSync(folder, { recursive: true });
});

async function ended(host: Host, name: string, limitMs = 120_000) {
  return until(
    async () => {
      const poll = await host.poll(name);
      return poll.state === 'running' ? undefined : poll;
    },
    { everyMs: 500, limitMs },
  );
}

describe('a lab of pods', { timeout: 600_000 }, () => {
  test('comes up, says what it is made of, and is found up by another worker', async () => {
    facts = await lab.provision(say, signal);
    say(JSON.stringify(facts, null, 1));
    expect(facts).toMatchObject({ kafkaVersion: '4.3.1', machine: { instanceType: 'm5.xlarge' } });
    expect(facts.clusterId).toMatch(/^[\w-]{22}$/);
    expect(facts.jvmFlags).toContain('-Xmx256M');
    expect(facts.brokerConfig).toMatchObject({
      'num.replica.fetchers': '3 (set by the spec)',
      'log.segment.delete.delay.ms': '1000 (set by the lab)',
    });
    expect(Object.values(facts.brokerConfig).filter((value) => value.includes('not confirmed'))).toEqual([]);
    expect(facts.pods?.map(({ who }) => who)).toEqual([
      'broker b1',
      'broker b2',
      'broker b3',
      'client c1',
      'client c2',
    ]);
    const state = await lab.inspect();
    expect(state.brokers.map(({ name, alive }) => [name, alive])).toEqual([
      ['b1', true],
      ['b2', true],
      ['b3', true],
    ]);
    const again = open();
    expect((await again.provision(() => undefined, signal)).clusterId).toBe(facts.clusterId);
    expect((await again.inspect()).identity).toBe(state.identity);
  });

  test('knows the volume of each broker; that a folder is no device is said', () => {
    const volumes = facts.volumes ?? [];
    expect(volumes.map(({ broker }) => broker)).toEqual(['b1', 'b2', 'b3']);
    expect(new Set(volumes.map(({ volumeId }) => volumeId)).size).toBe(3);
    for (const one of volumes)
      expect(one).toMatchObject({ volumeId: expect.stringMatching(/^vol-/), result: 'unverified' });
  });

  test('loads a topic from a client pod, counts it, and samples every pod', async () => {
    const created = await lab.admin.createTopic(topic, signal);
    expect(created.map((p) => p.leader)).toEqual([0, 1, 2, 0, 1, 2]);
    expect(created.every((p) => p.isr.length === 3 && p.leaderEpoch === 0)).toBe(true);
    expect(await lab.admin.createTopic(topic, signal)).toEqual(created);

    const since = Date.now();
    const targets = await lab.samplerTargets();
    expect(targets.map(({ host }) => host.name)).toEqual(['b1', 'b2', 'b3', 'c1', 'c2']);
    await Promise.all(
      targets.map(async ({ host, device, netInterfaces, brokerPids, script }) => {
        const identity = await host.identity();
        const name = `${key}/sampler`;
        const watch = brokerPids;
        await host.launch(
          samplerCapsule({
            name,
            device,
            netInterfaces,
            watch,
            deadlineMs: 300_000,
            identity,
            script: script!,
          }),
        );
      }),
    );

    const host = lab.client('c1');
    const payload = Buffer.from(
      Array.from({ length: 100 }, (_, i) => `record ${i} ${'x'.repeat(200)}\n`).join(''),
    );
    const payloadFile = await host.putFile(
      'payload.txt',
      payload,
      createHash('sha256').update(payload).digest('hex'),
    );
    const { argv, env } = lab.javaCommand(PRODUCER_MAIN, plan.clients.heapBytes);
    const given = producerArguments({
      bootstrapServers: facts.bootstrapServers,
      topic: topic.name,
      records: 5000,
      recordsPerS: null,
      payloadFile,
      transaction: null,
      config: { acks: 'all' },
    });
    await host.launch({
      name: `${key}/load`,
      argv: [...argv, ...given],
      env,
      deadlineMs: 120_000,
      stderrCapBytes: 1 << 20,
      stdoutCapBytes: 1 << 20,
      stamp: true,
      identity: await host.identity(),
    });
    const end = await ended(host, `${key}/load`);
    expect(end?.stdout.toString()).toMatch(/5000 records sent/);
    expect(end?.exit?.code).toBe(0);
    expect(await lab.admin.recordsInLog(topic.name)).toBe(5000);
    expect(await lab.admin.bytesOnDisk(topic.name)).toBeGreaterThan(3 * 5000 * 200);
    expect(await lab.admin.brokerEvents(since, topic.name)).toEqual([]);
    expect(await lab.admin.describeTopic(topic.name)).toEqual(created);

    for (const { host: sampled, brokerPids } of targets) {
      await sampled.kill(`${key}/sampler`);
      const text = (await sampled.poll(`${key}/sampler`)).stdout.toString();
      const { samples } = readSamples(text);
      expect(samples.length).toBeGreaterThan(3);
      expect(text).toContain('"eth0":[');
      for (const broker of Object.keys(brokerPids)) expect(text).toMatch(new RegExp(`"${broker}":\\[\\d+,`));
    }
  });

  test('leaves no dead process in the client’s pod: its first process reaps them', async () => {
    const script = 'grep -l "^State:.Z" /proc/[0-9]*/status 2>/dev/null | wc -l';
    const where = ['-n', namespace, 'exec', 'client-c1', '-c', 'client'];
    const none = async () =>
      (await kubectl([...where, '--', 'bash', '-c', script])).trim() === '0' ? true : undefined;
    expect(await until(none, { everyMs: 500, limitMs: 90_000 })).toBe(true);
  });

  test('names the files that its consumers read, where their pages are', async () => {
    const files = await lab.logFiles(topic.name);
    expect(files.map(({ broker, files: all, ledFiles }) => [broker, all.length, ledFiles.length])).toEqual([
      ['b1', 6, 2],
      ['b2', 6, 2],
      ['b3', 6, 2],
    ]);
    const first = files[0]!;
    const name = `${key}/sizes`;
    await first.host.launch({
      name,
      argv: ['wc', '-c', ...first.files],
      deadlineMs: 20_000,
      stderrCapBytes: 4096,
      stdoutCapBytes: 65_536,
      stamp: false,
      identity: await first.host.identity(),
    });
    const end = await ended(first.host, name);
    expect(end?.exit?.code).toBe(0);
  });

  test('sees a broker that was replaced, its elections and short ISR, and repairs', async () => {
    const before = await lab.inspect();
    const since = Date.now();
    await kubectl([
      '-n',
      namespace,
      'delete',
      'pod',
      'kafka-2',
      '--grace-period=0',
      '--force',
      '--wait=false',
    ]);
    const other = await until(
      async () => {
        const now = await lab.inspect();
        return now.identity === before.identity ? undefined : now;
      },
      { everyMs: 200, limitMs: 60_000 },
    );
    expect(other?.brokers.find(({ name }) => name === 'b1')?.identity).toBe(before.brokers[0]?.identity);
    const repaired = await lab.repair(say, signal);
    expect(repaired.brokers.every(({ alive }) => alive)).toBe(true);
    expect(repaired.identity).not.toBe(before.identity);
    const moved = await lab.admin.describeTopic(topic.name);
    expect(moved.map((p) => p.leader)).toEqual([0, 1, 2, 0, 1, 2]);
    expect(moved.filter((p) => p.leader === 2).every((p) => p.leaderEpoch > 0)).toBe(true);
    expect(await lab.admin.recordsInLog(topic.name)).toBe(5000);
    const kinds = new Set((await lab.admin.brokerEvents(since, topic.name)).map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['leader-elected', 'isr-shrunk']));
  });

  test('makes a client anew that was deleted', async () => {
    const before = await lab.client('c2').identity();
    await kubectl(['-n', namespace, 'delete', 'pod', 'client-c2', '--wait=true']);
    await expect(lab.client('c2').identity()).rejects.toThrow(/not there/);
    await lab.repair(say, signal);
    const now = await lab.client('c2').identity();
    expect(now.podUid).not.toBe(before.podUid);
  });

  test('gives the brokers other settings, in running processes and by a restart', async () => {
    const settings = { heapBytes: plan.brokers.heapBytes, jit: plan.brokers.jit, varied: ['num.io.threads'] };
    const before = await lab.inspect();
    const dynamic = await lab.reconfigure(
      { ...settings, config: { 'num.io.threads': '5' }, apply: 'dynamic' },
      say,
      signal,
    );
    expect(dynamic['num.io.threads']).toMatch(/^5 /);
    expect((await lab.inspect()).identity).toBe(before.identity);
    const back = await lab.reconfigure({ ...settings, config: {}, apply: 'dynamic' }, say, signal);
    expect(back['num.io.threads']).toMatch(/^8 /);
    const restarted = await lab.reconfigure(
      { ...settings, config: { 'num.io.threads': '3' }, apply: 'restart' },
      say,
      signal,
    );
    expect(restarted['num.io.threads']).toMatch(/^3 /);
    const after = await lab.inspect();
    expect(after.brokers.every(({ alive }) => alive)).toBe(true);
    expect(after.brokers.every(({ identity }, i) => identity !== before.brokers[i]?.identity)).toBe(true);
    expect(await lab.admin.recordsInLog(topic.name)).toBe(5000);
  });

  test('deletes the topic everywhere', async () => {
    expect(await lab.admin.topics(`assay.${key}.`)).toEqual([topic.name]);
    await lab.admin.deleteTopic(topic.name, signal);
    await lab.admin.deleteTopic(topic.name, signal);
    const left = await until(
      async () => ((await lab.admin.foldersLeft(`assay.${key}.`)).length === 0 ? [] : undefined),
      { everyMs: 500, limitMs: 60_000 },
    );
    expect(left).toEqual([]);
    expect(await lab.admin.topics(`assay.${key}.`)).toEqual([]);
  });

  test('is torn down, and nothing of it is left', async () => {
    expect((await lab.leaks()).leaks.length).toBeGreaterThan(0);
    await lab.teardown();
    expect(await lab.leaks()).toEqual({ leaks: [], unverified: [] });
  });
});
