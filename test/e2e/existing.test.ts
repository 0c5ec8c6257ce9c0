import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LabPlan } from '../../src/design/plan.ts';
import { look, remove } from '../../src/janitor/janitor.ts';
import { openExistingLab } from '../../src/lab/existing/existing-lab.ts';
import { installKafka } from '../../src/lab/local/kafka-install.ts';
import { loadTrials } from '../../src/store/experiment-files.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import type { ExperimentResult } from '../../src/temporal/status.ts';
import { CLOSED, knownWorkflows, shiftOf } from '../janitor/support.ts';
import { running, type Running } from '../kill/support/running.ts';
import { SOMEBODYS_TOPIC, somebodysKafka, type SomebodysKafka } from '../support/somebodys-kafka.ts';

let assay: Running;
let kafka: SomebodysKafka;
/** The cluster before anything of ours came. */
let before: string;
const { signal } = new AbortController();

beforeAll(async () => {
  assay = await running();
  const { libs } = await installKafka(assay.own.home, '4.3.1', () => undefined, signal, assay.own.env);
  kafka = await somebodysKafka(join(assay.own.home.root, '..', 'somebody'), libs);
  before = await kafka.photo();
}, 300_000);
afterAll(async () => {
  await kafka?.close();
  await assay?.close();
}, 60_000);

/** The smallest experiment that is one, by a user who may touch names below `assay.` only. */
const spec = () => ({
  assay: 1,
  name: 'existing',
  question: 'Does it work on a cluster of somebody?',
  lab: {
    target: 'existing',
    bootstrap: kafka.bootstrap,
    clientProperties: kafka.clientProperties,
    clients: { heap: '192MiB' },
  },
  payload: { json: { lines: 500, size: '512B', padding: '0%' } },
  topics: { main: { partitions: 4, replication: 2, config: { 'min.insync.replicas': 2 } } },
  producers: { p: { topic: 'main', for: '8s', rate: '500/s' } },
  factors: { batch: { set: 'producers.p.config.batch.size', levels: ['16KiB', '64KiB'] } },
  design: { blocks: 2, warmup: { passes: 1 }, budget: { written: '1GiB' } },
  window: { ramp: '1s', min: '1s' },
  settle: { quiet: '500ms', limit: '2s', drain: '500ms', dirty: '4GiB' },
});

const labOf = (key: string, properties: string) => {
  const plan: LabPlan = {
    target: 'existing',
    brokers: { count: 0, kafka: '4.3.1', heapBytes: 0, jit: 'full', config: {} },
    clients: { names: ['c1'], heapBytes: 192 << 20 },
    pin: false,
    existing: { bootstrapServers: kafka.bootstrap.join(','), clientProperties: properties },
  };
  const expiresAtMs = Date.now() + 3_600_000;
  return openExistingLab({
    home: assay.own.home,
    key,
    plan,
    replication: 2,
    expiresAtMs,
    env: assay.own.env,
  });
};

