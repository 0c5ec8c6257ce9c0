import { beforeEach, describe, expect, it } from 'vitest';
import type { CustomObject, Kinds } from '../../../src/lab/kubernetes/api/cluster.ts';
import { PERMISSIONS } from '../../../src/lab/kubernetes/permissions.ts';
import { durationMs, readNodePool } from '../../../src/lab/kubernetes/preflight/node-pool.ts';
import { nodeFindings } from '../../../src/lab/kubernetes/preflight/nodes.ts';
import { limitRangeFindings, quotaFindings } from '../../../src/lab/kubernetes/preflight/quota.ts';
import { preflight, preflightError } from '../../../src/lab/kubernetes/preflight.ts';
import { type MemoryCluster, memoryCluster } from './memory-cluster.ts';
import { designOf, IDS } from './objects/support.ts';

const TIME = { nowMs: Date.UTC(2026, 10, 30), plannedMs: 8 * 3_600_000 };
const GIVEN = { kubernetes: { namespace: 'shared', storageClass: 'gp3' } };
const OURS = { 'assay.dev/experiment': IDS.key };

let cluster: MemoryCluster;

beforeEach(() => {
  cluster = memoryCluster();
  cluster.put({ kind: 'CSIDriver', metadata: { name: 'ebs.csi.aws.com' } });
});

const look = (lab = {}) => preflight(cluster, designOf(lab), TIME);
const codes = async (lab = {}) => (await look(lab)).problems.map((one) => `${one.code} ${one.where}`);

function givenPlace(bindingMode = 'WaitForFirstConsumer', reclaimPolicy = 'Delete'): void {
  cluster.put({ kind: 'Namespace', metadata: { name: 'shared' } });
  cluster.put({
    kind: 'StorageClass',
    metadata: { name: 'gp3' },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: bindingMode,
    reclaimPolicy,
  });
}

