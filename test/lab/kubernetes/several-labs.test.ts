import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Bench } from '../../../activities/bench.ts';
import { volumesLeft } from '../../../activities/volumes-left.ts';
import type { LabPlan } from '../../../src/design/plan.ts';
import { openKubernetesLab } from '../../../src/lab/kubernetes/kubernetes-lab.ts';
import { createLabMaker, type LabMaker } from '../../../src/lab/kubernetes/lab-maker.ts';
import { readLabPods } from '../../../src/lab/kubernetes/lab-pods.ts';
import {
  allVolumes,
  firstRecord,
  type RecordedVolume,
  type RecordKeeper,
  storeKeeper,
} from '../../../src/lab/kubernetes/record.ts';
import type { Lab } from '../../../src/lab/lab.ts';
import { createFolderStore } from '../../../src/store/folder-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { BEAT } from '../../activities/bench-support.ts';
import { type MemoryCluster, memoryCluster } from './memory-cluster.ts';
import { designOf, IDS, labPlanOf } from './objects/support.ts';

let folder: string;
let store: Store;
let keeper: RecordKeeper;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-labs-'));
  store = createFolderStore(folder);
  keeper = storeKeeper(store);
});
afterEach(() => rmSync(folder, { recursive: true }));

const volume = (n: number): RecordedVolume => ({
  claim: 'data-kafka-0',
  claimUid: `claim-${n}`,
  persistentVolume: `pv-${n}`,
  persistentVolumeUid: `pv-uid-${n}`,
  reclaimPolicy: 'Delete',
  driver: 'ebs.csi.aws.com',
  volumeId: `vol-${n}`,
});
const lab = (clusterId: string, ...volumes: number[]) => ({
  ...firstRecord(designOf({}, { clusterId }), 'server'),
  volumes: volumes.map(volume),
});

describe('the records of several labs', () => {
  it('are all kept: a later lab does not take the volumes of an earlier one along', async () => {
    await keeper.write(lab('first'));
    await keeper.write(lab('first', 1, 2));
    await keeper.write(lab('second'));
    await keeper.write(lab('second', 3));
    await keeper.write(lab('third', 4));
    expect((await keeper.read())?.ids.clusterId).toBe('third');
    const ids = (await allVolumes(keeper)).map(({ volumeId }) => volumeId);
    expect(new Set(ids)).toEqual(new Set(['vol-1', 'vol-2', 'vol-3', 'vol-4']));
  });

  it('are one file while there is one lab', async () => {
    await keeper.write(lab('first', 1));
    await keeper.write(lab('first', 1));
    expect(await store.list('lab/')).toEqual(['lab/kubernetes.json']);
  });

  it('name every volume that EC2 is to be asked for, and where it cannot be asked nothing is proven', async () => {
    await keeper.write(lab('first', 1));
    await keeper.write(lab('second', 2));
    const bench = { plan: { lab: { kubernetes: { region: null } } }, store } as unknown as Bench;
    const { leaks, unverified } = await volumesLeft(bench, BEAT);
    expect(leaks).toEqual([]);
    expect(unverified.join()).toMatch(/vol-1.*vol-2.*region is not known/);
  });
});

describe('a lab in a cluster', () => {
  let cluster: MemoryCluster;
  let maker: LabMaker;
  let plan: LabPlan;

  beforeEach(() => {
    cluster = memoryCluster();
    plan = labPlanOf();
    const { clusterId: _, ...ids } = IDS;
    maker = createLabMaker({ cluster, plan, ids, keeper, plannedMs: 1 });
  });

  const open = (): Lab => openKubernetesLab({ cluster, key: IDS.key, plan, maker });
  const pod = (name: string, uid: string): void => {
    const { namespace } = designOf().names;
    const labels = { 'assay.dev/experiment': IDS.key };
    cluster.put({
      kind: 'Pod',
      metadata: { name, namespace, uid, labels },
      status: {
        phase: 'Running',
        containerStatuses: [{ restartCount: 0, ready: true, state: { running: {} } }],
      },
    });
  };

  it('where Assay may not look is told apart from what is left', async () => {
    await keeper.write(lab('first', 1));
    await keeper.write(lab('second', 2));
    cluster.denied.add('list pods');
    // Of the lab before, and still there.
    cluster.put({ kind: 'PersistentVolume', metadata: { name: 'pv-1', uid: 'pv-uid-1' }, spec: {} });
    const { leaks, unverified } = await open().leaks();
    expect(leaks).toHaveLength(1);
    expect(leaks[0]).toMatch(/PersistentVolume pv-1 \(volume vol-1\)/);
    expect(unverified).toHaveLength(1);
    expect(unverified[0]).toMatch(/Pod.*may not list/);
  });

  it('has lost a client that is gone, dead or another one, until it is adopted; and brokers that do not run', async () => {
    const { names } = designOf();
    await keeper.write(lab('first'));
    const brokers = Array.from({ length: plan.brokers.count }, (_, i) => names.brokerPod(i));
    for (const name of brokers.slice(1)) pod(name, name);
    expect(await open().lost()).toEqual(['broker b1', 'client c1']);
    pod(names.brokerPod(0), 'b');
    pod(names.clientPod('c1'), 'c-1');
    await maker.adoptClients(await readLabPods(cluster, names.namespace, IDS.key));
    expect(await open().lost()).toEqual([]);
    // A broker's pod that another followed is alive: only its identity voids what was measured.
    pod(names.brokerPod(0), 'b-2');
    pod(names.clientPod('c1'), 'c-2');
    expect(await open().lost()).toEqual(['client c1']);
    await maker.adoptClients(await readLabPods(cluster, names.namespace, IDS.key));
    expect(await open().lost()).toEqual([]);
  });
});
