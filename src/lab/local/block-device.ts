import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The disk whose counters show what is written below a path. */
export interface BlockDevice {
  /** A name in /sys/class/block, e.g. `vda`. */
  readonly device: string;
  /** The partition on it that holds the path, or null when the path is on the whole disk. */
  readonly partition: string | null;
  /** Through device-mapper (LVM, dm-crypt): the counters are those of the mapped device. */
  readonly mapped: boolean;
}

/**
 * The block device under a path that exists, by the kernel's own number of the file system's device. null when there
 * is none that the kernel knows: tmpfs, overlay, network, btrfs (it numbers its devices itself).
 * `sysfs` is `/sys` but in tests.
 */
export function blockDeviceOf(path: string, sysfs = '/sys'): BlockDevice | null {
  return deviceOfNumber(statSync(path, { bigint: true }).dev, sysfs);
}

/** As blockDeviceOf, from st_dev. */
export function deviceOfNumber(dev: bigint, sysfs = '/sys'): BlockDevice | null {
  const link = join(sysfs, 'dev/block', `${major(dev)}:${minor(dev)}`);
  if (!existsSync(link)) return null;
  const folder = realpathSync(link);
  const isPartition = existsSync(join(folder, 'partition'));
  const disk = isPartition ? dirname(folder) : folder;
  return {
    device: basename(disk),
    partition: isPartition ? basename(folder) : null,
    mapped: existsSync(join(disk, 'dm')),
  };
}

/** glibc's gnu_dev_major and gnu_dev_minor (sys/sysmacros.h). */
function major(dev: bigint): bigint {
  return ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
}

function minor(dev: bigint): bigint {
  return (dev & 0xffn) | ((dev >> 12n) & ~0xffn);
}
