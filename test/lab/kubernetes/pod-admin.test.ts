import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KafkaRefusal } from '../../../src/lab/kafka-refusal.ts';
import type { KafkaLook } from '../../../src/lab/kubernetes/kafka-look.ts';
import { type AdminWays, PodAdmin } from '../../../src/lab/kubernetes/pod-admin.ts';
import { archiveClasses, runTools, TOOL_FILES, type ToolPlace } from '../../../src/lab/tools/run-tools.ts';
import { createLocalTransport } from '../../../src/lab/local/local-transport.ts';
import { busyboxEnv } from '../capsule/support.ts';

/* The real script runs tools that play back what Kafka's really printed (fixtures/tools). */
const topic = 'assay.k.b1.a1.main.00000000';
const signal = new AbortController().signal;
let root: string;
let place: ToolPlace;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-tools-'));
  for (const folder of ['bin', 'answers', 'settings']) mkdirSync(join(root, folder));
  for (const [name, text] of Object.entries(TOOL_FILES)) writeFileSync(join(root, 'settings', name), text);
  for (const tool of ['topics', 'get-offsets', 'log-dirs', 'configs', 'leader-election']) {
    const file = join(root, 'bin', `kafka-${tool}.sh`);
    writeFileSync(file, STUB);
    chmodSync(file, 0o755);
  }
  place = { transport: createLocalTransport(), bin: join(root, 'bin'), folder: join(root, 'settings') };
});
afterEach(() => rmSync(root, { recursive: true }));

/** Plays back a recorded run; `called` keeps the arguments. */
const STUB = `#!/bin/bash
here=\${0%/*}/..
tool=\${0##*/} tool=\${tool%.sh}
printf '%s\\n' "$tool $*" >>"$here/called"
printf '%s\\n' "$KAFKA_JVM_PERFORMANCE_OPTS" >"$here/flags"
case " $* " in
  *' --create '*) kind=create ;;
  *' --delete '*) kind=delete ;;
  *' --alter '*) kind=alter ;;
  *' earliest '*) kind=earliest ;;
  *) kind=look ;;
esac
file=$here/answers/$tool.$kind
[[ -e $file ]] || { echo "no answer for $tool.$kind" >&2; exit 1; }
text=$(cat "$file")
if [[ -e $file.next ]]; then mv "$file.next" "$file"; fi
code=$(sed -n '2s/exit \\([0-9]*\\).*/\\1/p' <<<"$text")
sed -n '/^--stdout$/,/^--stderr$/p' <<<"$text" | sed '1d;$d'
sed -n '/^--stderr$/,$p' <<<"$text" | sed '1d' >&2
exit "$code"
`;

const fixture = (name: string) => new URL(`./fixtures/tools/${name}.txt`, import.meta.url).pathname;
/** What a tool answers to a kind of call, the first time and from then on. */
function answer(toolAndKind: string, name: string, next?: string): void {
  const file = join(root, 'answers', `kafka-${toolAndKind}`);
  copyFileSync(fixture(name), file);
  if (next !== undefined) copyFileSync(fixture(next), `${file}.next`);
}
const called = () => readFileSync(join(root, 'called'), 'utf8').trim().split('\n');

const seen = (folders: readonly string[] = [], epoch?: number): KafkaLook => ({
  clusterId: 'c',
  folders,
  epochs: new Map(epoch === undefined ? [] : [0, 1, 2, 3].map((p) => [`${topic}-${p}`, epoch])),
  segments: new Map(),
});

function admin(ways: Partial<AdminWays> = {}): PodAdmin {
  return new PodAdmin({
    brokers: [1, 2, 3].map((nodeId) => ({ name: `b${nodeId}`, nodeId })),
    bootstrapServers: 'kafka-0:9092,kafka-1:9092',
    tools: () => Promise.resolve(place),
    look: () => Promise.resolve(seen([], 0)),
    log: () => Promise.resolve(''),
    isAlive: () => Promise.resolve(true),
    ...ways,
  });
}

