import { beforeEach, describe, expect, it } from 'vitest';
import { look, remove, type Shift } from '../../src/janitor/janitor.ts';
import type { Leftover, Removal, WorkflowState } from '../../src/janitor/leftover.ts';
import { JANITOR_PERMISSIONS } from '../../src/janitor/permissions.ts';
import { ClusterError } from '../../src/lab/kubernetes/api/cluster.ts';
import { KINDS } from '../../src/lab/kubernetes/api/kinds.ts';
import { type MemoryCluster, memoryCluster } from '../lab/kubernetes/memory-cluster.ts';
import { designOf, IDS } from '../lab/kubernetes/objects/support.ts';
import { CLOSED, knownWorkflows, makeLab, shiftOf } from './support.ts';

const GIVEN = { kubernetes: { namespace: 'shared', storageClass: 'gp3' } };
/** Nothing asks EC2 here, and that is said of every volume. */
const DISKS = /^unverified: volumes vol-\w+, vol-\w+, vol-\w+ in EC2: no region is known$/;

let cluster: MemoryCluster;
let states: Record<string, WorkflowState>;
let shift: Shift;
beforeEach(() => {
  cluster = memoryCluster();
  states = { codec: CLOSED };
  shift = shiftOf({ cluster: async () => Promise.resolve(cluster), workflows: knownWorkflows(states) });
});

async function foundIn(which: Shift = shift): Promise<readonly Leftover[]> {
  return (await look(which)).leftovers;
}

async function theOne(): Promise<Leftover> {
  const [leftover, ...others] = await foundIn();
  expect(others).toEqual([]);
  if (leftover === undefined) throw new Error('nothing was found');
  return leftover;
}

function beyondDisks({ remains }: Removal): readonly string[] {
  return remains.filter((text) => !DISKS.test(text));
}

