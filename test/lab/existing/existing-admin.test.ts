import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { takeCluster } from '../../../src/lab/existing/cluster-lease.ts';
import { ClusterTools } from '../../../src/lab/existing/cluster-tools.ts';
import { ExistingAdmin } from '../../../src/lab/existing/existing-admin.ts';
import { lookAtCluster } from '../../../src/lab/existing/existing-facts.ts';
import { outputOf } from '../../../src/lab/tools/ask-tools.ts';
import { listing } from '../../../src/lab/tools/calls.ts';
import { TOOL_FILES } from '../../../src/lab/tools/run-tools.ts';
import { createLocalTransport } from '../../../src/lab/local/local-transport.ts';

/* The real script runs stand-ins of Kafka's tools, which answer what a test lays out for them. */
const key = 'k-00000000';
const lease = `assay.${key}.lease.20991231T2359Z`;
const name = `assay.${key}.b1.a1.main.00000000`;
const topic = { name, partitions: 2, replication: 2, config: { 'min.insync.replicas': '2' } };
const signal = AbortSignal.timeout(60_000);
let root: string;
let tools: ClusterTools;
let admin: ExistingAdmin;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-existing-'));
  for (const folder of ['bin', 'answers']) mkdirSync(join(root, folder));
  for (const [file, text] of Object.entries(TOOL_FILES)) writeFileSync(join(root, file), text);
  for (const tool of ['topics', 'get-offsets', 'log-dirs', 'consumer-groups', 'cluster']) {
    const file = join(root, 'bin', `kafka-${tool}.sh`);
    writeFileSync(file, STUB);
    chmodSync(file, 0o755);
  }
  const properties = join(root, 'client.properties');
  writeFileSync(
    properties,
    'security.protocol=SASL_SSL\nsasl.jaas.config=x required password="dormouse-17";\n',
  );
  tools = new ClusterTools({
    bootstrapServers: 'b:9093',
    clientProperties: properties,
    place: () => Promise.resolve({ transport: createLocalTransport(), bin: join(root, 'bin'), folder: root }),
  });
  admin = new ExistingAdmin({ key, tools, record: () => ({ brokerIds: [3, 1], lease }) });
  answer('topics.list', `${lease}\norders\n${name}\n`);
  answer('topics.create', `Created topic ${name}.\n`);
  answer('topics.delete', '');
  answer('topics.describe', DESCRIBED);
  answer('get-offsets.earliest', `${name}:0:5\n${name}:1:0\n`);
  answer('get-offsets.latest', `${name}:0:12\n${name}:1:3\n`);
});
afterEach(() => rmSync(root, { recursive: true }));

const DESCRIBED = `Topic: ${name}\tTopicId: x\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: min.insync.replicas=2
\tTopic: ${name}\tPartition: 0\tLeader: 3\tReplicas: 3,1\tIsr: 1,3\tElr: \tLastKnownElr: 
\tTopic: ${name}\tPartition: 1\tLeader: 1\tReplicas: 1,3\tIsr: 1,3\tElr: \tLastKnownElr: 
`;

const STUB = `#!/bin/bash
here=\${0%/*}/..
tool=\${0##*/kafka-} tool=\${tool%.sh}
printf '%s\\n' "$tool $*" >>"$here/called"
kind=list
for word in create delete describe earliest latest; do
  case " $* " in *" --$word "*|*" $word "*) kind=$word ;; esac
done
cat "$here/answers/$tool.$kind" 2>/dev/null
if [[ -e $here/answers/$tool.$kind.fails ]]; then cat "$here/answers/$tool.$kind.fails" >&2; exit 1; fi
`;

function answer(toolAndKind: string, stdout: string): void {
  writeFileSync(join(root, 'answers', toolAndKind), stdout);
}
const called = () => readFileSync(join(root, 'called'), 'utf8').trim().split('\n').toSorted();

