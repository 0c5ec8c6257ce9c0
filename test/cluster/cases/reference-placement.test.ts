import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Node, V1PersistentVolumeClaim, V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openCluster } from '../../../src/lab/kubernetes/api/client-cluster.ts';
import { leaks } from '../../../src/lab/kubernetes/leaks.ts';
import { preflight } from '../../../src/lab/kubernetes/preflight.ts';
import { provision } from '../../../src/lab/kubernetes/provision.ts';
import { folderKeeper } from '../../../src/lab/kubernetes/record.ts';
import { teardown } from '../../../src/lab/kubernetes/teardown.ts';
import { doomedLab } from '../../../src/lab/kubernetes/teardown-job.ts';
import { until } from '../../../src/lab/wait.ts';
import { designOf } from '../../lab/kubernetes/objects/support.ts';
import { get, kubectl } from '../support/command.ts';
import { type FakeNodes, keepFakeNodes, M5_LARGE, M5_XLARGE } from '../support/fake-nodes.ts';
import { NODE_NAME } from '../support/run.ts';
import { heldVolumes } from '../support/volumes.ts';

/*
 * The reference's lab as a spec of one line asks for it (docs/kubernetes-manifest.md), on nodes of the reference's sizes, by
 * the real scheduler. The nodes have no machines: pods are placed and not run.
 */

const BROKER_NODES = ['broker-node-1', 'broker-node-2', 'broker-node-3'];
const CLIENT_NODES = ['client-node-1', 'client-node-2'];
const BROKERS = ['kafka-0', 'kafka-1', 'kafka-2'];
const CLIENTS = ['client-c1', 'client-c2'];
const CHOSEN_NODE = 'volume.kubernetes.io/selected-node';

const cluster = openCluster();
const design = designOf(
  {
    clients: { count: CLIENTS.length },
    kubernetes: { namespace: { create: 'bench-kafka' }, storageClass: { name: 'bench-kafka-gp3' } },
  },
  { key: 'placed-1a2b3c4d', expiresAtMs: Date.now() + 3_600_000 },
);
const { namespace } = design.names;
const folder = mkdtempSync(join(tmpdir(), 'assay-placement-'));
const keeper = folderKeeper(folder);
const stopped = new AbortController();
let nodes: FakeNodes;
let provisioning: Promise<unknown>;

beforeAll(async () => {
  // Whatever its size, it is not one of the reference's nodes.
  await kubectl(['cordon', NODE_NAME]);
  nodes = keepFakeNodes();
  for (const name of BROKER_NODES.slice(0, 2)) await nodes.add(name, M5_XLARGE);
  for (const name of CLIENT_NODES) await nodes.add(name, M5_LARGE);
  // Large enough and never right: another zone, another way to pay, a size without room for a broker.
  await nodes.add('other-zone', M5_XLARGE, { zone: 'ap-northeast-2a' });
  await nodes.add('spot', M5_XLARGE, { capacityType: 'spot' });
  await until(
    async () => {
      const { items } = await get<{ items: V1Node[] }>('nodes');
      const tainted = items.filter(({ spec }) =>
        spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/not-ready'),
      );
      return tainted.length === 0 ? true : undefined;
    },
    { everyMs: 300, limitMs: 60_000 },
  );
});

afterAll(async () => {
  stopped.abort();
  await provisioning?.catch(() => undefined);
  await nodes.remove();
  await kubectl(['uncordon', NODE_NAME]);
  rmSync(folder, { recursive: true });
});

const pods = async () => (await get<{ items: V1Pod[] }>('pods', '-n', namespace)).items;

/** Pod → node, of those that are placed. */
async function placed(): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(
    (await pods()).flatMap(({ metadata, spec }) =>
      spec?.nodeName === undefined ? [] : [[metadata?.name ?? '', spec.nodeName]],
    ),
  );
}

const nodesOf = (names: readonly string[], all: Readonly<Record<string, string>>) =>
  names.map((pod) => all[pod] ?? 'none').toSorted();

