import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InfrastructureError } from '../../../src/lab/errors.ts';
import { ClusterError } from '../../../src/lab/kubernetes/api/cluster.ts';
import { leaks, leakText } from '../../../src/lab/kubernetes/leaks.ts';
import type { LabDesign } from '../../../src/lab/kubernetes/objects/lab-design.ts';
import { provision } from '../../../src/lab/kubernetes/provision.ts';
import { folderKeeper, newClusterId, type RecordKeeper } from '../../../src/lab/kubernetes/record.ts';
import { renewExpiry } from '../../../src/lab/kubernetes/renew.ts';
import { teardown } from '../../../src/lab/kubernetes/teardown.ts';
import { doomedLab } from '../../../src/lab/kubernetes/teardown-job.ts';
import { type MemoryCluster, memoryCluster } from './memory-cluster.ts';
import { designOf } from './objects/support.ts';

const QUICK = { everyMs: 1, readyMs: 200, unplacedMs: 20, troubleMs: 20 };
const SOON = { everyMs: 1, podsMs: 30, volumesMs: 30, namespaceMs: 30 };
const GIVEN = { kubernetes: { namespace: 'shared', storageClass: 'gp3' } };

let folder: string;
let keeper: RecordKeeper;
let cluster: MemoryCluster;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-record-'));
  keeper = folderKeeper(folder);
  cluster = memoryCluster();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const job = (design: LabDesign) => ({
  cluster,
  design,
  keeper,
  say: () => undefined,
  signal: new AbortController().signal,
  limits: QUICK,
});
const doom = (design: LabDesign) => teardown({ ...job(design), lab: doomedLab(design), limits: SOON });
const left = async (design: LabDesign) => leaks(cluster, doomedLab(design), await keeper.read());

async function failureOf(promise: Promise<unknown>): Promise<InfrastructureError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(InfrastructureError);
  return error as InfrastructureError;
}