describe('the admin of somebody’s cluster', () => {
  it('makes a topic of the experiment, placed by rule, and asks by the properties file', async () => {
    const made = await admin.createTopic(topic, signal);
    expect(made.map((p) => [p.leader, p.replicas, p.isr])).toEqual([
      [3, [3, 1], [1, 3]],
      [1, [1, 3], [1, 3]],
    ]);
    const common = `--bootstrap-server b:9093 --command-config ${root}/client.properties`;
    expect(called()).toContain(
      `topics ${common} --create --if-not-exists --topic ${name} --replica-assignment 3:1,1:3 --config min.insync.replicas=2`,
    );
    expect(called().every((line) => line.includes(common))).toBe(true);
  });

  it('measures nothing more when its lease is gone', async () => {
    answer('topics.list', `orders\n${name}\n`);
    await expect(admin.createTopic(topic, signal)).rejects.toMatchObject({ code: 'lease-lost' });
  });

  it('counts records by offsets, and describes a topic once for that', async () => {
    await admin.createTopic(topic, signal);
    rmSync(join(root, 'called'));
    expect(await admin.recordsInLog(name)).toBe(10);
    expect(called()).toHaveLength(2);
  });

  it('deletes by a pattern that means its own topics and nothing else', async () => {
    await admin.deleteTopics([name, lease], signal);
    const pattern = [name, lease].map((one) => one.replaceAll('.', '[.]')).join('|');
    expect(called()[0]).toContain(` --delete --if-exists --topic ${pattern}`);
    await expect(admin.deleteTopic('orders', signal)).rejects.toThrow('left alone');
    await expect(admin.deleteTopics([name, 'orders'], signal)).rejects.toThrow('left alone');
    await expect(admin.createTopic({ ...topic, name: 'orders' }, signal)).rejects.toThrow('left alone');
    expect(called()).toHaveLength(1);
  });

  it('says a refusal in one message with what to do, and hides what is secret', async () => {
    answer('topics.list', 'x');
    answer(
      'topics.list.fails',
      'org.apache.kafka.common.errors.SaslAuthenticationException: no login with dormouse-17\n',
    );
    const error = await admin.topics('assay.').catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'kafka-refused',
      message: expect.stringContaining('no login with [hidden]'),
      fix: expect.stringContaining('lab.clientProperties'),
    });
    expect(JSON.stringify([error, (error as Error).cause, (error as Error).stack])).not.toContain('dormouse');
  });
});

describe('a cluster that is silent', () => {
  const silence =
    'org.apache.kafka.common.errors.TimeoutException: Timed out waiting for a node assignment\n';

  it('may come back: whoever asked tries again', async () => {
    answer('topics.list.fails', silence);
    const asked = tools.until('listing', 0, async () => outputOf('listing', (await tools.run([listing]))[0]));
    await expect(asked).rejects.toMatchObject({ name: 'CapsuleError', code: 'transport' });
  });

  it('at the start is an address or a protocol that is wrong', async () => {
    answer('cluster.list.fails', silence);
    await expect(lookAtCluster(tools, signal, 0)).rejects.toMatchObject({
      code: 'kafka-silent',
      fix: expect.stringContaining('lab.bootstrap'),
    });
  });
});

describe('the lease', () => {
  it('is refused beside another that counts, before anything is made', async () => {
    answer('topics.list', 'assay.other-00000000.lease.20991231T0000Z\norders\n');
    await expect(takeCluster(tools, key, lease, signal)).rejects.toMatchObject({ code: 'cluster-leased' });
    expect(called().some((line) => line.includes('--create'))).toBe(false);
  });

  it('is taken beside one that is over; what others left is named', async () => {
    const dead = 'assay.other-00000000.lease.20200101T0000Z';
    answer('topics.list', `${dead}\norders\n${lease}\n`);
    expect(await takeCluster(tools, key, lease, signal)).toEqual([dead]);
  });
});