describe('tools.sh', () => {
  it('runs tools beside and after each other and returns both streams of each', async () => {
    answer('topics.look', 'describe');
    answer('topics.create', 'create-bad-value');
    const runs = await runTools(
      place,
      [
        { tool: 'kafka-topics', args: ['--create', '--config', 'a=b c'] },
        { tool: 'kafka-topics', args: ['--describe'], after: true },
      ],
      20_000,
    );
    expect(runs.map((run) => run.code)).toEqual([1, 0]);
    expect(runs[0]?.stderr).toContain('Not a number of type LONG');
    expect(runs[1]?.stdout).toContain('PartitionCount: 4');
    expect(called()).toEqual(['kafka-topics --create --config a=b c', 'kafka-topics --describe']);
  });

  it.each([
    ['GNU tools', process.env],
    ['busybox', busyboxEnv()],
  ])('ends a tool that takes too long, and still tells of the others: %s', async (_, env) => {
    writeFileSync(join(root, 'bin', 'kafka-slow.sh'), '#!/bin/bash\necho begun\nexec sleep 60\n');
    chmodSync(join(root, 'bin', 'kafka-slow.sh'), 0o755);
    writeFileSync(join(root, 'bin', 'kafka-fast.sh'), '#!/bin/bash\necho done\n');
    chmodSync(join(root, 'bin', 'kafka-fast.sh'), 0o755);
    const [slow, fast] = await runTools(
      { ...place, transport: createLocalTransport(env) },
      [
        { tool: 'kafka-slow', args: [] },
        { tool: 'kafka-fast', args: [] },
      ],
      1_000,
    );
    expect(slow).toMatchObject({ code: 137, stdout: 'begun\n' });
    expect(fast).toMatchObject({ code: 0, stdout: 'done\n' });
  });

  it('uses a class-data archive from the first run on, if one could be written', async () => {
    answer('topics.look', 'list');
    const list = { tool: 'kafka-topics', args: ['--list'] };
    const flags = () => readFileSync(join(root, 'flags'), 'utf8');
    await archiveClasses(place, list);
    expect(flags()).toContain('-XX:ArchiveClassesAtExit=');
    await runTools(place, [list], 20_000);
    expect(flags()).not.toContain('Archive');
    writeFileSync(join(root, 'settings', 'tools.jsa'), '');
    await runTools(place, [list], 20_000);
    expect(flags()).toContain('-XX:SharedArchiveFile=');
    rmSync(join(root, 'called'));
    await archiveClasses(place, list);
    expect(existsSync(join(root, 'called'))).toBe(false);
  });
});

