import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { LabPlan } from '../../../src/design/plan.ts';
import { labFolder, resolveHome } from '../../../src/lab/home.ts';
import { createLocalLab } from '../../../src/lab/local/local-lab.ts';
import { isFree, portsOf } from '../../../src/lab/local/ports.ts';
import { isAlive, processesOfLab } from '../../../src/lab/local/processes.ts';
import { until } from '../../../src/lab/wait.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-lab-'));
const env = { ...process.env, ASSAY_MACHINE_DIR: join(root, 'machine') };
// jars and archive are cached across runs; everything else is this test's own
const home = { ...resolveHome({ ASSAY_HOME: join(root, 'home') }), kafka: resolveHome().kafka };
const key = 'lab-test-0a1b2c3d';
const plan: LabPlan = {
  target: 'local',
  brokers: { count: 3, kafka: '4.3.1', heapBytes: 256 << 20, jit: 'full', config: { 'num.io.threads': '4' } },
  clients: { names: ['c1'], heapBytes: 128 << 20 },
  pin: true,
};
const open = () => createLocalLab({ home, key, plan, env, expiresAtMs: Date.now() + 10 * 60_000 });
const folder = labFolder(home, key);
const signal = new AbortController().signal;
const say = (text: string) => process.stderr.write(`${new Date().toISOString()} ${text}\n`);
const topic = {
  name: `assay.${key}.b1.a1.main.00000000`,
  partitions: 6,
  replication: 3,
  config: { 'min.insync.replicas': '2' },
};

afterAll(async () => {
  await open().teardown();
  rmSync(root, { recursive: true, force: true });
});

