import {
  CreateVolumeCommand,
  DeleteVolumeCommand,
  DescribeImagesCommand,
  EC2Client,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { createEc2, volumesLeft } from '../../src/aws/ec2.ts';
import { AwsError } from '../../src/aws/errors.ts';
import { ec2Error } from './support/answers.ts';
import { emulatedAws, patienceInTests } from './support/emulated.ts';
import { type Fault, of } from './support/fault-proxy.ts';

const aws = emulatedAws();
const REGION = 'ap-northeast-2';
const ec2 = () => createEc2({ region: REGION });
const patience = patienceInTests();

async function withClient<T>(work: (client: EC2Client) => Promise<T>): Promise<T> {
  const client = new EC2Client({ endpoint: aws.moto.url, region: REGION });
  try {
    return await work(client);
  } finally {
    client.destroy();
  }
}

function makeVolume(tags: Readonly<Record<string, string>> = {}): Promise<string> {
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  return withClient(async (client) => {
    const made = await client.send(
      new CreateVolumeCommand({
        AvailabilityZone: `${REGION}b`,
        Size: 100,
        VolumeType: 'gp3',
        Iops: 3_000,
        Throughput: 125,
        ...(Tags.length > 0 ? { TagSpecifications: [{ ResourceType: 'volume', Tags }] } : {}),
      }),
    );
    return made.VolumeId ?? '';
  });
}

const deleteDirectly = (VolumeId: string) =>
  withClient((client) => client.send(new DeleteVolumeCommand({ VolumeId })));

function page(volumes: readonly { id: string; state: string }[], token = ''): Fault {
  const items = volumes.map(
    ({ id, state }) => `<item><volumeId>${id}</volumeId><status>${state}</status></item>`,
  );
  const body = `<?xml version="1.0"?><DescribeVolumesResponse><requestId>1</requestId><volumeSet>${items.join('')}</volumeSet><nextToken>${token}</nextToken></DescribeVolumesResponse>`;
  return { kind: 'answer', status: 200, type: 'text/xml', body };
}

describe('volumes', () => {
  test('by ids recorded before: what EC2 knows of them', async () => {
    const id = await makeVolume({ 'assay.dev/experiment': 'x-1' });
    expect(await ec2().volumes([id, id], patience)).toMatchObject([
      {
        id,
        state: 'available',
        type: 'gp3',
        sizeGiB: 100,
        iops: 3_000,
        throughputMiBps: 125,
        zone: `${REGION}b`,
        attachedTo: [],
        tags: { 'assay.dev/experiment': 'x-1' },
      },
    ]);
  });

  test('InvalidVolume.NotFound is proof that it is gone; the others are still found', async () => {
    const ids = [await makeVolume(), await makeVolume(), await makeVolume(), await makeVolume()];
    await deleteDirectly(ids[1] ?? '');
    await deleteDirectly(ids[3] ?? '');
    const left = await volumesLeft(ec2(), ids, patience);
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set([ids[0], ids[2]]));
    await deleteDirectly(ids[0] ?? '');
    await deleteDirectly(ids[2] ?? '');
    expect(await volumesLeft(ec2(), ids, patience)).toEqual([]);
    expect(await volumesLeft(ec2(), [], patience)).toEqual([]);
  });

  test('a message that names no id: each is asked for alone', async () => {
    const id = await makeVolume();
    aws.proxy.fail(of('DescribeVolumes'), ec2Error('InvalidVolume.NotFound', 'Some volumes do not exist.'));
    expect((await ec2().volumes([id, 'vol-00000000000000000'], patience)).map((v) => v.id)).toEqual([id]);
  });

  test('deleting counts as not yet gone, deleted as gone', async () => {
    aws.proxy.fail(
      of('DescribeVolumes'),
      page([
        { id: 'vol-1', state: 'deleting' },
        { id: 'vol-2', state: 'deleted' },
      ]),
    );
    const left = await volumesLeft(ec2(), ['vol-1', 'vol-2'], patience);
    expect(left).toMatchObject([{ id: 'vol-1', state: 'deleting' }]);
  });

  test('an error that is no NotFound is no proof', async () => {
    for (const [code, expected] of [
      ['UnauthorizedOperation', 'denied'],
      ['InvalidParameterValue', 'invalid'],
      ['AuthFailure', 'no-credentials'],
    ] as const) {
      aws.proxy.clear();
      aws.proxy.fail(of('DescribeVolumes'), ec2Error(code, 'no'), 100);
      await expect(volumesLeft(ec2(), ['vol-1'], patience)).rejects.toMatchObject({ code: expected });
    }
  });

  test('RequestLimitExceeded is waited for', async () => {
    const id = await makeVolume();
    aws.proxy.fail(of('DescribeVolumes'), ec2Error('RequestLimitExceeded', 'slower', 503), 2);
    expect(await ec2().volumes([id], patience)).toHaveLength(1);
  });

  test('by all of our tags, over pages; the tags and the token as sent', async () => {
    const mine = await makeVolume({ 'assay.dev/managed': 'assay', 'assay.dev/experiment': 'x-1' });
    await makeVolume({ 'assay.dev/managed': 'assay', 'assay.dev/experiment': 'y-2' });
    await makeVolume();
    const tags = { 'assay.dev/managed': 'assay', 'assay.dev/experiment': 'x-1' };
    expect((await ec2().volumesTagged(tags, patience)).map(({ id }) => id)).toEqual([mine]);
    aws.proxy.clear();
    aws.proxy.fail(of('DescribeVolumes'), page([{ id: 'vol-1', state: 'in-use' }], 'more'));
    aws.proxy.fail(of('DescribeVolumes'), page([{ id: 'vol-2', state: 'available' }]));
    expect((await ec2().volumesTagged(tags, patience)).map(({ id }) => id)).toEqual(['vol-1', 'vol-2']);
    const [first, second] = aws.proxy.requests.map(({ body }) => new URLSearchParams(body.toString()));
    expect(first?.get('Filter.2.Name')).toBe('tag:assay.dev/experiment');
    expect(first?.get('Filter.2.Value.1')).toBe('x-1');
    expect(second?.get('NextToken')).toBe('more');
  });

  test('without a tag nobody is asked: EC2 would name every volume of the account', async () => {
    expect(() => ec2().volumesTagged({}, patience)).toThrow(TypeError);
    expect(aws.proxy.requests).toEqual([]);
  });

  test('deleteVolume: gone already is fine, in use is not', async () => {
    const id = await makeVolume();
    await ec2().deleteVolume(id, patience);
    await ec2().deleteVolume(id, patience);
    aws.proxy.fail(of('DeleteVolume'), ec2Error('VolumeInUse', 'attached'));
    await expect(ec2().deleteVolume(id, patience)).rejects.toBeInstanceOf(AwsError);
  });
});

test('instances: type, zone, launch time, market, monitoring', async () => {
  const id = await withClient(async (client) => {
    const images = await client.send(new DescribeImagesCommand({}));
    const made = await client.send(
      new RunInstancesCommand({
        ImageId: images.Images?.[0]?.ImageId ?? '',
        InstanceType: 'm5.xlarge',
        MinCount: 1,
        MaxCount: 1,
        Placement: { AvailabilityZone: `${REGION}b` },
      }),
    );
    return made.Instances?.[0]?.InstanceId ?? '';
  });
  const [instance] = await ec2().instances([id], patience);
  expect(instance).toMatchObject({
    id,
    type: 'm5.xlarge',
    zone: `${REGION}b`,
    state: 'running',
    spot: false,
  });
  expect(instance?.launchedAtMs).toBeGreaterThan(Date.now() - 3_600_000);
});