describe('preflight', () => {
  it('finds nothing wrong with an empty cluster, and changes nothing', async () => {
    const found = await look();
    expect(found.problems).toEqual([]);
    expect(preflightError(found)).toBeNull();
    expect(cluster.done).toEqual([]);
  });

  it('finds nothing wrong with a place that is given', async () => {
    givenPlace();
    expect(await codes(GIVEN)).toEqual([]);
  });

  it('asks for every right of the table, and no other', async () => {
    const asked = new Set<string>();
    const may = cluster.may.bind(cluster);
    cluster.may = (access) => {
      asked.add([access.group, access.resource, access.subresource ?? '', access.verb].join('/'));
      return may(access);
    };
    await look();
    const table = PERMISSIONS.flatMap(({ group, resource, subresource, verbs }) =>
      verbs.map((verb) => [group, resource, subresource ?? '', verb].join('/')),
    );
    expect([...asked].toSorted()).toEqual([...new Set(table)].toSorted());
  });

  it('tells rights that are needed from those that only verify', async () => {
    cluster.denied.add('create statefulsets').add('create namespaces').add('list volumeattachments');
    const { problems, notes } = await look();
    expect(problems.map(({ what, where }) => `${what} ${where}`)).toEqual([
      'Assay may not create statefulsets (apps) namespace assay-codec-1a2b3c4d',
      'Assay may not create namespaces the cluster',
    ]);
    expect(problems[1]?.fix).toContain('name a namespace that exists');
    expect(notes.join()).toContain('may not list volumeattachments');
    givenPlace();
    expect(await codes(GIVEN)).toEqual(['no-permission namespace shared']);
  });

  it('refuses a namespace that is missing, somebody’s, on its way out or too strict', async () => {
    expect(await codes(GIVEN)).toContain('namespace-missing Namespace shared');
    cluster.put({ kind: 'Namespace', metadata: { name: 'bench' } });
    const created = { kubernetes: { namespace: { create: 'bench' } } };
    expect(await codes(created)).toEqual(['namespace-exists Namespace bench']);
    cluster.put({ kind: 'Namespace', metadata: { name: 'bench', labels: OURS } });
    expect(await codes(created)).toEqual([]);
    cluster.put({
      kind: 'Namespace',
      metadata: { name: 'bench', labels: OURS, deletionTimestamp: new Date(0) },
    });
    expect(await codes(created)).toEqual(['namespace-going Namespace bench']);
    givenPlace();
    cluster.put({
      kind: 'Namespace',
      metadata: { name: 'shared', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
    expect(await codes(GIVEN)).toEqual(['pod-security Namespace shared']);
  });

  it('refuses every object of somebody else under a name of the lab: claims and pods of a StatefulSet too', async () => {
    givenPlace();
    const { names } = designOf(GIVEN);
    const at = { namespace: 'shared' };
    cluster.put({ kind: 'PersistentVolumeClaim', metadata: { ...at, name: names.claim(1) } });
    cluster.put({ kind: 'Pod', metadata: { ...at, name: names.brokerPod(0) } });
    cluster.put({
      kind: 'Service',
      metadata: { ...at, name: names.service, labels: { 'assay.dev/experiment': 'x' } },
    });
    cluster.put({ kind: 'NetworkPolicy', metadata: { ...at, name: names.networkPolicy, labels: OURS } });
    expect((await codes(GIVEN)).toSorted()).toEqual([
      `foreign-object PersistentVolumeClaim shared/${names.claim(1)}`,
      `foreign-object Pod shared/${names.brokerPod(0)}`,
      `foreign-object Service shared/${names.service}`,
    ]);
    cluster.put({ kind: 'StorageClass', metadata: { name: 'mine' } });
    const named = { kubernetes: { storageClass: { name: 'mine' } } };
    expect(await codes(named)).toEqual(['foreign-object StorageClass mine']);
  });

  it('refuses a class that binds at once or is missing, and a driver that is not there', async () => {
    cluster.put({ kind: 'Namespace', metadata: { name: 'shared' } });
    expect(await codes(GIVEN)).toEqual(['no-storage-class StorageClass gp3']);
    givenPlace('Immediate', 'Retain');
    const { problems, notes } = await look(GIVEN);
    expect(problems).toMatchObject([{ code: 'storage-class', where: 'StorageClass gp3' }]);
    expect(notes.join()).toContain('stay and are billed');
    expect(await codes({ kubernetes: { storageClass: { provisioner: 'no.such.driver' } } })).toEqual([
      'no-driver CSIDriver no.such.driver',
    ]);
  });

  it('says all that is wrong at once, in one error', async () => {
    cluster.denied.add('create pods');
    const error = preflightError(await look(GIVEN));
    expect(error).toMatchObject({ code: 'preflight' });
    expect(error?.message).toContain('nothing was created');
    expect(error?.message.match(/^- /gm)).toHaveLength(4);
  });

  it('does not count its own lab against the quota when it looks again', async () => {
    givenPlace();
    cluster.put({
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'shared' },
      spec: { hard: { pods: '1' } },
    });
    expect(await codes(GIVEN)).toEqual(['quota ResourceQuota shared/q']);
    const name = designOf(GIVEN).names.statefulSet;
    cluster.put({ kind: 'StatefulSet', metadata: { name, namespace: 'shared', labels: OURS } });
    expect(await codes(GIVEN)).toEqual([]);
  });
});

describe('quotas', () => {
  const quota = (hard: Record<string, string>, used = {}, scopes?: string[]): Kinds['ResourceQuota'] => ({
    metadata: { name: 'q', namespace: 'shared' },
    spec: { hard, ...(scopes === undefined ? {} : { scopes }) },
    status: { used },
  });
  // 3 brokers of 3 cores, 10 GiB and 100 GiB disk; 1 client of 0.5 cores and 2500 MiB.
  it.each<[string, Record<string, string>, Record<string, string>, string[] | undefined, string | null]>([
    ['exactly enough', { 'requests.cpu': '9500m', pods: '4' }, {}, undefined, null],
    ['too few cores', { 'requests.cpu': '9.4' }, {}, undefined, 'requests.cpu: 9.5 needed, 9.4 of 9.4 left'],
    ['used by others', { pods: '5' }, { pods: '2' }, undefined, 'pods: 4 needed, 3 of 5 left'],
    [
      'too little memory',
      { 'limits.memory': '39Gi' },
      {},
      undefined,
      'limits.memory: 40Gi needed, 39Gi of 39Gi left',
    ],
    [
      'too little storage of the class',
      { 'gp3.storageclass.storage.k8s.io/requests.storage': '200Gi' },
      {},
      undefined,
      'requests.storage: 300Gi needed',
    ],
    ['of other things', { configmaps: '0' }, {}, undefined, null],
    ['of pods that end by themselves', { pods: '0' }, {}, ['Terminating'], null],
    ['of pods that do not', { pods: '0' }, {}, ['NotTerminating'], 'pods: 4 needed, 0 of 0 left'],
  ])('%s', (_, hard, used, scopes, why) => {
    const { problems } = quotaFindings([quota(hard, used, scopes)], designOf(GIVEN));
    expect(problems).toHaveLength(why === null ? 0 : 1);
    expect(problems[0]?.why ?? '').toContain(why ?? '');
  });

  it.each<[NonNullable<Kinds['LimitRange']['spec']>['limits'][number], string | null]>([
    [{ type: 'Container', max: { cpu: '4', memory: '12Gi' } }, null],
    [{ type: 'Container', max: { memory: '8Gi' } }, 'a broker: memory 12Gi is above the most, 8Gi'],
    [{ type: 'Pod', min: { cpu: '1' } }, 'a client: cpu 0.5 is below the least, 1'],
    [{ type: 'Container', maxLimitRequestRatio: { cpu: '2' } }, 'a client: cpu limit ÷ request is 3.8'],
    [
      { type: 'PersistentVolumeClaim', max: { storage: '50Gi' } },
      'a volume: storage 100Gi is above the most, 50Gi',
    ],
  ])('limits %j', (limit, why) => {
    const range = { metadata: { name: 'l', namespace: 'shared' }, spec: { limits: [limit] } };
    const { problems } = limitRangeFindings([range], designOf(GIVEN));
    expect(problems).toHaveLength(why === null ? 0 : 1);
    expect(problems[0]?.why ?? '').toContain(why ?? '');
  });
});

describe('nodes', () => {
  const LABELS = {
    'node.kubernetes.io/instance-type': 'm5.xlarge',
    'karpenter.sh/capacity-type': 'on-demand',
    'topology.kubernetes.io/zone': 'ap-northeast-2b',
  };
  const CLIENT = { ...LABELS, 'node.kubernetes.io/instance-type': 'm5.large' };
  const node = (
    name: string,
    labels: Record<string, string>,
    more: Partial<Kinds['Node']['spec']> = {},
  ): Kinds['Node'] => ({
    metadata: { name, labels, creationTimestamp: new Date(TIME.nowMs - 100 * 3_600_000) },
    spec: { ...more },
    status: { allocatable: { cpu: '3920m', memory: '14Gi' } },
  });
  const pool = (spec: Record<string, unknown> = {}): CustomObject => ({
    metadata: { name: 'system' },
    spec: { template: { spec } },
  });
  const three = ['n1', 'n2', 'n3'].map((name) => node(name, LABELS));
  const all = [...three, node('n4', CLIENT)];
  const find = (nodes: readonly Kinds['Node'][] | null, pools: readonly CustomObject[] | null = null) =>
    nodeFindings({ nodes, pools, ...TIME }, designOf());

  it('says nothing when enough are there, or nobody may look', () => {
    expect(find(all)).toEqual({ problems: [], notes: [] });
    expect(find(null)).toEqual({ problems: [], notes: [] });
  });

  it('notes what lacks, and whether Karpenter may bring it', () => {
    expect(find(all.slice(1)).notes).toEqual([
      expect.stringContaining('2 of the 3 nodes that the brokers need are there'),
    ]);
    expect(find([], [pool()]).notes.join()).toContain("Karpenter's NodePool system may bring more");
    const elsewhere = pool({
      requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['ap-northeast-2a'] }],
    });
    expect(find([], [elsewhere]).notes.join()).toContain('no NodePool of Karpenter makes such nodes');
  });

  it('does not count nodes that are cordoned, tainted or too small', () => {
    const taint = { key: 'dedicated', value: 'web', effect: 'NoSchedule' };
    const small = Object.assign(node('n1', LABELS), {
      status: { allocatable: { cpu: '2', memory: '14Gi' } },
    });
    for (const bad of [
      node('n1', LABELS, { unschedulable: true }),
      node('n1', LABELS, { taints: [taint] }),
      small,
    ])
      expect(find([bad, ...all.slice(1)]).notes).toHaveLength(1);
  });

  it('refuses nodes that are drained by force within the planned time', () => {
    const found = find(all, [pool({ expireAfter: '6h', terminationGracePeriod: '1h' })]);
    expect(found.problems).toMatchObject([{ code: 'node-expiry', where: 'NodePool system' }]);
    expect(find(all, [pool({ expireAfter: '6h' })])).toMatchObject({
      problems: [],
      notes: [expect.stringContaining('hold them until the lab is gone')],
    });
    expect(find(all, [pool({ expireAfter: 'Never' })])).toEqual({ problems: [], notes: [] });
  });

  it('notes old nodes and those that are being taken away', () => {
    const old = node('n1', { ...LABELS, 'karpenter.sh/nodepool': 'system' });
    const found = find([old, ...all.slice(1)], [pool({ expireAfter: '104h' })]);
    expect(found.notes).toEqual([expect.stringContaining('Node n1 of NodePool system ends in 4 h')]);
    const going = node('n1', LABELS, { taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] });
    expect(find([going, ...all]).notes).toEqual([expect.stringContaining('Node n1 is being taken away')]);
  });
});