const placedAll = (count: number) =>
  until(
    async () => {
      const all = await placed();
      return Object.keys(all).length === count ? all : undefined;
    },
    { everyMs: 300, limitMs: 90_000 },
  );

describe('the reference lab', () => {
  test('is short of a node: preflight says which, and the third broker waits rather than share one', async () => {
    const { problems, notes } = await preflight(cluster, design, {
      nowMs: Date.now(),
      plannedMs: 3_600_000,
    });
    expect(problems).toEqual([]);
    expect(notes.filter((text) => text.includes('nodes that the'))).toEqual([
      expect.stringContaining('2 of the 3 nodes that the brokers need are there'),
    ]);

    const say = () => undefined;
    provisioning = provision({ cluster, design, keeper, say, signal: stopped.signal });
    provisioning.catch(() => undefined);
    const four = await placedAll(4);
    const waiting = await until(
      async () =>
        (await pods()).find(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === 'PodScheduled' && is === 'False'),
        ),
      { everyMs: 300, limitMs: 30_000 },
    );
    expect(BROKERS).toContain(waiting?.metadata?.name);
    expect(four).not.toHaveProperty(waiting?.metadata?.name ?? '');
    const why = waiting?.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';
    // Of the nodes of brokers, in the order in which the scheduler looks: a second broker of the reference has no room there either.
    expect(why).toContain('2 Insufficient cpu, 2 Insufficient memory');
  });

  test('is placed when the node comes: every broker on one of its own, every client on one of its own', async () => {
    await nodes.add(BROKER_NODES[2]!, M5_XLARGE);
    const all = (await placedAll(5)) ?? {};
    expect(Object.keys(all).toSorted()).toEqual([...BROKERS, ...CLIENTS].toSorted());
    expect(nodesOf(BROKERS, all)).toEqual(BROKER_NODES);
    expect(nodesOf(CLIENTS, all)).toEqual(CLIENT_NODES);
  });

  test('has its volumes made where its brokers are', async () => {
    const held = heldVolumes().filter(({ PVC }) => PVC.startsWith(`${namespace}/`));
    expect(held.map(({ PVC, Type, Bytes }) => `${PVC} ${Type} ${Bytes / 1024 ** 3}`).toSorted()).toEqual(
      BROKERS.map((pod) => `${namespace}/data-${pod} gp3 100`),
    );
    const { items } = await get<{ items: V1PersistentVolumeClaim[] }>('pvc', '-n', namespace);
    const chosen = items.map(({ metadata }) => metadata?.annotations?.[CHOSEN_NODE] ?? '');
    expect(chosen.toSorted()).toEqual(BROKER_NODES);
  });

  test('goes, though no kubelet says that its pods have ended', async () => {
    stopped.abort();
    await provisioning.catch(() => undefined);
    const lab = doomedLab(design);
    const signal = AbortSignal.timeout(200_000);
    let gone = false;
    const going = teardown({ cluster, lab, keeper, say: () => undefined, signal }).finally(() => {
      gone = true;
    });
    await until(
      async () => {
        await forget(await pods());
        return gone ? true : undefined;
      },
      { everyMs: 1_000, limitMs: 200_000 },
    );
    await going;
    expect(await leaks(cluster, lab, await keeper.read())).toEqual({ leaks: [], unverified: [] });
    expect(heldVolumes().filter(({ PVC }) => PVC.startsWith(`${namespace}/`))).toEqual([]);
  });
});

/** What the cloud's controller does with pods that are to end on a node whose machine is gone. */
async function forget(all: readonly V1Pod[]): Promise<void> {
  const ending = all.flatMap(({ metadata }) =>
    metadata?.name !== undefined && metadata.deletionTimestamp !== undefined ? [metadata.name] : [],
  );
  if (ending.length === 0) return;
  const atOnce = ['--force', '--grace-period=0', '--ignore-not-found', '--wait=false'];
  await kubectl(['-n', namespace, 'delete', 'pods', ...ending, ...atOnce]);
}
