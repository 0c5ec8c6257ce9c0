import type { VolumeFacts } from '../lab.ts';

/**
 * Which EBS volume a broker writes to, and which device of its node that is. The names of devices say nothing
 * (every node may call its data volume nvme2n1), so three things must agree: the volume that Kubernetes bound to the
 * broker's claim, the serial number of the disk under the broker's data, and a counter of that disk that rises when
 * something is written there.
 */

/** What Kubernetes says of a broker's data volume; null = not known. */
export interface ClaimedVolume {
  readonly claim: string | null;
  readonly volume: string | null;
  /** `vol-0123456789abcdef0`. */
  readonly volumeId: string | null;
  /** Why the volume is not known: a claim that is not bound, a right that is missing, another driver. */
  readonly why: string | null;
}

/** What device-look.sh printed in the broker's pod. */
export interface DeviceReading {
  /** Kernel's number, type and source of the mount that holds the data; null = none was found. */
  readonly mount: { readonly number: string; readonly type: string; readonly source: string } | null;
  /** The disk (never a partition of it) that the mount is on; null = no block device. */
  readonly disk: string | null;
  readonly partition: string | null;
  /** Disks below a mapped device (LVM, dm-crypt). */
  readonly under: readonly string[];
  /** Disk → serial number as the kernel prints it. */
  readonly serials: Readonly<Record<string, string>>;
  /** Disk → sectors written before and after `wroteBytes` were written and synced. */
  readonly counters: Readonly<Record<string, readonly [number, number]>>;
  readonly wroteBytes: number;
  readonly problems: readonly string[];
}

/**
 * What was found out of a volume. Its device is the disk whose counters are those of the data. `mismatch`: two of the three
 * contradict each other, nothing may be measured; `unverified`: one could not be had.
 */
export type DeviceMapping = Omit<ClaimedVolume, 'why'> &
  Pick<VolumeFacts, 'device' | 'partition' | 'serial' | 'fileSystem' | 'result' | 'seen'>;

/** The kernel counts in these, whatever the disk's own sectors are. */
const SECTOR_BYTES = 512;

/** The part of a PersistentVolume that names its disk. */
export interface VolumeSource {
  readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  readonly awsElasticBlockStore?: { readonly volumeID: string };
}