describe('a cluster of somebody', { timeout: 420_000 }, () => {
  it('runs an experiment as a user with few rights, and verifies', async () => {
    const file = join(assay.own.home.root, '..', 'existing.json');
    writeFileSync(file, JSON.stringify(spec()));
    const run = await assay.assay('run', file, '--id', 'existing', '--json');
    // Two blocks cannot decide anything: exit 4 is the right answer of a complete experiment.
    expect(run.code, run.stderr).toBe(4);
    const result = JSON.parse(run.stdout) as ExperimentResult;
    expect(result, run.stderr).toMatchObject({ outcome: 'completed', leaks: [] });
    expect(result.unverified).toBeUndefined();

    const folder = result.resultsFolder!;
    const trials = (await loadTrials(createFolderStore(folder))).filter((t) => t.block > 0);
    expect(
      trials.map((t) => t.verdict.valid),
      JSON.stringify(trials.map((t) => t.verdict.reasons)),
    ).toEqual([true, true, true, true]);
    for (const trial of trials) {
      expect(trial.offsets[0]).toMatchObject({
        claimed: trial.loads[0]?.asked,
        inLog: trial.loads[0]?.asked,
      });
      expect(trial.host).toMatchObject({ brokerCores: {}, deviceWriteBytesPerS: null });
      expect(trial.loads[0]?.command).toContain(kafka.clientProperties);
    }
    const page = readFileSync(join(folder, 'report.md'), 'utf8');
    expect(page).toContain('were not sampled');
    expect(page).not.toContain('PLAINTEXT without authentication');
    const verified = await assay.assay('verify', folder);
    expect(verified.code, verified.stdout).toBe(0);

    expect(existsSync(join(assay.own.home.labs, result.key))).toBe(false);
  });

  it('keeps passwords where they were: in no result, history, log or record', () => {
    const found = filesBelow(assay.own.home.root).filter((path) => {
      const content = readFileSync(path);
      return kafka.secrets.some((secret) => content.includes(secret));
    });
    expect(found).toEqual([]);
  });

  it('is measured by one experiment at a time, and is cleaned of what one left, but of nothing that only looks like it', async () => {
    const first = labOf('first-00000000', kafka.adminProperties);
    const second = labOf('second-00000000', kafka.adminProperties);
    const name = 'assay.first-00000000.b1.a1.main.00000000';
    // The tools read names as patterns, in which a dot is any character.
    const lookalike = name.replaceAll('.', '-');
    const topics = 'org.apache.kafka.tools.TopicCommand';
    await kafka.tool(topics, '--create', '--topic', lookalike, '--partitions', '1');
    try {
      await first.provision(() => undefined, signal);
      await expect(second.provision(() => undefined, signal)).rejects.toThrow(
        /first-00000000.*measures this/,
      );
      const made = await first.admin.createTopic({ name, partitions: 3, replication: 2, config: {} }, signal);
      expect(made.map((p) => [p.leader, p.isr.length])).toEqual([
        [1, 2],
        [2, 2],
        [1, 2],
      ]);
      // A group of the experiment, whatever it reads.
      const group = 'assay.first-00000000.b1.a1.g.00000000';
      const reads = [
        '--topic',
        SOMEBODYS_TOPIC,
        '--num-records',
        '10',
        '--group',
        group,
        '--timeout',
        '20000',
      ];
      await kafka.tool('org.apache.kafka.tools.ConsumerPerformance', ...reads);
      expect((await first.admin.own()).groups).toEqual([group]);
      await expect(first.admin.deleteTopic(lookalike, signal)).rejects.toThrow('left alone');
      // As after a terminate: nobody tears it down, the janitor finds it by the folder on this machine.
      const machine = { home: assay.own.home, machineDir: assay.own.env['ASSAY_MACHINE_DIR']! };
      const workflows = knownWorkflows({ first: CLOSED });
      const shift = shiftOf({ machine, workflows }, {}, Date.now() + 2 * 3_600_000);
      const leftover = (await look(shift)).leftovers.find(({ key }) => key === 'first-00000000');
      expect(await remove(leftover!, shift)).toMatchObject({ outcome: 'removed', remains: [] });
    } finally {
      await Promise.all([first.teardown(), second.teardown()]);
    }
    expect(await first.leaks()).toEqual({ leaks: [], unverified: [] });
    expect(await kafka.tool(topics, '--list')).toContain(lookalike);
    await kafka.tool(topics, '--delete', '--topic', lookalike);
  });

  it('that lets nobody in is said in one message, without the password', async () => {
    const wrong = join(assay.own.home.root, '..', 'wrong.properties');
    const text = readFileSync(kafka.clientProperties, 'utf8').replace('password="', 'password="not-');
    writeFileSync(wrong, text, { mode: 0o600 });
    const provisioned = labOf('wrong-00000000', wrong).provision(() => undefined, signal);
    const error = (await provisioned.catch((reason: unknown) => reason)) as Error;
    expect(error.message).toMatch(/refused: asking who the cluster is: .*[Aa]uthentication failed/);
    expect(error).toMatchObject({ code: 'kafka-refused', fix: expect.stringContaining('sasl.*') });
    for (const secret of kafka.secrets) expect(error.message).not.toContain(secret);
  });

  it('is after all of that as it was before', async () => {
    expect(await kafka.photo()).toBe(before);
  });
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