describe('what a terminated experiment left in the cluster', () => {
  it('is found by label, listed with why, and all of it goes, with what the cluster made for it', async () => {
    await makeLab(cluster, designOf({ clients: { count: 2 } }));
    const leftover = await theOne();
    expect(leftover).toMatchObject({
      place: 'cluster',
      key: IDS.key,
      workflowId: 'codec',
      owner: 'ann',
      expiresAt: '2026-12-01T00:00:00.000Z',
      verdict: { remove: true },
    });
    expect(leftover.parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        `Namespace assay-${IDS.key}`,
        `StorageClass assay-${IDS.key}`,
        `Pod assay-${IDS.key}/kafka-2`,
        `Pod assay-${IDS.key}/client-c2`,
        `PersistentVolumeClaim assay-${IDS.key}/data-kafka-0`,
      ]),
    );
    expect(cluster.done.filter((what) => what.startsWith('delete'))).toEqual([]);
    const removal = await remove(leftover, shift);
    expect(beyondDisks(removal)).toEqual([]);
    expect(removal.remains).toHaveLength(1);
    expect([...cluster.things.keys()]).toEqual([]);
  });

  it('goes from a given namespace and leaves that, its class, and what others have there', async () => {
    cluster.put({ kind: 'Namespace', metadata: { name: 'shared' } });
    cluster.put({ kind: 'StorageClass', metadata: { name: 'gp3' } });
    cluster.put({ kind: 'Pod', metadata: { name: 'web', namespace: 'shared', labels: { app: 'web' } } });
    await makeLab(cluster, designOf(GIVEN));
    const other = designOf(GIVEN, { key: 'acks-5e6f7a8b', workflowId: 'acks' });
    await makeLab(cluster, other);
    states['acks'] = { kind: 'open' };
    const before = [...cluster.things.keys()].filter((id) => !id.includes(IDS.key) && !id.includes('/pv-'));
    const all = await foundIn();
    expect(all.map(({ key, verdict }) => [key, verdict.remove])).toEqual([
      ['acks-5e6f7a8b', false],
      [IDS.key, true],
    ]);
    await remove(all[1]!, shift);
    expect([...cluster.things.keys()].filter((id) => id.includes(IDS.key))).toEqual([]);
    expect([...cluster.things.keys()]).toEqual(expect.arrayContaining(before));
  });

  it('in several namespaces goes from each, and is found where one is asked for', async () => {
    await makeLab(cluster, designOf(GIVEN));
    const marks = cluster.things.get(`Service shared/${IDS.key}-kafka-hs`)?.metadata;
    const { labels = {}, annotations = {} } = marks ?? {};
    cluster.put({ kind: 'Pod', metadata: { name: 'copy', namespace: 'elsewhere', labels, annotations } });
    const narrow = { ...shift, scope: { ...shift.scope, namespaces: ['elsewhere'] } };
    expect((await foundIn(narrow)).flatMap(({ parts }) => parts.map(({ name }) => name))).toEqual([
      'Pod elsewhere/copy',
    ]);
    await remove(await theOne(), shift);
    expect([...cluster.things.keys()]).toEqual([]);
  });

  it.each<[string, WorkflowState]>([
    ['runs', { kind: 'open' }],
    ['nobody can be asked', { kind: 'unknown', why: 'down' }],
    ['is not known, and a day is not over', { kind: 'not-found' }],
  ])('stays while its workflow %s, whatever is asked', async (_, state) => {
    await makeLab(cluster, designOf());
    states['codec'] = state;
    const leftover = await theOne();
    expect(leftover.verdict.remove).toBe(false);
    cluster.done.length = 0;
    const removal = await remove({ ...leftover, verdict: { remove: true, why: 'a lie' } }, shift);
    expect(removal.outcome).toBe('left');
    expect(cluster.done).toEqual([]);
  });

  it('stays when its workflow was reset after it was looked at', async () => {
    await makeLab(cluster, designOf());
    const leftover = await theOne();
    states['codec'] = { kind: 'open' };
    expect(await remove(leftover, shift)).toMatchObject({ outcome: 'left', why: 'workflow codec runs' });
  });

  it('stays when something of its name has another UID than what was looked at', async () => {
    await makeLab(cluster, designOf());
    const leftover = await theOne();
    const id = `Pod assay-${IDS.key}/client-c1`;
    const { metadata } = cluster.things.get(id)!;
    const { name = '', labels = {}, annotations = {} } = metadata;
    const namespace = `assay-${IDS.key}`;
    cluster.put({ kind: 'Pod', metadata: { name, namespace, labels, annotations, uid: 'new' } });
    expect(await remove(leftover, shift)).toMatchObject({
      outcome: 'left',
      why: `made since it was looked at: ${id}`,
    });
    expect(cluster.things.has(id)).toBe(true);
  });

  it('is no object that somebody labelled like ours', async () => {
    await makeLab(cluster, designOf());
    const labels = { 'assay.dev/experiment': IDS.key };
    cluster.put({ kind: 'Pod', metadata: { name: 'mine', namespace: 'theirs', labels } });
    const { verdict } = await theOne();
    expect(verdict.remove).toBe(false);
    expect(verdict.why).toContain('Pod theirs/mine does not say that Assay manages it');
  });

  it('leaves a namespace of ours in which others put their things, and says so', async () => {
    await makeLab(cluster, designOf());
    const theirs = cluster.put({ kind: 'Pod', metadata: { name: 'web', namespace: `assay-${IDS.key}` } });
    const removal = await remove(await theOne(), shift);
    expect(removal.outcome).toBe('incomplete');
    expect(beyondDisks(removal)).toEqual([
      `Namespace assay-${IDS.key} stays: it holds Pod assay-${IDS.key}/web`,
    ]);
    expect([...cluster.things.values()]).toContain(theirs);
    const again = await theOne();
    expect(again.parts.map(({ name }) => name)).toEqual([`Namespace assay-${IDS.key}`]);
    expect(again.verdict).toMatchObject({ remove: false });
  });

  it('may be a storage class alone', async () => {
    await makeLab(cluster, designOf(GIVEN));
    await remove(await theOne(), shift);
    const { labels = {}, annotations = {} } = (await labelled()).metadata;
    cluster.things.clear();
    cluster.put({ kind: 'StorageClass', metadata: { name: 'left', labels, annotations } });
    expect(await remove(await theOne(), shift)).toMatchObject({ outcome: 'removed', remains: [] });
    expect(cluster.things.size).toBe(0);
  });

  async function labelled() {
    await makeLab(cluster, designOf(GIVEN));
    return cluster.things.get(`Service shared/${IDS.key}-kafka-hs`)!;
  }

  it('is named where a finalizer holds it; what goes already is not deleted again', async () => {
    await makeLab(cluster, designOf());
    const claim = cluster.things.get(`PersistentVolumeClaim assay-${IDS.key}/data-kafka-1`)!;
    claim.metadata.finalizers = ['example.com/backup'];
    const removal = await remove(await theOne(), shift);
    expect(removal.outcome).toBe('incomplete');
    expect(removal.remains.join('\n')).toContain('waits for example.com/backup');
    expect(claim.metadata.finalizers).toEqual(['example.com/backup']);
  });

  it('names a volume that is retained, by its id', async () => {
    await makeLab(cluster, designOf({ kubernetes: { storageClass: { reclaim: 'retain' } } }));
    const { outcome, remains } = await remove(await theOne(), shift);
    expect(outcome).toBe('incomplete');
    expect(remains.join('\n')).toContain(
      'PersistentVolume pv-0 (volume vol-00000000000000000): reclaim policy Retain',
    );
  });

  it('goes on wherever a removal was cut off', async () => {
    await makeLab(cluster, designOf());
    const leftover = await theOne();
    let changes = 0;
    cluster.before = () => {
      if (++changes % 2 === 1) throw new ClusterError('unreachable', 'delete', 'no answer.');
    };
    for (let tries = 0; tries < 20 && cluster.things.size > 0; tries++)
      await remove(leftover, shift).catch(() => undefined);
    expect(cluster.things.size).toBe(0);
    expect(await remove(leftover, shift)).toMatchObject({ outcome: 'removed', why: 'it is gone already' });
  });
});

