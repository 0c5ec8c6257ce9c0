import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCluster } from '../../../src/lab/kubernetes/api/client-cluster.ts';
import { leaks, leakText } from '../../../src/lab/kubernetes/leaks.ts';
import type { LabDesign } from '../../../src/lab/kubernetes/objects/lab-design.ts';
import { preflight, preflightError } from '../../../src/lab/kubernetes/preflight.ts';
import { provision } from '../../../src/lab/kubernetes/provision.ts';
import { folderKeeper } from '../../../src/lab/kubernetes/record.ts';
import { teardown } from '../../../src/lab/kubernetes/teardown.ts';
import { doomedLab } from '../../../src/lab/kubernetes/teardown-job.ts';
import { designOf } from '../../lab/kubernetes/objects/support.ts';
import { openCloud } from '../support/cloud.ts';
import { kubectl } from '../support/command.ts';
import { heldVolumes, useNoEc2 } from '../support/volumes.ts';

/* A lab made, found again and taken down in a real cluster, and what stays when something holds it. */

const SMALL = {
  brokers: { heap: '256MiB', jit: 'c1', config: { 'log.cleaner.dedupe.buffer.size': '8MiB' } },
  pods: {
    nodes: {},
    resources: { requests: { cpu: '20m', memory: '128MiB' }, limits: { cpu: 2, memory: '640MiB' } },
  },
};
const TIME = { nowMs: Date.now(), plannedMs: 3_600_000 };

const cluster = openCluster();
const folder = mkdtempSync(join(tmpdir(), 'assay-record-'));

function smallLab(key: string, kubernetes: object = {}, brokers = 3): LabDesign {
  const lab = {
    brokers: { count: brokers, ...SMALL.brokers },
    clients: { count: 2, heap: '64MiB' },
    kubernetes: {
      ...kubernetes,
      brokers: {
        ...SMALL.pods,
        spread: 'none',
        disk: '1GiB',
        grace: '5s',
        probes: { startup: { period: '1s' } },
      },
      clients: SMALL.pods,
    },
  };
  return designOf(
    lab,
    { key, expiresAtMs: Date.now() + 3_600_000 },
    { topics: { main: { replication: 1 } } },
  );
}

const job = (design: LabDesign) => ({
  cluster,
  design,
  lab: doomedLab(design),
  keeper: folderKeeper(join(folder, design.ids.key)),
  say: () => undefined,
  signal: AbortSignal.timeout(280_000),
});
const left = async (design: LabDesign) => leaks(cluster, doomedLab(design), await job(design).keeper.read());
const volumesOf = (design: LabDesign) =>
  heldVolumes().filter((volume) => volume.PVC.startsWith(`${design.names.namespace}/`));

beforeAll(async () => {
  await openCloud();
});

afterAll(async () => {
  useNoEc2();
  rmSync(folder, { recursive: true });
});

describe('a lab with namespace and class of its own', () => {
  const design = smallLab('own-11111111');

  test('passes preflight, comes up, and is recorded with its volumes', async () => {
    expect(preflightError(await preflight(cluster, design, TIME))).toBeNull();
    const record = await provision(job(design));
    expect(record.objects.filter((one) => one.kind !== 'PersistentVolumeClaim' && one.uid === null)).toEqual(
      [],
    );
    const held = volumesOf(design);
    expect(new Set(record.volumes.map((volume) => volume.volumeId))).toEqual(
      new Set(held.map((one) => one.ID)),
    );
    expect(held).toHaveLength(3);
    for (const { Tags } of held) expect(Tags).toMatchObject({ 'assay.dev/experiment': design.ids.key });
  });

  test('is found as it is when it is provisioned again', async () => {
    const uids = async () => (await job(design).keeper.read())?.objects.map((one) => one.uid);
    const before = await uids();
    expect((await preflight(cluster, design, TIME)).problems).toEqual([]);
    await provision(job(design));
    expect(await uids()).toEqual(before);
  });

  test('takes brokers with the reference settings into one Kafka cluster', async () => {
    const { namespace } = design.names;
    const answer = await cluster.exec(
      { namespace, pod: 'client-c1', container: 'client' },
      [
        'bash',
        '-c',
        `/opt/kafka/bin/kafka-metadata-quorum.sh --bootstrap-server ${design.names.brokerAddress(0)}:9092 describe --status`,
      ],
      { deadlineMs: 60_000 },
    );
    expect(answer).toMatchObject({ kind: 'exit', code: 0 });
    expect(answer.stdout.toString()).toContain(design.ids.clusterId);
  });

  test('goes without a trace', async () => {
    await teardown(job(design));
    expect(await left(design)).toEqual({ leaks: [], unverified: [] });
    expect(volumesOf(design)).toEqual([]);
  });
});

test('a namespace of that name that is somebody’s is refused and untouched', async () => {
  await kubectl(['create', 'namespace', 'somebody']);
  const design = smallLab('foreign-1111', { namespace: { create: 'somebody' } }, 1);
  const { problems } = await preflight(cluster, design, TIME);
  expect(problems.map((one) => one.code)).toEqual(['namespace-exists']);
  await expect(provision(job(design))).rejects.toMatchObject({ code: 'foreign' });
  await teardown(job(design));
  await kubectl(['get', 'namespace', 'somebody']);
  await kubectl(['delete', 'namespace', 'somebody', '--timeout=60s']);
});

test('a selector that no node meets ends with the words of the scheduler', async () => {
  const design = smallLab('nowhere-1111', {}, 1);
  const nowhere = structuredClone(design.kubernetes);
  Object.assign(nowhere.clients, { nodeLabels: { 'example.com/no': 'such' } });
  const doing = { ...job(design), design: { ...design, kubernetes: nowhere } };
  const limits = { unplacedMs: 4_000 };
  await expect(provision({ ...doing, limits })).rejects.toMatchObject({
    code: 'unschedulable',
    message: expect.stringContaining("didn't match Pod's node affinity/selector") as string,
    fix: expect.stringContaining('example.com/no=such') as string,
  });
  await teardown(job(design));
  expect(await left(design)).toEqual({ leaks: [], unverified: [] });
});

test('volumes that are retained and claims that are held are named', async () => {
  await kubectl(['create', 'namespace', 'shared']);
  const design = smallLab('kept-11111111', { namespace: 'shared', storageClass: { reclaim: 'retain' } }, 1);
  await provision(job(design));
  const claim = design.names.claim(0);
  const finalize = (value: string) =>
    kubectl(['-n', 'shared', 'patch', 'pvc', claim, '--type=json', '-p', value]);
  await finalize('[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/backup"}]');
  await teardown({ ...job(design), limits: { volumesMs: 5_000 } });
  const [volume] = volumesOf(design);
  const texts = (await left(design)).leaks.map(leakText).join('\n');
  expect(texts).toMatch(
    /PersistentVolumeClaim shared\/\S+: it is being deleted since .* waits for .*example.com\/backup/,
  );
  expect(texts).toContain(`(volume ${volume?.ID ?? '?'}): reclaim policy Retain`);
  expect(texts).toMatch(/StorageClass \S+: kept, because it is used by/);
  await finalize('[{"op":"replace","path":"/metadata/finalizers","value":[]}]');
  await kubectl(['delete', 'pv', '--all', '--timeout=60s']);
  await teardown(job(design));
  expect((await left(design)).leaks).toEqual([]);
  await kubectl(['delete', 'namespace', 'shared', '--timeout=60s']);
});
