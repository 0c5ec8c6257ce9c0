import {
  DeleteVolumeCommand,
  DescribeInstancesCommand,
  type DescribeInstancesCommandOutput,
  DescribeVolumesCommand,
  type DescribeVolumesCommandInput,
  EC2Client,
  type Instance,
  type Volume,
} from '@aws-sdk/client-ec2';
import { type AwsSite, CLIENT_SETTINGS, renewable } from './clients.ts';
import { AwsError } from './errors.ts';
import { type Patience, patiently } from './patience.ts';

/** An EBS volume as EC2 tells of it. */
export interface EbsVolume {
  readonly id: string;
  /** `creating`, `available`, `in-use`, `deleting`, `deleted`, `error`. */
  readonly state: string;
  readonly type: string;
  readonly sizeGiB: number;
  readonly iops: number | null;
  readonly throughputMiBps: number | null;
  readonly zone: string;
  readonly createdAtMs: number | null;
  /** Instances that it is attached to. */
  readonly attachedTo: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
}

/** The machine behind a node. */
export interface Ec2Instance {
  readonly id: string;
  readonly type: string;
  readonly zone: string;
  readonly state: string;
  readonly launchedAtMs: number | null;
  readonly spot: boolean;
  /** Without detailed monitoring CPU and network come as five-minute points. */
  readonly detailedMonitoring: boolean;
}

/** What Assay asks of EC2 in one region; every method throws AwsError. */
export interface Ec2 {
  readonly region: string;
  /** Those of the ids that EC2 still knows. One that it does not know any more (InvalidVolume.NotFound) is left out. */
  volumes(ids: readonly string[], patience: Patience): Promise<readonly EbsVolume[]>;
  /** Those with all of these tags. */
  volumesTagged(tags: Readonly<Record<string, string>>, patience: Patience): Promise<readonly EbsVolume[]>;
  instances(ids: readonly string[], patience: Patience): Promise<readonly Ec2Instance[]>;
  /** Deletes a volume; one that is gone already is fine. */
  deleteVolume(id: string, patience: Patience): Promise<void>;
  close(): void;
}

/** Ids in one request; EC2 takes up to 500, a message about missing ones is shorter with fewer. */
const IDS_A_REQUEST = 100;
const PAGE = 500;

/** Opens nothing yet; endpoint and credentials come from the environment, as the SDK reads it. */
export function createEc2({ region }: AwsSite): Ec2 {
  const client = renewable(() => new EC2Client({ ...CLIENT_SETTINGS, region }));
  const ask = <T>(operation: string, patience: Patience, call: (ec2: EC2Client) => Promise<T>) =>
    patiently({ service: 'EC2', operation }, () => call(client.get()), patience, client.renew);
  const describe = async (input: DescribeVolumesCommandInput, patience: Patience) => {
    const found: Volume[] = [];
    let next: string | undefined;
    do {
      const page = { ...input, ...(next === undefined ? {} : { NextToken: next }) };
      const answer = await ask('DescribeVolumes', patience, (ec2) =>
        ec2.send(new DescribeVolumesCommand(page)),
      );
      found.push(...(answer.Volumes ?? []));
      next = answer.NextToken === '' ? undefined : answer.NextToken;
    } while (next !== undefined);
    return found.map(asVolume);
  };
  return {
    region,
    volumes: async (ids, patience) => {
      const known: EbsVolume[] = [];
      for (const some of inGroups([...new Set(ids)]))
        known.push(...(await knownOf(some, (wanted) => describe({ VolumeIds: [...wanted] }, patience))));
      return known;
    },
    volumesTagged: (tags, patience) => {
      const filters = Object.entries(tags).map(([tag, value]) => ({ Name: `tag:${tag}`, Values: [value] }));
      // Without a filter EC2 names every volume of the account: nobody may mean that.
      if (filters.length === 0) throw new TypeError('volumesTagged: no tag was named');
      return describe({ Filters: filters, MaxResults: PAGE }, patience);
    },
    instances: async (ids, patience) => {
      const found: Ec2Instance[] = [];
      for (const some of inGroups([...new Set(ids)])) {
        const answer: DescribeInstancesCommandOutput = await ask('DescribeInstances', patience, (ec2) =>
          ec2.send(new DescribeInstancesCommand({ InstanceIds: [...some] })),
        );
        found.push(...(answer.Reservations ?? []).flatMap((r) => r.Instances ?? []).map(asInstance));
      }
      return found;
    },
    deleteVolume: async (id, patience) => {
      try {
        await ask('DeleteVolume', patience, (ec2) => ec2.send(new DeleteVolumeCommand({ VolumeId: id })));
      } catch (error) {
        if (!isVolumeGone(error)) throw error;
      }
    },
    close: () => client.renew(),
  };
}

/**
 * Those of the recorded volumes that are not proven gone, in words: `vol-0… (in-use, 100 GiB gp3)`. `deleting` is not
 * gone yet. EC2 of another region knows none of them, so the ids must have been seen in this region before.
 */
export async function volumesLeft(
  ec2: Ec2,
  ids: readonly string[],
  patience: Patience,
): Promise<readonly EbsVolume[]> {
  return (await ec2.volumes(ids, patience)).filter(({ state }) => state !== 'deleted');
}

/** `InvalidVolume.NotFound`: of what was recorded before, this is proof that it is gone. */
function isVolumeGone(error: unknown): boolean {
  return error instanceof AwsError && error.awsCode === 'InvalidVolume.NotFound';
}

/**
 * One missing id fails the whole request, and the message that names it is no proof: it does not always name all, nor only
 * those that are missing. Each is asked for alone then.
 */
async function knownOf(
  ids: readonly string[],
  describe: (ids: readonly string[]) => Promise<readonly EbsVolume[]>,
): Promise<readonly EbsVolume[]> {
  if (ids.length === 0) return [];
  try {
    return await describe(ids);
  } catch (error) {
    if (!isVolumeGone(error)) throw error;
    if (ids.length === 1) return [];
    const alone: EbsVolume[] = [];
    for (const id of ids) alone.push(...(await knownOf([id], describe)));
    return alone;
  }
}

function inGroups(ids: readonly string[]): readonly (readonly string[])[] {
  const groups = Math.ceil(ids.length / IDS_A_REQUEST);
  return Array.from({ length: groups }, (_, i) => ids.slice(i * IDS_A_REQUEST, (i + 1) * IDS_A_REQUEST));
}

function asVolume(volume: Volume): EbsVolume {
  return {
    id: volume.VolumeId ?? '',
    state: volume.State ?? 'unknown',
    type: volume.VolumeType ?? 'unknown',
    sizeGiB: volume.Size ?? 0,
    iops: volume.Iops ?? null,
    throughputMiBps: volume.Throughput ?? null,
    zone: volume.AvailabilityZone ?? 'unknown',
    createdAtMs: volume.CreateTime?.getTime() ?? null,
    attachedTo: (volume.Attachments ?? []).flatMap(({ InstanceId }) => InstanceId ?? []),
    tags: Object.fromEntries((volume.Tags ?? []).map(({ Key, Value }) => [Key ?? '', Value ?? ''])),
  };
}

function asInstance(instance: Instance): Ec2Instance {
  return {
    id: instance.InstanceId ?? '',
    type: instance.InstanceType ?? 'unknown',
    zone: instance.Placement?.AvailabilityZone ?? 'unknown',
    state: instance.State?.Name ?? 'unknown',
    launchedAtMs: instance.LaunchTime?.getTime() ?? null,
    spot: instance.InstanceLifecycle === 'spot',
    detailedMonitoring: instance.Monitoring?.State === 'enabled',
  };
}