describe('where the janitor may not look', () => {
  it('says so, and finds what it may see', async () => {
    await makeLab(cluster, designOf());
    cluster.denied.add('list namespaces').add('list persistentvolumes');
    const { looks, leftovers } = await look(shift);
    expect(looks.find(({ place }) => place === 'cluster')).toEqual({
      place: 'cluster',
      state: 'partly',
      says: 'memory (memory): Assay may not list namespaces, persistentvolumes',
    });
    expect(leftovers).toHaveLength(1);
  });

  it('a cluster that does not answer keeps nobody from the rest', async () => {
    const dead = {
      ...cluster,
      list: async () => Promise.reject(new ClusterError('unreachable', 'list Pod', 'no answer.')),
    };
    const { looks } = await look({
      ...shift,
      ways: { ...shift.ways, cluster: async () => Promise.resolve(dead) },
    });
    expect(looks.map(({ place, state }) => [place, state])).toEqual([
      ['machine', 'complete'],
      ['cluster', 'failed'],
      ['ec2', 'skipped'],
    ]);
  });
});

describe('rights of the janitor', () => {
  it('are those that it uses, each of them and no other', async () => {
    await makeLab(cluster, designOf());
    const used = new Set<string>();
    const watched: MemoryCluster = {
      ...cluster,
      get: (ref) => {
        used.add(`get ${KINDS[ref.kind].plural}`);
        return cluster.get(ref);
      },
      list: (kind, which) => {
        used.add(`list ${KINDS[kind].plural}`);
        return cluster.list(kind, which);
      },
      delete: (ref) => {
        used.add(`delete ${KINDS[ref.kind].plural}`);
        // The real one looks afterwards whether it is gone.
        used.add(`get ${KINDS[ref.kind].plural}`);
        return cluster.delete(ref);
      },
    };
    const leftover = await theOne();
    const watching = { ...shift, ways: { ...shift.ways, cluster: async () => Promise.resolve(watched) } };
    await look(watching);
    await remove(leftover, watching);
    const granted = JANITOR_PERMISSIONS.flatMap(({ verbs, resource }) =>
      verbs.map((verb) => `${verb} ${resource}`),
    );
    expect([...used].filter((right) => !granted.includes(right))).toEqual([]);
    // Claims go with their StatefulSet here; a real cluster may leave them.
    expect(granted.filter((right) => !used.has(right))).toEqual([
      'delete persistentvolumeclaims',
      'get persistentvolumeclaims',
    ]);
  });
});