describe('a local lab', { timeout: 180_000 }, () => {
  const lab = open();

  it('comes up, says what it is, and is found up by another process', async () => {
    const facts = await lab.provision(say, signal);
    expect(facts.bootstrapServers.split(',')).toHaveLength(3);
    expect(facts.kafkaVersion).toBe('4.3.1');
    expect(facts.brokerConfig['num.io.threads']).toBe('4 (set by the spec)');
    expect(facts.brokerConfig['log.segment.delete.delay.ms']).toBe('1000 (set by the lab)');
    expect(facts.jvmFlags).toContain('-XX:+UseG1GC');
    expect(Object.entries(facts.brokerConfig).filter(([, value]) => value.includes('not confirmed'))).toEqual(
      [],
    );
    const before = await lab.inspect();
    expect(before.brokers.map((b) => [b.name, b.incarnation, b.alive])).toEqual([
      ['b1', 1, true],
      ['b2', 1, true],
      ['b3', 1, true],
    ]);
    const again = open();
    await again.provision(() => undefined, signal);
    expect((await again.inspect()).identity).toBe(before.identity);
    await again.admin.close();
  });

  it('creates a topic with even preferred leaders and counts what was really written', async () => {
    const created = await lab.admin.createTopic(topic, signal);
    expect(created.map((p) => p.leader)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(created.every((p) => p.isr.length === 3 && p.leaderEpoch === 0)).toBe(true);
    expect(await lab.admin.createTopic(topic, signal)).toEqual(created);
    await produce(1000);
    expect(await lab.admin.recordsInLog(topic.name)).toBe(1000);
    expect(await lab.admin.bytesOnDisk(topic.name)).toBeGreaterThan(3 * 1000 * 100);
  });

  it('sees a dead broker, its elections and shrunken ISR, and repairs it as the next incarnation', async () => {
    const before = await lab.inspect();
    const victim = before.brokers[2];
    if (victim?.pid == null || victim.startTicks == null) throw new Error('broker 3 has no pid');
    const since = Date.now();
    process.kill(victim.pid, 'SIGKILL');
    const dead = await until(
      async () => ((await lab.inspect()).brokers[2]?.alive === false ? true : undefined),
      { everyMs: 100, limitMs: 20_000 },
    );
    expect(dead).toBe(true);
    const kinds = await until(
      async () => {
        const seen = new Set((await lab.admin.brokerEvents(since, topic.name)).map((e) => e.kind));
        return seen.has('leader-elected') && seen.has('isr-shrunk') ? seen : undefined;
      },
      { everyMs: 200, limitMs: 40_000 },
    );
    expect(kinds).toBeDefined();
    const state = await lab.repair(say, signal);
    expect(state.brokers.map((b) => [b.incarnation, b.alive])).toEqual([
      [1, true],
      [1, true],
      [2, true],
    ]);
    expect(state.identity).not.toBe(before.identity);
    const partitions = await lab.admin.describeTopic(topic.name);
    expect(partitions.every((p) => p.isr.length === 3)).toBe(true);
    expect(partitions.some((p) => p.leaderEpoch > 0)).toBe(true);
    const ofOther = (await lab.admin.brokerEvents(since, 'assay.other')).filter((e) => e.kind !== 'error');
    expect(ofOther).toEqual([]);
  });

  it('gives its brokers other settings, by a restart that keeps what is in the topics, and in running ones', async () => {
    const settings = { heapBytes: 256 << 20, jit: 'full', varied: ['num.io.threads'] } as const;
    const before = await lab.inspect();
    const restarted = await lab.reconfigure(
      { ...settings, config: { 'num.io.threads': '6' }, apply: 'restart' },
      say,
      signal,
    );
    expect(restarted['num.io.threads']).toBe('6 (set by the spec)');
    const after = await lab.inspect();
    expect(after.brokers.map((b, i) => b.incarnation - (before.brokers[i]?.incarnation ?? 0))).toEqual([
      1, 1, 1,
    ]);
    expect(await lab.admin.recordsInLog(topic.name)).toBe(1000);

    const altered = await lab.reconfigure(
      { ...settings, config: { 'num.io.threads': '5' }, apply: 'dynamic' },
      say,
      signal,
    );
    expect(altered['num.io.threads']).toMatch(/^5 /);
    expect((await lab.inspect()).identity).toBe(after.identity);
    const back = await lab.reconfigure({ ...settings, config: {}, apply: 'dynamic' }, say, signal);
    expect(back['num.io.threads']).toMatch(/^6 /);
  });

  it('deletes a topic down to its folders on every disk, and again', async () => {
    expect(await lab.admin.foldersLeft(topic.name, [topic.name])).toEqual([]);
    await lab.admin.deleteTopic(topic.name, signal);
    const gone = async () => ((await lab.admin.foldersLeft(topic.name)).length === 0 ? true : undefined);
    expect(await until(gone, { everyMs: 100, limitMs: 30_000 })).toBe(true);
    expect([1, 2, 3].some((n) => existsSync(join(folder, `b${n}`, 'data', `${topic.name}-0`)))).toBe(false);
    await lab.admin.deleteTopic(topic.name, signal);
    await expect(lab.admin.describeTopic(topic.name)).rejects.toThrow('does not exist');
  });

  it('is gone after teardown: processes, ports, folders, and teardown again does nothing', async () => {
    const ports = portsOf(join(root, 'machine'), folder);
    const brokers = (await lab.inspect()).brokers.map((b) => ({
      pid: b.pid ?? 0,
      startTicks: b.startTicks ?? 0,
    }));
    expect(ports).toHaveLength(6);
    expect((await lab.leaks()).leaks).not.toEqual([]);
    await lab.teardown();
    expect((await lab.leaks()).leaks).toEqual([]);
    expect(brokers.map(isAlive)).toEqual([false, false, false]);
    expect(processesOfLab(folder)).toEqual([]);
    expect(await Promise.all(ports.map(isFree))).toEqual(ports.map(() => true));
    expect(existsSync(folder)).toBe(false);
    await lab.teardown();
    const gone = await lab.inspect();
    expect(gone.brokers.map((b) => b.alive)).toEqual([false, false, false]);
    await expect(lab.repair(() => undefined, signal)).rejects.toMatchObject({ code: 'no-lab' });
  });

  async function produce(records: number): Promise<void> {
    const host = lab.client('c1');
    const { argv, env: toolEnv } = lab.javaCommand('org.apache.kafka.tools.ProducerPerformance', 128 << 20);
    const bootstrap = (await lab.provision(() => undefined, signal)).bootstrapServers;
    const args = [
      '--bootstrap-server',
      bootstrap,
      '--topic',
      topic.name,
      '--num-records',
      `${records}`,
      '--record-size',
      '100',
      '--throughput',
      '-1',
      '--command-property',
      'acks=all',
    ];
    const name = `${key}/b1/x/a1/p`;
    await host.launch({
      name,
      argv: [...argv, ...args],
      env: toolEnv,
      deadlineMs: 60_000,
      stdoutCapBytes: 1 << 16,
      stderrCapBytes: 1 << 16,
      stamp: true,
      identity: await host.identity(),
    });
    const done = await until(
      async () => {
        const p = await host.poll(name);
        return p.state === 'running' ? undefined : p;
      },
      { everyMs: 100, limitMs: 60_000, signal },
    );
    expect(done?.exit?.code, done?.stderr.toString()).toBe(0);
    expect(done?.stdout.toString()).toContain(`${records} records sent`);
    expect((await host.readFile(name, 'gc.log')).length).toBeGreaterThan(0);
  }
});
