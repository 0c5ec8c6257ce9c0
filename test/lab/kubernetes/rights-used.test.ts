import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { Cluster, Kind } from '../../../src/lab/kubernetes/api/cluster.ts';
import { KINDS } from '../../../src/lab/kubernetes/api/kinds.ts';
import { claimedVolume } from '../../../src/lab/kubernetes/claimed-volume.ts';
import { leaks } from '../../../src/lab/kubernetes/leaks.ts';
import { nodeFacts } from '../../../src/lab/kubernetes/node-facts.ts';
import { PERMISSIONS } from '../../../src/lab/kubernetes/permissions.ts';
import { preflight } from '../../../src/lab/kubernetes/preflight.ts';
import { provision } from '../../../src/lab/kubernetes/provision.ts';
import type { LabRecord } from '../../../src/lab/kubernetes/record.ts';
import { renewExpiry } from '../../../src/lab/kubernetes/renew.ts';
import { teardown } from '../../../src/lab/kubernetes/teardown.ts';
import { doomedLab } from '../../../src/lab/kubernetes/teardown-job.ts';
import { type MemoryCluster, memoryCluster } from './memory-cluster.ts';
import { designOf } from './objects/support.ts';

const ROOM = join(import.meta.dirname, '../../../src/lab/kubernetes');
const SOON = { everyMs: 1, podsMs: 30, volumesMs: 30, namespaceMs: 30 };

let memory: MemoryCluster;
let used: Set<string>;

beforeEach(() => {
  memory = memoryCluster();
  used = new Set();
});

/** The requests behind each call of a Cluster, as src/lab/kubernetes/api makes them. */
function recording(): Cluster {
  const note = (kind: Kind, ...verbs: string[]): void => {
    const { apiVersion, plural } = KINDS[kind];
    const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
    for (const verb of verbs) used.add(`${verb} ${group}/${plural}`);
  };
  return {
    ...memory,
    get: (ref, call) => (note(ref.kind, 'get'), memory.get(ref, call)),
    list: (kind, which, call) => (note(kind, 'list'), memory.list(kind, which, call)),
    // A server-side apply of what is not there needs both.
    apply: (object, call) => (note(object.kind, 'get', 'patch', 'create'), memory.apply(object, call)),
    createIfAbsent: (object, call) => (
      note(object.kind, 'create', 'get'), memory.createIfAbsent(object, call)
    ),
    delete: (ref, how, call) => (note(ref.kind, 'delete', 'get'), memory.delete(ref, how, call)),
    events: (ref, call) => (note('Event', 'list'), memory.events(ref, call)),
  };
}

/** The whole life of a lab, with each reason to look closer once. */
async function live(lab: Record<string, unknown>): Promise<void> {
  const cluster = recording();
  const design = designOf(lab);
  const { namespace } = design.names;
  let record: LabRecord | null = null;
  const keeper = {
    read: async () => Promise.resolve(record),
    write: async (next: LabRecord) => {
      record = next;
      return Promise.resolve();
    },
  };
  const { signal } = new AbortController();
  const say = (): void => undefined;
  const limits = { everyMs: 1, readyMs: 50, unplacedMs: 10, troubleMs: 10 };
  const job = { cluster, design, keeper, say, signal, limits };
  await preflight(cluster, design, { nowMs: 0, plannedMs: 1 });
  memory.unplaceable = (pod) => pod.endsWith('-0');
  await provision(job).catch(() => undefined);
  memory.unplaceable = () => false;
  await teardown({ ...job, lab: doomedLab(design), limits: SOON });
  await provision(job);
  const client = [...memory.things.values()].find(({ metadata }) => metadata.name?.includes('client-'));
  Object.assign(client ?? {}, { status: { phase: 'Failed' } });
  await provision(job);
  await renewExpiry(cluster, design);
  await claimedVolume(cluster, namespace, design.names.claim(0));
  await nodeFacts(cluster, 'n1');
  await leaks(cluster, doomedLab(design), record);
  // As after a StatefulSet that leaves its claims behind.
  for (const thing of memory.things.values())
    if (thing.kind === 'PersistentVolumeClaim') delete thing.metadata.ownerReferences;
  await teardown({ ...job, lab: doomedLab(design), limits: SOON });
  await leaks(cluster, doomedLab(design), record);
}

function asked(needs: readonly string[]): string[] {
  const all = PERMISSIONS.filter(
    ({ need, subresource }) => needs.includes(need) && subresource === undefined,
  );
  return [
    ...new Set(all.flatMap(({ group, resource, verbs }) => verbs.map((v) => `${v} ${group}/${resource}`))),
  ];
}

it('a lab in a given place uses every right that it asks for, and no other', async () => {
  memory.put({ kind: 'Namespace', metadata: { name: 'shared' } });
  memory.put({
    kind: 'StorageClass',
    metadata: { name: 'gp3' },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  await live({ kubernetes: { namespace: 'shared', storageClass: 'gp3' } });
  expect([...used].toSorted()).toEqual(asked(['always', 'look']).toSorted());
});

it('so does a lab that creates its own', async () => {
  await live({});
  // Of a place of one's own there is no quota to look at.
  const rights = asked(['always', 'look', 'own-namespace', 'own-class']);
  expect([...used].toSorted()).toEqual(
    rights.filter((right) => !/\/(resourcequotas|limitranges)$/.test(right)).toSorted(),
  );
});

it('commands in pods and their logs are asked for because they are used', () => {
  const text = readdirSync(ROOM, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(ROOM, file), 'utf8'))
    .join('\n');
  const subresources = PERMISSIONS.flatMap(({ resource, subresource, verbs }) =>
    subresource === undefined ? [] : [`${verbs.join('+')} ${resource}/${subresource}`],
  );
  expect(subresources.toSorted()).toEqual(['create+get pods/exec', 'get pods/log']);
  expect(text).toMatch(/\.exec\(/);
  expect(text).toMatch(/\.readLog\(/);
});
