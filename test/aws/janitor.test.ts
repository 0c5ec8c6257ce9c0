import { CreateVolumeCommand, EC2Client } from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { createEc2 } from '../../src/aws/ec2.ts';
import { look, remove, type Shift } from '../../src/janitor/janitor.ts';
import type { WorkflowState } from '../../src/janitor/leftover.ts';
import { volumeTags } from '../../src/lab/kubernetes/objects/around-pods.ts';
import { CLOSED, knownWorkflows, shiftOf } from '../janitor/support.ts';
import { memoryCluster } from '../lab/kubernetes/memory-cluster.ts';
import { IDS } from '../lab/kubernetes/objects/support.ts';
import { emulatedAws } from './support/emulated.ts';

const aws = emulatedAws();
const REGION = 'ap-northeast-2';
const HOUR = 3_600_000;

async function makeVolume(tags: Readonly<Record<string, string>>): Promise<string> {
  const client = new EC2Client({ endpoint: aws.moto.url, region: REGION });
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  try {
    const made = await client.send(
      new CreateVolumeCommand({
        AvailabilityZone: `${REGION}b`,
        Size: 1,
        VolumeType: 'gp3',
        ...(Tags.length > 0 ? { TagSpecifications: [{ ResourceType: 'volume', Tags }] } : {}),
      }),
    );
    return made.VolumeId ?? '';
  } finally {
    client.destroy();
  }
}

/** Two hours from now, when all that is made here is old enough. */
function shift(states: Record<string, WorkflowState>, cluster = memoryCluster()): Shift {
  const ways = {
    cluster: async () => Promise.resolve(cluster),
    ec2: async () => Promise.resolve(createEc2({ region: REGION })),
    workflows: knownWorkflows(states),
  };
  return shiftOf(ways, {}, Date.now() + 2 * HOUR);
}

const tagsOf = (changes: Partial<typeof IDS> = {}) =>
  volumeTags({ ...IDS, expiresAtMs: Date.now() - HOUR, ...changes });
const there = async () =>
  (
    await createEc2({ region: REGION }).volumesTagged(
      { 'assay.dev/experiment': '*' },
      { limitMs: 0, credentialsLimitMs: 0 },
    )
  ).map(({ id }) => id);

test('a volume of a terminated experiment that nobody names any more is found by its tags, and deleted', async () => {
  const id = await makeVolume(tagsOf());
  await makeVolume({});
  await makeVolume({ Name: 'database' });
  const now = shift({ codec: CLOSED });
  const { leftovers, looks } = await look(now);
  expect(looks.at(-1)).toEqual({ place: 'ec2', state: 'complete', says: REGION });
  expect(leftovers).toMatchObject([
    { place: 'ec2', id, key: IDS.key, workflowId: 'codec', verdict: { remove: true } },
  ]);
  expect(await remove(leftovers[0]!, now)).toMatchObject({ outcome: 'removed', remains: [] });
  expect(await there()).toEqual([]);
  expect(await remove(leftovers[0]!, now)).toMatchObject({ outcome: 'removed', why: 'it is gone already' });
});

test('volumes stay that are named, retained, not expired, of a running or unknown workflow, or tagged by half', async () => {
  const named = await makeVolume(tagsOf());
  const retained = await makeVolume({ ...tagsOf(), 'assay.dev/reclaim': 'Retain' });
  const renewed = await makeVolume(tagsOf({ expiresAtMs: Date.now() + 24 * HOUR }));
  const running = await makeVolume(tagsOf({ key: 'acks-5e6f7a8b', workflowId: 'acks' }));
  const unknown = await makeVolume(tagsOf({ key: 'linger-5e6f7a8b', workflowId: 'linger' }));
  const half = await makeVolume({ 'assay.dev/experiment': IDS.key });
  const cluster = memoryCluster();
  cluster.put({
    kind: 'PersistentVolume',
    metadata: { name: 'pv-1' },
    spec: { csi: { driver: 'ebs.csi.aws.com', volumeHandle: named } },
  });
  const now = shift({ codec: CLOSED, acks: { kind: 'open' } }, cluster);
  const { leftovers } = await look(now);
  const why = Object.fromEntries(leftovers.map(({ id, verdict }) => [id, verdict.why]));
  expect(leftovers.filter(({ verdict }) => verdict.remove)).toEqual([]);
  expect(why[named]).toBe('PersistentVolume pv-1 names it');
  expect(why[retained]).toContain('retains');
  expect(why[renewed]).toContain('may go from');
  expect(why[running]).toBe('workflow acks runs');
  expect(why[unknown]).toContain('Temporal does not know workflow linger; it may go from');
  expect(why[half]).toContain('does not say which workflow made it');
  for (const leftover of leftovers)
    expect(await remove({ ...leftover, verdict: { remove: true, why: 'a lie' } }, now)).toMatchObject({
      outcome: 'left',
    });
  expect((await there()).toSorted()).toEqual([named, retained, renewed, running, unknown, half].toSorted());
});

test('the request asks for the tag with any value, and for nothing without it', async () => {
  await look(shift({}));
  const asked = aws.proxy.requests.filter(({ operation }) => operation === 'DescribeVolumes');
  expect(asked.length).toBeGreaterThan(0);
  for (const { body } of asked) {
    const form = new URLSearchParams(body.toString('utf8'));
    expect(form.get('Filter.1.Name')).toBe('tag:assay.dev/experiment');
    expect(form.get('Filter.1.Value.1')).toBe('*');
  }
});
