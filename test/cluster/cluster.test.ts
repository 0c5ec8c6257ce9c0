import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../src/lab/wait.ts';
import { killApiServer, startApiServer } from './support/api-server.ts';
import { openCloud } from './support/cloud.ts';
import { get, kubectl, run } from './support/command.ts';
import { dropTo } from './support/network.ts';
import { clusterRun, NODE_NAME, TESTS_ID } from './support/run.ts';
import { heldVolumes, useNoEc2 } from './support/volumes.ts';

/* The cluster of the tests itself: whatever is proven on it rests on what is proven here. */

const MANIFEST = new URL('fixtures/kafka.yaml', import.meta.url).pathname;
const NAMESPACE = 'lab-check';
const BROKERS = ['kafka-0', 'kafka-1', 'kafka-2'];
const BOOTSTRAP = BROKERS.map((name) => `${name}.kafka-hs.${NAMESPACE}.svc.cluster.local:9092`).join(',');

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly status: {
    readonly podIP: string;
    readonly containerStatuses: readonly { readonly imageID: string; readonly restartCount: number }[];
  };
}

const inClient = (script: string, limitMs = 120_000) =>
  kubectl(['-n', NAMESPACE, 'exec', 'kafka-client', '--', 'bash', '-ec', script], { limitMs });
const pods = async () => (await get<{ items: Pod[] }>('pods', '-n', NAMESPACE)).items;

let cloud: string;

beforeAll(async () => {
  cloud = await openCloud();
});

afterAll(async () => {
  await kubectl(['delete', '--ignore-not-found', '--timeout=120s', '-f', MANIFEST], { limitMs: 150_000 });
  useNoEc2();
});