/** The EBS volume behind a PersistentVolume (`vol-…`, in-tree also `aws://zone/vol-…`); null for anything else. */
export function ebsVolumeId(spec: VolumeSource | undefined): string | null {
  if (spec?.csi !== undefined)
    return spec.csi.driver === 'ebs.csi.aws.com' ? volumeIdIn(spec.csi.volumeHandle) : null;
  return volumeIdIn(spec?.awsElasticBlockStore?.volumeID.replace(/^aws:\/\/[^/]*\//, '') ?? '');
}

/** NVMe serials of EBS leave the dash out and may be padded: `vol0123456789abcdef0 `. null when it is none of EBS. */
export function volumeIdIn(text: string): string | null {
  const digits = /^vol-?([0-9a-f]{8}|[0-9a-f]{17})$/.exec(text.trim().toLowerCase())?.[1];
  return digits === undefined ? null : `vol-${digits}`;
}

/** Reads the output of device-look.sh. Lines of kinds that it does not know are left out. */
export function parseDeviceReading(text: string): DeviceReading {
  const lines = text.split('\n').flatMap((line) => {
    const space = line.indexOf(' ');
    return space < 0 ? [] : [[line.slice(0, space), line.slice(space + 1)] as const];
  });
  const all = (kind: string): readonly string[] => lines.flatMap(([k, rest]) => (k === kind ? [rest] : []));
  const one = (kind: string): string | null => all(kind)[0] ?? null;
  const [number = '', type = '', source = ''] = one('mount')?.split(' ') ?? [];
  return {
    mount: number === '' ? null : { number, type, source },
    disk: one('disk'),
    partition: one('partition'),
    under: all('under'),
    serials: Object.fromEntries(all('serial').map(splitAtSpace)),
    counters: Object.fromEntries(
      all('counter').map((rest) => {
        const [disk = '', before, after] = rest.split(' ');
        return [disk, [Number(before), Number(after)] as const];
      }),
    ),
    wroteBytes: Number(one('wrote') ?? 0),
    problems: all('problem'),
  };
}

function splitAtSpace(text: string): [string, string] {
  const space = text.indexOf(' ');
  return [text.slice(0, space), text.slice(space + 1)];
}

/** Puts what Kubernetes says and what the pod shows together. */
export function mapDevice(claimed: ClaimedVolume, reading: DeviceReading): DeviceMapping {
  const device = dataDisk(reading);
  const serial = device === null ? null : (reading.serials[device]?.trim() ?? null);
  const judged =
    wrongVolume(claimed.volumeId, reading, device) ??
    stillCounter(reading, device) ??
    missing(claimed, reading, device, serial);
  const verified = {
    result: 'verified',
    seen: `${claimed.volumeId} is ${device}: its serial number is ${serial}, and ${risen(reading, device)} sectors were written when ${reading.wroteBytes} bytes were`,
  } as const;
  const { claim, volume, volumeId } = claimed;
  const { partition, mount } = reading;
  return {
    claim,
    volume,
    volumeId,
    device,
    partition,
    serial,
    fileSystem: mount?.type ?? null,
    ...(judged ?? verified),
  };
}

type Judged = Pick<DeviceMapping, 'result' | 'seen'>;

/** The disk whose counters move with the data: below a mapped device, when it lies on just one disk. */
export function dataDisk({ disk, under }: DeviceReading): string | null {
  const [only] = new Set(under);
  return new Set(under).size === 1 && only !== undefined ? only : disk;
}

function wrongVolume(volumeId: string | null, reading: DeviceReading, device: string | null): Judged | null {
  if (volumeId === null || device === null) return null;
  const mounted = volumeIdIn(reading.serials[device] ?? '');
  if (mounted !== null && mounted !== volumeId)
    return mismatch(`the claim is bound to ${volumeId}, but the data lies on ${device}, which is ${mounted}`);
  const carrier = Object.keys(reading.serials).find(
    (disk) => volumeIdIn(reading.serials[disk] ?? '') === volumeId,
  );
  if (carrier !== undefined && carrier !== device)
    return mismatch(`${volumeId} is ${carrier} on this node, but the data lies on ${device}`);
  return null;
}

function stillCounter(reading: DeviceReading, device: string | null): Judged | null {
  if (device === null || reading.wroteBytes === 0) return null;
  const sectors = risen(reading, device);
  const needed = reading.wroteBytes / SECTOR_BYTES;
  if (sectors === null || sectors >= needed) return null;
  return mismatch(
    `${reading.wroteBytes} bytes were written and synced, but the counter of ${device} rose by ${sectors} sectors instead of ${needed} or more`,
  );
}

function missing(
  claimed: ClaimedVolume,
  reading: DeviceReading,
  device: string | null,
  serial: string | null,
): Judged | null {
  if (device === null) {
    const where = reading.mount === null ? '' : ` (the data lies on ${reading.mount.type})`;
    return unverified(`${reading.problems[0] ?? 'there is no block device under the data'}${where}`);
  }
  if (claimed.volumeId === null)
    return unverified(`the data lies on ${device}; ${claimed.why ?? 'its volume is not known'}`);
  if (volumeIdIn(serial ?? '') === null)
    return unverified(
      `the data lies on ${device}, which ${serial === null ? 'has no serial number' : `says it is ${serial}`}; that it is ${claimed.volumeId} cannot be seen`,
    );
  if (reading.wroteBytes === 0 || risen(reading, device) === null)
    return unverified(
      `${device} has the serial number of ${claimed.volumeId}, but its counter could not be tried: ${reading.problems[0] ?? 'it cannot be read'}`,
    );
  return null;
}

function risen(reading: DeviceReading, device: string | null): number | null {
  const counter = device === null ? undefined : reading.counters[device];
  return counter === undefined ? null : counter[1] - counter[0];
}

function mismatch(seen: string): Judged {
  return { result: 'mismatch', seen };
}

function unverified(seen: string): Judged {
  return { result: 'unverified', seen };
}
