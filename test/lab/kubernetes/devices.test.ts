import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type ClaimedVolume,
  ebsVolumeId,
  mapDevice,
  parseDeviceReading,
  volumeIdIn,
} from '../../../src/lab/kubernetes/devices.ts';

const WROTE = 4 * 1024 ** 2;
const SECTORS = WROTE / 512;

const claimed = (volumeId: string | null, why: string | null = null): ClaimedVolume => ({
  claim: 'data-kafka-0',
  volume: 'pvc-1',
  volumeId,
  why,
});

/** A node of EKS as device-look.sh prints it: root on nvme0n1, another pod's volume on nvme1n1, ours on nvme2n1. */
const eks = (ours: string, disk = 'nvme2n1', rose = SECTORS + 24) =>
  `mount 259:5 ext4 /dev/${disk}
link /sys/devices/pci0000:00/0000:00:1d.0/nvme/nvme2/${disk}
disk ${disk}
serial nvme0n1 vol0aaaaaaaaaaaaaaaa
serial nvme1n1 vol0bbbbbbbbbbbbbbbb
serial nvme2n1 ${ours}
wrote ${WROTE}
counter nvme0n1 1000 1016
counter nvme1n1 5000 5000
counter nvme2n1 70000 ${70000 + (disk === 'nvme2n1' ? rose : 0)}
`;
const mapped = (volumeId: string | null, text: string, why: string | null = null) =>
  mapDevice(claimed(volumeId, why), parseDeviceReading(text));

describe('mapDevice', () => {
  it('verifies each of three nodes that all call their data volume nvme2n1', () => {
    for (const digit of ['1', '2', '3']) {
      const id = `0${digit.repeat(16)}`;
      const mapping = mapped(`vol-${id}`, eks(`vol${id}  `));
      expect(mapping).toMatchObject({
        result: 'verified',
        device: 'nvme2n1',
        partition: null,
        serial: `vol${id}`,
        fileSystem: 'ext4',
      });
      expect(mapping.seen).toContain(`vol-${id} is nvme2n1`);
    }
  });

  it('counts the whole disk of a partition, whose serial it has', () => {
    const text = eks('vol0cccccccccccccccc').replace('disk nvme2n1', 'partition nvme2n1p1\ndisk nvme2n1');
    expect(mapped('vol-0cccccccccccccccc', text)).toMatchObject({
      result: 'verified',
      device: 'nvme2n1',
      partition: 'nvme2n1p1',
    });
  });

  it('looks below a mapped device that lies on one disk, and not below one that lies on several', () => {
    const dm = (under: string) => eks('vol0cccccccccccccccc').replace('disk nvme2n1', `disk dm-0\n${under}`);
    expect(mapped('vol-0cccccccccccccccc', dm('under nvme2n1'))).toMatchObject({
      result: 'verified',
      device: 'nvme2n1',
    });
    expect(mapped('vol-0cccccccccccccccc', dm('under nvme1n1\nunder nvme2n1'))).toMatchObject({
      device: 'dm-0',
      result: 'mismatch',
    });
  });

  it('refuses a disk that says it is another volume', () => {
    const mapping = mapped('vol-0cccccccccccccccc', eks('vol0dddddddddddddddd'));
    expect(mapping.result).toBe('mismatch');
    expect(mapping.seen).toBe(
      'the claim is bound to vol-0cccccccccccccccc, but the data lies on nvme2n1, which is vol-0dddddddddddddddd',
    );
  });

  it('refuses data that lies on another disk than the one with the volume’s serial', () => {
    const text = eks('vol0cccccccccccccccc', 'nvme3n1');
    expect(mapped('vol-0cccccccccccccccc', text)).toMatchObject({
      result: 'mismatch',
      seen: 'vol-0cccccccccccccccc is nvme2n1 on this node, but the data lies on nvme3n1',
    });
  });

  it('refuses a disk whose counter does not move with what is written there', () => {
    const mapping = mapped('vol-0cccccccccccccccc', eks('vol0cccccccccccccccc', 'nvme2n1', SECTORS - 1));
    expect(mapping.result).toBe('mismatch');
    expect(mapping.seen).toContain(`rose by ${SECTORS - 1} sectors`);
  });

  it.each([
    ['Xen has no serial', 'vol-0cccccccccccccccc', xen(), null, 'xvdba', /xvdba, which has no serial number/],
    [
      'PersistentVolumes may not be read',
      null,
      eks('vol0cccccccccccccccc'),
      'Assay may not read PersistentVolumes',
      'nvme2n1',
      /nvme2n1; Assay may not read/,
    ],
    [
      'there is no block device',
      'vol-0cccccccccccccccc',
      'mount 0:48 overlay overlay\nproblem the kernel knows no block device 0:48\n',
      null,
      null,
      /no block device 0:48 \(the data lies on overlay\)/,
    ],
    [
      'nothing can be written',
      'vol-0cccccccccccccccc',
      eks('vol0cccccccccccccccc').replace(
        `wrote ${WROTE}`,
        'problem nothing could be written to /data: full',
      ),
      null,
      'nvme2n1',
      /could not be tried: nothing could be written/,
    ],
    ['the script said nothing', 'vol-0cccccccccccccccc', '', null, null, /no block device under the data/],
  ])('leaves it unverified where %s', (_, volumeId, text, why, device, seen) => {
    const mapping = mapped(volumeId, text, why);
    expect(mapping).toMatchObject({ result: 'unverified', device });
    expect(mapping.seen).toMatch(seen);
  });
});