describe('provision', () => {
  it('records every name before anything is made, then UIDs and volumes', async () => {
    const design = designOf({ clients: { count: 2 } });
    const recordedFirst: boolean[] = [];
    const seen: Promise<void>[] = [];
    cluster.before = (what) => {
      const [, kind, name] = /^apply (\S+) \S*\/(\S+)$/.exec(what) ?? [];
      seen.push(
        keeper.read().then((record) => {
          recordedFirst.push(record?.objects.some((one) => one.kind === kind && one.name === name) ?? false);
        }),
      );
    };
    const record = await provision(job(design));
    await Promise.all(seen);
    expect(recordedFirst).toEqual([true, true, true, true, true, true, true]);
    expect(
      record.objects.filter(({ kind, uid }) => kind !== 'PersistentVolumeClaim' && uid === null),
    ).toEqual([]);
    expect(record.volumes.map((volume) => volume.volumeId)).toEqual([
      'vol-00000000000000000',
      'vol-00000000000000001',
      'vol-00000000000000002',
    ]);
    expect(await keeper.read()).toEqual(record);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'goes on when it was cut off at change %i, and makes nothing twice',
    async (cut) => {
      const design = designOf();
      let changes = 0;
      cluster.before = () => {
        if (++changes === cut) throw new ClusterError('unreachable', 'apply', 'no answer.');
      };
      await expect(provision(job(design))).rejects.toThrow('no answer');
      const uids = new Map([...cluster.things].map(([id, thing]) => [id, thing.metadata.uid]));
      await provision(job(design));
      for (const [id, uid] of uids) expect(cluster.things.get(id)?.metadata.uid).toBe(uid);
      expect(cluster.things.size).toBe(15);
    },
  );

  it('never touches what another one owns under its names', async () => {
    const design = designOf(GIVEN);
    const foreign = cluster.put({
      kind: 'Service',
      metadata: { name: design.names.service, namespace: 'shared', labels: { mine: 'yes' } },
    });
    await expect(provision(job(design))).rejects.toMatchObject({ code: 'foreign' });
    expect(cluster.things.get(`Service shared/${design.names.service}`)).toBe(foreign);
    await doom(design);
    expect(cluster.things.get(`Service shared/${design.names.service}`)).toBe(foreign);
  });

  it('makes a client anew whose pod has ended', async () => {
    const design = designOf();
    await provision(job(design));
    const id = `Pod ${design.names.namespace}/client-c1`;
    const ended = cluster.things.get(id);
    Object.assign(ended ?? {}, { status: { phase: 'Failed', reason: 'Evicted' } });
    await provision(job(design));
    expect(cluster.things.get(id)?.metadata.uid).not.toBe(ended?.metadata.uid);
  });

  it('waits for the service account of a new namespace', async () => {
    const design = designOf();
    let refused = 0;
    cluster.before = (what) => {
      if (what.includes('client-c1') && refused++ === 0)
        throw new ClusterError('forbidden', 'create', 'error looking up service account x/default.');
    };
    await provision(job(design));
    expect(refused).toBe(2);
  });

  it('quotes the scheduler when a pod is not placed, and says which labels were asked for', async () => {
    cluster.unplaceable = (pod) => pod.startsWith('kafka-');
    const text = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.";
    cluster.said.set('Pod kafka-0', [
      { type: 'Warning', reason: 'FailedScheduling', message: text, count: 1, atMs: null },
    ]);
    const error = await failureOf(provision(job(designOf())));
    expect(error.code).toBe('unschedulable');
    expect(error.message).toContain(`Pod kafka-0 has no node: the scheduler says "${text}"`);
    expect(error.fix).toContain(
      'lab.kubernetes.brokers.nodes asks for node.kubernetes.io/instance-type=m5.xlarge',
    );
  });

  it.each([
    [
      'image',
      { waiting: { reason: 'ImagePullBackOff', message: 'pull access denied' } },
      0,
      'the kubelet says "pull access denied"',
    ],
    ['broker-start', { waiting: { reason: 'CrashLoopBackOff' } }, 4, 'FATAL no such setting'],
  ])('says why containers do not start: %s', async (code, state, restartCount, said) => {
    const design = designOf();
    const applied = cluster.apply.bind(cluster);
    cluster.apply = async (object) => {
      const made = await applied(object);
      for (const thing of cluster.things.values())
        if (thing.kind === 'Pod' && thing.metadata.name === 'kafka-1')
          thing['status'] = {
            phase: 'Pending',
            containerStatuses: [{ name: 'kafka', image: 'x', restartCount, state }],
          };
      return made;
    };
    const error = await failureOf(provision(job(design)));
    expect(error.code).toBe(code);
    expect(error.message).toContain('kafka-1');
    expect(error.message).toContain(said);
  });

  it('says which admission rule refuses pods that are not even made', async () => {
    const design = designOf();
    const applied = cluster.apply.bind(cluster);
    cluster.apply = async (object) => {
      const made = await applied(object);
      cluster.things.delete(`Pod ${design.names.namespace}/kafka-2`);
      return made;
    };
    cluster.said.set('StatefulSet kafka', [
      { type: 'Warning', reason: 'FailedCreate', message: 'exceeded quota: q', count: 3, atMs: null },
    ]);
    const error = await failureOf(provision(job(design)));
    expect(error).toMatchObject({ code: 'pod-refused' });
    expect(error.message).toContain('exceeded quota: q');
  });
});

describe('a renewed expiry', () => {
  it('is written where no pod hangs on it, and changes nothing else', async () => {
    const design = designOf();
    await provision(job(design));
    const before = JSON.stringify([...cluster.things.values()].filter((one) => one.kind === 'StatefulSet'));
    cluster.done.length = 0;
    const expiresAtMs = Date.UTC(2027, 0, 1);
    await renewExpiry(cluster, { ...design, ids: { ...design.ids, expiresAtMs } });
    expect(cluster.done.map((what) => what.split(' ')[1])).toEqual(['Namespace', 'Service', 'NetworkPolicy']);
    const service = cluster.things.get(`Service ${design.names.namespace}/kafka-hs`);
    expect(service?.metadata.annotations?.['assay.dev/expires-at']).toBe('2027-01-01T00:00:00.000Z');
    expect(JSON.stringify([...cluster.things.values()].filter((one) => one.kind === 'StatefulSet'))).toBe(
      before,
    );
  });
});

describe('teardown', () => {
  it('leaves nothing of a created lab, in the right order', async () => {
    const design = designOf();
    await provision(job(design));
    cluster.done.length = 0;
    await doom(design);
    expect(await left(design)).toEqual({ leaks: [], unverified: [] });
    expect([...cluster.things.keys()]).toEqual([]);
    const kinds = cluster.done.map((what) => what.split(' ')[1]);
    expect(kinds).toEqual(['Pod', 'StatefulSet', 'Service', 'NetworkPolicy', 'Namespace', 'StorageClass']);
  });

  it('leaves a given namespace and class, and everything of others in it', async () => {
    const design = designOf(GIVEN);
    cluster.put({ kind: 'Namespace', metadata: { name: 'shared' } });
    cluster.put({ kind: 'StorageClass', metadata: { name: 'gp3' } });
    const other = { namespace: 'shared', labels: { 'assay.dev/experiment': 'other-1' } };
    cluster.put({ kind: 'Pod', metadata: { name: 'other-1-client-c1', ...other } });
    await provision(job(design));
    await doom(design);
    expect(await left(design)).toEqual({ leaks: [], unverified: [] });
    expect([...cluster.things.keys()].toSorted()).toEqual([
      'Namespace /shared',
      'Pod shared/other-1-client-c1',
      'StorageClass /gp3',
    ]);
  });

  it('is done when nothing is there, and goes on wherever it was cut off', async () => {
    const design = designOf();
    await doom(design);
    await provision(job(design));
    let changes = 0;
    cluster.before = () => {
      if (++changes % 2 === 1) throw new ClusterError('unreachable', 'delete', 'no answer.');
    };
    for (let tries = 0; tries < 20 && cluster.things.size > 0; tries++)
      await doom(design).catch(() => undefined);
    expect(cluster.things.size).toBe(0);
  });

  it('finds what was made and not recorded: by its label', async () => {
    const design = designOf();
    await provision(job(design));
    await teardown({ ...job(design), keeper: null, lab: doomedLab(design), limits: SOON });
    expect([...cluster.things.keys()]).toEqual([]);
  });

  it('deletes claims that their StatefulSet leaves behind', async () => {
    const design = designOf(GIVEN);
    await provision(job(design));
    for (const thing of cluster.things.values())
      if (thing.kind === 'PersistentVolumeClaim') delete thing.metadata.ownerReferences;
    await doom(design);
    expect([...cluster.things.keys()]).toEqual([]);
  });

  it('names volumes that are retained, with their ids, and keeps the class that they use', async () => {
    const design = designOf({ kubernetes: { storageClass: { reclaim: 'retain' } } });
    await provision(job(design));
    await doom(design);
    const texts = (await left(design)).leaks.map(leakText);
    expect(texts).toContain(
      'PersistentVolume pv-0 (volume vol-00000000000000000): reclaim policy Retain: it stays, and its disk is billed',
    );
    expect(texts.find((text) => text.startsWith('StorageClass'))).toContain('used by PersistentVolume pv-0');
    expect(texts).toHaveLength(4);
  });

  it('names a claim that a finalizer holds, never removes the finalizer, and what waits for it', async () => {
    const design = designOf();
    await provision(job(design));
    const claim = cluster.things.get(`PersistentVolumeClaim ${design.names.namespace}/data-kafka-1`);
    if (claim === undefined) throw new Error('no claim');
    claim.metadata.finalizers = ['example.com/backup'];
    await doom(design);
    expect(claim.metadata.finalizers).toEqual(['example.com/backup']);
    const found = (await left(design)).leaks;
    expect(found.map((leak) => leak.kind).toSorted()).toEqual([
      'PersistentVolume',
      'PersistentVolumeClaim',
      'StorageClass',
    ]);
    expect(found.map(leakText).join('\n')).toContain(
      'it is being deleted since 1970-01-01T00:00:00.000Z and waits for example.com/backup',
    );
    cluster.release('PersistentVolumeClaim', 'data-kafka-1');
    await doom(design);
    expect(await left(design)).toEqual({ leaks: [], unverified: [] });
  });

  it('waits for a claim that is held, and not once more for each thing that hangs on it', async () => {
    const design = designOf();
    await provision(job(design));
    const claim = cluster.things.get(`PersistentVolumeClaim ${design.names.namespace}/data-kafka-1`);
    if (claim === undefined) throw new Error('no claim');
    claim.metadata.finalizers = ['example.com/backup'];
    const limits = { ...SOON, volumesMs: 1_000, namespaceMs: 60_000 };
    const from = performance.now();
    await teardown({ ...job(design), lab: doomedLab(design), limits });
    expect(performance.now() - from).toBeLessThan(2 * limits.volumesMs);
    expect(cluster.done).toContain(`delete Namespace /${design.names.namespace}`);
  });

  it('quotes the conditions of a namespace that does not go, and a disk that stays attached', async () => {
    const design = designOf();
    await provision(job(design));
    const namespace = cluster.things.get(`Namespace /${design.names.namespace}`);
    if (namespace === undefined) throw new Error('no namespace');
    namespace.metadata.finalizers = ['kubernetes'];
    namespace['status'] = {
      conditions: [
        { type: 'NamespaceContentRemaining', status: 'True', message: 'Some resources are remaining' },
        { type: 'NamespaceDeletionContentFailure', status: 'False', message: 'All content deleted' },
      ],
    };
    cluster.put({
      kind: 'VolumeAttachment',
      metadata: { name: 'csi-1' },
      spec: { nodeName: 'n1', source: { persistentVolumeName: 'pv-2' } },
      status: { detachError: { message: 'node is gone' } },
    });
    await doom(design);
    const texts = (await left(design)).leaks.map(leakText).join('\n');
    expect(texts).toContain('NamespaceContentRemaining: Some resources are remaining');
    expect(texts).not.toContain('All content deleted');
    expect(texts).toContain(
      'VolumeAttachment csi-1 (volume vol-00000000000000002): pv-2 is attached to node n1',
    );
    expect(texts).toContain('the driver says "node is gone"');
  });

  it('says what is not proven where Assay may not look', async () => {
    const design = designOf(GIVEN);
    await provision(job(design));
    cluster.denied.add('get persistentvolumes').add('list volumeattachments');
    await doom(design);
    const { leaks: found, unverified } = await left(design);
    expect(found).toEqual([]);
    expect(unverified).toHaveLength(4);
    expect(unverified.join()).toContain('PersistentVolume pv-0 of claim data-codec-1a2b3c4d-kafka-0');
  });

  it('goes on when the record cannot be written', async () => {
    const design = designOf();
    await provision(job(design));
    const full = { ...keeper, write: () => Promise.reject(new Error('disk full')) };
    const said: string[] = [];
    const doing = { ...job(design), keeper: full, say: (text: string) => said.push(text) };
    await teardown({ ...doing, lab: doomedLab(design), limits: SOON });
    expect([...cluster.things.keys()]).toEqual([]);
    expect(said.join()).toContain('vol-00000000000000000');
  });

  it('names what it may not delete', async () => {
    const design = designOf(GIVEN);
    await provision(job(design));
    cluster.denied.add('delete statefulsets');
    await doom(design);
    const kinds = (await left(design)).leaks.map((leak) => leak.kind);
    expect(kinds).toContain('StatefulSet');
  });
});

describe('a cluster id of Kafka', () => {
  it('is fresh, 22 characters long, and no option of a command line', () => {
    const ids = Array.from({ length: 200 }, newClusterId);
    expect(new Set(ids).size).toBe(200);
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/);
  });
});