describe('a NodePool', () => {
  it.each<[string, number | null]>([
    ['720h', 720 * 3_600_000],
    ['1h30m', 5_400_000],
    ['30s', 30_000],
    ['Never', null],
    ['', null],
  ])('expires after %s', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each<[unknown[], Record<string, string>, boolean]>([
    [[], { 'node.kubernetes.io/instance-type': 'm5.large' }, true],
    [[], { 'example.com/team': 'a' }, false],
    [[{ key: 'a', operator: 'In', values: ['x', 'y'] }], { a: 'y' }, true],
    [[{ key: 'a', operator: 'NotIn', values: ['x'] }], { a: 'x' }, false],
    [[{ key: 'a', operator: 'Exists' }], { a: 'x' }, true],
    [[{ key: 'a', operator: 'DoesNotExist' }], { a: 'x' }, false],
    [[{ key: 'a', operator: 'Gt', values: ['2'] }], { a: '3' }, true],
    [[{ key: 'a', operator: 'Lt', values: ['2'] }], { a: '3' }, false],
  ])('with %j may have %j: %s', (requirements, labels, may) => {
    expect(readNodePool({ spec: { template: { spec: { requirements } } } }).mayHave(labels)).toBe(may);
  });

  it('has the labels of its template, and 30 days when it says nothing', () => {
    const read = readNodePool({ spec: { template: { metadata: { labels: { team: 'a' } }, spec: {} } } });
    expect([read.mayHave({ team: 'a' }), read.mayHave({ team: 'b' })]).toEqual([true, false]);
    expect(read.expireAfterMs).toBe(720 * 3_600_000);
  });
});