describe('PodAdmin', () => {
  const wanted = { name: topic, partitions: 4, replication: 3, config: { 'min.insync.replicas': '2' } };

  it('creates a topic with placed replicas and waits for ISR, leaders and their epochs', async () => {
    answer('topics.create', 'create');
    answer('topics.look', 'describe-dead', 'describe');
    answer('get-offsets.look', 'offsets-latest');
    let looks = 0;
    const partitions = await admin({
      // the first look comes before the leaders have written anything
      look: () => Promise.resolve(seen([], looks++ < 3 ? undefined : 4)),
    }).createTopic(wanted, signal);
    expect(partitions[1]).toEqual({
      partition: 1,
      leader: 2,
      leaderEpoch: 4,
      replicas: [2, 3, 1],
      isr: [1, 2, 3],
    });
    expect(called().filter((line) => line.includes('--create'))).toEqual([
      `kafka-topics --bootstrap-server kafka-0:9092,kafka-1:9092 --command-config ${place.folder}/admin.properties --create --if-not-exists --topic ${topic} --replica-assignment 1:2:3,2:3:1,3:1:2,1:2:3 --config min.insync.replicas=2`,
    ]);
  });

  it('passes on what Kafka refuses, at once and in its words', async () => {
    answer('topics.create', 'create-bad-config');
    answer('topics.look', 'describe-unknown');
    answer('get-offsets.look', 'offsets-unknown');
    await expect(admin().createTopic(wanted, signal)).rejects.toThrow(
      new KafkaRefusal(
        'InvalidConfigurationException',
        `creating topic ${topic}: Unknown topic config name: nope.nope`,
      ),
    );
    await expect(admin().createTopic({ ...wanted, replication: 4 }, signal)).rejects.toThrow(
      /wants 4 replicas; the lab has 3/,
    );
    await expect(admin().describeTopic('nobody')).rejects.toMatchObject({
      code: 'UNKNOWN_TOPIC_OR_PARTITION',
    });
  });

  it('counts what is in the log, and asks again while a partition does not answer', async () => {
    answer('topics.look', 'describe');
    answer('get-offsets.earliest', 'offsets-earliest');
    answer('get-offsets.look', 'offsets-dead', 'offsets-latest');
    expect(await admin().recordsInLog(topic)).toBe(5000);
  });

  it('adds up bytes only when every broker has answered', async () => {
    answer('log-dirs.look', 'logdirs-dead', 'logdirs');
    expect(await admin().bytesOnDisk(topic)).toBe(3 * 550_348);
  });

  it('says why the brokers are not whole yet', async () => {
    answer('log-dirs.look', 'logdirs-dead', 'logdirs');
    answer('topics.look', 'under-replicated', 'under-replicated');
    expect(await admin().whyNotWhole()).toBe('2 of 3 brokers up');
    expect(await admin().whyNotWhole()).toBe('replicas of 5 partitions have to catch up');
    answer('topics.look', 'under-replicated-none');
    expect(await admin().whyNotWhole()).toBeNull();
  });

  it('lists topics, deletes one, and names the folders that brokers still have of it', async () => {
    answer('topics.look', 'list');
    answer('topics.delete', 'delete-if-exists');
    const some = admin({
      look: ({ name }) =>
        name === 'b3'
          ? Promise.reject(new Error('dead brokers are not asked'))
          : Promise.resolve(seen([`${topic}-0.0a1b-delete`, 'assay.k.kept.main-1'])),
      isAlive: (name) => Promise.resolve(name !== 'b3'),
    });
    expect(await some.topics('assay.')).toEqual([topic]);
    await some.deleteTopic(topic, signal);
    expect(await some.foldersLeft('assay.k.', ['assay.k.kept.main'])).toEqual([
      `b1/${topic}-0.0a1b-delete`,
      `b2/${topic}-0.0a1b-delete`,
    ]);
  });

  it('alters all brokers and waits until each has it', async () => {
    answer('configs.alter', 'configs-alter');
    answer('configs.look', 'configs-describe-all-altered');
    const changes = new Map([
      ['num.io.threads', '5'],
      ['log.retention.ms', null],
    ]);
    await admin().alterBrokers(changes, signal);
    const alterations = called().filter((line) => line.includes('--alter'));
    expect(alterations.map((line) => line.slice(line.indexOf('--entity-type'))).sort()).toEqual(
      [1, 2, 3].map(
        (id) =>
          `--entity-type brokers --entity-name ${id} --alter --add-config num.io.threads=5 --delete-config log.retention.ms`,
      ),
    );
    answer('configs.alter', 'configs-bad');
    await expect(admin().alterBrokers(changes, signal)).rejects.toThrow(/Cannot update these configs/);
  });

  it('reads events of a topic from the logs of all brokers, in order', async () => {
    const line = (second: number) =>
      `2026-11-30T20:00:0${second}.000000000Z [2026-11-30 20:00:00,000] INFO [Partition ${topic}-3 broker=1] Shrinking ISR from 1,2,3 to 1,2. (kafka.cluster.Partition)`;
    const events = await admin({
      log: ({ nodeId }) => Promise.resolve([line(nodeId === 1 ? 8 : 5), line(1)].join('\n')),
    }).brokerEvents(Date.UTC(2026, 10, 30, 20, 0, 3), topic);
    expect(events.map(({ broker, atMs }) => [broker, atMs % 60_000])).toEqual([
      ['b2', 5_000],
      ['b3', 5_000],
      ['b1', 8_000],
    ]);
  });
});
