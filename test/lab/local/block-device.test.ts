import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { blockDeviceOf, deviceOfNumber } from '../../../src/lab/local/block-device.ts';

let sysfs: string;
beforeEach(() => {
  sysfs = mkdtempSync(join(tmpdir(), 'assay-sysfs-'));
  mkdirSync(join(sysfs, 'dev/block'), { recursive: true });
});
afterEach(() => rmSync(sysfs, { recursive: true, force: true }));

/** st_dev as the kernel packs it (sysmacros.h). */
const dev = (major: bigint, minor: bigint): bigint =>
  ((major & 0xfffn) << 8n) | (minor & 0xffn) | ((minor & ~0xffn) << 12n) | ((major & ~0xfffn) << 32n);

function device(number: string, folder: string): string {
  const path = join(sysfs, 'devices', folder);
  mkdirSync(path, { recursive: true });
  symlinkSync(path, join(sysfs, 'dev/block', number));
  return path;
}

it('finds a whole disk', () => {
  device('254:0', 'pci/block/vda');
  expect(deviceOfNumber(dev(254n, 0n), sysfs)).toEqual({ device: 'vda', partition: null, mapped: false });
});

it('goes from a partition to its disk', () => {
  writeFileSync(join(device('259:1', 'pci/block/nvme0n1/nvme0n1p1'), 'partition'), '1\n');
  expect(deviceOfNumber(dev(259n, 1n), sysfs)).toEqual({
    device: 'nvme0n1',
    partition: 'nvme0n1p1',
    mapped: false,
  });
});

it('notes device-mapper', () => {
  mkdirSync(join(device('253:3', 'virtual/block/dm-3'), 'dm'));
  expect(deviceOfNumber(dev(253n, 3n), sysfs)).toEqual({ device: 'dm-3', partition: null, mapped: true });
});

it('reads numbers beyond a byte', () => {
  device('4095:1048575', 'pci/block/sdz');
  expect(deviceOfNumber(dev(4095n, 1_048_575n), sysfs)?.device).toBe('sdz');
});

it('says null where the kernel knows no device', () => {
  expect(deviceOfNumber(dev(0n, 42n), sysfs)).toBeNull();
  expect(blockDeviceOf('/proc')).toBeNull();
});

it('agrees with the kernel about this machine', () => {
  const found = blockDeviceOf(process.cwd());
  expect(found === null).toBe(statSync(process.cwd()).dev < 256);
});