test('the node is ready and says what the reference asks of a broker node', async () => {
  const node = await get<{
    metadata: { labels: Record<string, string> };
    status: { conditions: { type: string; status: string }[] };
  }>('node', NODE_NAME);
  expect(node.status.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  expect(node.metadata.labels).toMatchObject({
    'topology.kubernetes.io/zone': 'ap-northeast-2b',
    'node.kubernetes.io/instance-type': 'm5.xlarge',
    'karpenter.sh/capacity-type': 'on-demand',
  });
});

describe('three brokers of the reference template', () => {
  test('become ready, with the image and the user of the official one', async () => {
    await kubectl(['apply', '-f', MANIFEST]);
    await kubectl(['-n', NAMESPACE, 'rollout', 'status', 'statefulset/kafka', '--timeout=180s'], {
      limitMs: 200_000,
    });
    await kubectl(['-n', NAMESPACE, 'wait', '--for=condition=Ready', 'pod/kafka-client', '--timeout=60s']);
    expect((await inClient('id -u; id -un; ls /opt/kafka/bin')).split('\n')).toEqual(
      expect.arrayContaining(['1000', 'appuser', 'kafka-topics.sh', 'kafka-producer-perf-test.sh']),
    );
    const quorum = await inClient(
      `/opt/kafka/bin/kafka-metadata-quorum.sh --bootstrap-server ${BOOTSTRAP} describe --status`,
    );
    expect(quorum).toMatch(/ClusterId:\s+UdHYY7YQRrunSRromZFozw/);
  });

  test('keep every record that the perf tool of a client pod has sent', async () => {
    const bin = '/opt/kafka/bin';
    await inClient(
      `${bin}/kafka-topics.sh --bootstrap-server ${BOOTSTRAP} --create --topic t --partitions 6 --replication-factor 3`,
    );
    const sent = await inClient(
      `${bin}/kafka-producer-perf-test.sh --bootstrap-server ${BOOTSTRAP} --topic t --num-records 30000 --record-size 512 --throughput -1 --command-property acks=all`,
    );
    expect(sent).toMatch(/^30000 records sent/m);
    const offsets = await inClient(`${bin}/kafka-get-offsets.sh --bootstrap-server ${BOOTSTRAP} --topic t`);
    const ends = offsets
      .trim()
      .split('\n')
      .map((line) => Number(line.split(':')[2]));
    expect(ends).toHaveLength(6);
    expect(ends.reduce((sum, end) => sum + end, 0)).toBe(30_000);
  });

  test('have volumes that EC2 knows by their ids, in use and tagged', async () => {
    const held = heldVolumes();
    expect(held.map((volume) => volume.PVC).sort()).toEqual(
      BROKERS.map((name) => `${NAMESPACE}/data-${name}`),
    );
    const claims = await get<{ items: { spec: { csi: { volumeHandle: string } } }[] }>('pv');
    expect(claims.items.map((pv) => pv.spec.csi.volumeHandle).sort()).toEqual(
      held.map((volume) => volume.ID).sort(),
    );
    const described = await describeVolumes();
    for (const volume of held) expect(described).toContain(`<volumeId>${volume.ID}</volumeId>`);
    expect(described.match(/<status>in-use<\/status>/g)).toHaveLength(3);
    expect(described).toContain('<key>assay.dev/experiment</key>');
    const node = await get<{ spec: { providerID: string } }>('node', NODE_NAME);
    expect(node.spec.providerID).toMatch(/^aws:\/\/\/ap-northeast-2b\/i-/);
  });

  test('are out of reach for tests and workers, and reach the API server themselves', async () => {
    const broker = (await pods()).find((pod) => pod.metadata.name === 'kafka-0');
    const address = `/dev/tcp/${broker?.status.podIP}/9092`;
    const opens = async (uid: number, gid: number) => {
      const user = ['--reuid', String(uid), '--regid', String(gid), '--clear-groups'];
      const ended = await run('setpriv', [...user, 'timeout', '5', 'bash', '-c', `exec 3<>${address}`]);
      return ended.code === 0;
    };
    expect(await opens(0, 0)).toBe(true);
    expect(await opens(0, TESTS_ID)).toBe(false);
    expect(await opens(TESTS_ID, 0)).toBe(false);
    const api = '/dev/tcp/kubernetes.default.svc.cluster.local/443';
    expect(await inClient(`exec 3<>${api} && echo open`)).toBe('open\n');
  });
});

describe('the API server', () => {
  test('answers again after it was killed, and the pods never noticed', async () => {
    const before = await pods();
    killApiServer();
    const during = await run('kubectl', [
      '--kubeconfig',
      clusterRun().kubeconfig,
      'get',
      'nodes',
      '--request-timeout=3s',
    ]);
    expect(during.code).not.toBe(0);
    await startApiServer();
    const identity = (all: readonly Pod[]) =>
      all.map((pod) => [pod.metadata.uid, pod.status.containerStatuses]);
    expect(identity(await pods())).toEqual(identity(before));
  });

  test('is silent while its packets are dropped, and answers afterwards', async () => {
    const ask = () =>
      run('kubectl', ['--kubeconfig', clusterRun().kubeconfig, 'get', 'nodes', '--request-timeout=3s']);
    const cut = await dropTo('api');
    try {
      expect((await ask()).stderr).toMatch(/timeout|deadline|Timeout/);
    } finally {
      await cut.restore();
    }
    expect(
      await until(async () => ((await ask()).code === 0 ? true : undefined), {
        everyMs: 200,
        limitMs: 30_000,
      }),
    ).toBe(true);
  });
});

test('a deleted namespace takes pods, claims, attachments and volumes with it, in EC2 too', async () => {
  await kubectl(['delete', 'namespace', NAMESPACE, '--timeout=180s'], { limitMs: 200_000 });
  const left = () => kubectl(['get', 'pv,volumeattachment', '-o', 'name']);
  expect(
    await until(async () => ((await left()) === '' ? true : undefined), { everyMs: 500, limitMs: 120_000 }),
  ).toBe(true);
  expect(heldVolumes()).toEqual([]);
  expect(await describeVolumes()).not.toContain(`<value>${NAMESPACE}</value>`);
});

/** EC2's answer as it came: the volumes of this test's tag. */
async function describeVolumes(): Promise<string> {
  const body = new URLSearchParams({
    Action: 'DescribeVolumes',
    Version: '2016-11-15',
    'Filter.1.Name': 'tag:assay.dev/experiment',
    'Filter.1.Value.1': NAMESPACE,
  });
  const authorization =
    'AWS4-HMAC-SHA256 Credential=t/20260101/ap-northeast-2/ec2/aws4_request, SignedHeaders=host, Signature=0';
  const answer = await fetch(cloud, { method: 'POST', body, headers: { authorization } });
  expect(answer.status).toBe(200);
  return answer.text();
}