function xen(): string {
  return `mount 202:6656 ext4 /dev/xvdba
link /sys/devices/vbd-268439040/block/xvdba
disk xvdba
wrote ${WROTE}
counter xvda 1000 1016
counter xvdba 5000 ${5000 + SECTORS}
`;
}

describe('ebsVolumeId', () => {
  it.each([
    [{ csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-0123456789abcdef0' } }, 'vol-0123456789abcdef0'],
    [{ csi: { driver: 'efs.csi.aws.com', volumeHandle: 'vol-0123456789abcdef0' } }, null],
    [
      { awsElasticBlockStore: { volumeID: 'aws://ap-northeast-2b/vol-0123456789abcdef0' } },
      'vol-0123456789abcdef0',
    ],
    [{ awsElasticBlockStore: { volumeID: 'vol-12345678' } }, 'vol-12345678'],
    [{}, null],
    [undefined, null],
  ])('%j', (spec, id) => {
    expect(ebsVolumeId(spec)).toBe(id);
  });

  it('reads serials with and without a dash, padded or not, and nothing else', () => {
    expect(volumeIdIn('vol0123456789ABCDEF0   ')).toBe('vol-0123456789abcdef0');
    expect(volumeIdIn('AWS22E7A6D1B7B4C1C83')).toBeNull();
    expect(volumeIdIn('vol-')).toBeNull();
  });
});

const root = mkdtempSync(join(tmpdir(), 'assay-device-'));
afterAll(() => rmSync(root, { recursive: true }));
const SCRIPT = readFileSync(new URL('../../../src/lab/kubernetes/device-look.sh', import.meta.url), 'utf8');
const run = (...args: string[]) =>
  execFileSync('bash', ['-c', SCRIPT, 'device-look', ...args], { encoding: 'utf8' });

/** A sysfs of a node whose data is on a partition of nvme2n1; its counters stand still. */
function sysfs(): string {
  const sys = join(root, 'sys');
  const file = (path: string, text: string) => {
    mkdirSync(dirname(join(sys, path)), { recursive: true });
    writeFileSync(join(sys, path), text);
  };
  const disk = (name: string, serial: string) => {
    file(`devices/pci/${name}/stat`, '    1 0 8 0   55  0 4400 0 0 0 0 0 0 0 0 0 0\n');
    file(`devices/pci/${name}/device/serial`, `${serial}\n`);
    mkdirSync(join(sys, 'block'), { recursive: true });
    symlinkSync(join(sys, 'devices/pci', name), join(sys, 'block', name));
  };
  disk('nvme0n1', 'vol0aaaaaaaaaaaaaaaa');
  disk('nvme2n1', 'vol0cccccccccccccccc   ');
  file('devices/pci/nvme2n1/nvme2n1p1/partition', '1\n');
  mkdirSync(join(sys, 'dev/block'), { recursive: true });
  symlinkSync(join(sys, 'devices/pci/nvme2n1/nvme2n1p1'), join(sys, 'dev/block/259:7'));
  return sys;
}

describe('device-look.sh', () => {
  it('follows the mount that holds the path, through links and partitions, to the disk and its serial', () => {
    const data = join(root, 'data dir');
    mkdirSync(data);
    const mounts = join(root, 'mountinfo');
    const escaped = data.replace(' ', '\\040');
    writeFileSync(
      mounts,
      `21 1 259:1 / / rw,noatime - xfs /dev/nvme0n1p1 rw
30 21 0:5 / ${root}/dat rw - tmpfs tmpfs rw
31 21 259:7 /sub ${escaped} rw,relatime shared:1 - ext4 /dev/nvme2n1p1 rw
32 21 0:9 / ${escaped}/kafka/deeper rw - tmpfs tmpfs rw
`,
    );
    const reading = parseDeviceReading(run(data, String(WROTE), sysfs(), mounts));
    expect(reading).toMatchObject({
      mount: { number: '259:7', type: 'ext4', source: '/dev/nvme2n1p1' },
      disk: 'nvme2n1',
      partition: 'nvme2n1p1',
      under: [],
      serials: { nvme0n1: 'vol0aaaaaaaaaaaaaaaa', nvme2n1: 'vol0cccccccccccccccc' },
      counters: { nvme0n1: [4400, 4400], nvme2n1: [4400, 4400] },
      wroteBytes: WROTE,
      problems: [],
    });
    // this sysfs stands still: exactly what the counter is tried for
    expect(mapDevice(claimed('vol-0cccccccccccccccc'), reading).result).toBe('mismatch');
  });

  it('leaves nothing behind, writes nothing when asked for nothing, and runs on this very machine', () => {
    const reading = parseDeviceReading(run(root, '0'));
    expect(reading.mount).not.toBeNull();
    expect(reading.wroteBytes).toBe(0);
    run(root, '65536');
    expect(execFileSync('ls', ['-A', root], { encoding: 'utf8' })).not.toContain('.assay-device-check');
  });

  it('says so when the data cannot be written to, and when no device is known', () => {
    const missing = parseDeviceReading(run('/proc/assay-nothing', '65536', join(root, 'no-sys')));
    expect(missing.disk).toBeNull();
    expect(missing.problems[0]).toMatch(/knows no block device/);
  });
});
