import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Plan } from '../../design/plan.ts';
import type { Home } from '../../lab/home.ts';
import { blockDeviceOf } from '../../lab/local/block-device.ts';
import { allowedCores, formatCores, willPin } from '../../lab/local/pinning.ts';
import { portRange } from '../../lab/local/ports.ts';
import { readMachine } from '../../lab/local/preflight.ts';
import { isPortFree } from '../../temporal/health.ts';
import { bytesText } from '../words.ts';
import { type Check, fail, look, ok, warn } from './check.ts';

/** The machine itself: where things are written, what it has, and which of its counters can be read. */
export async function machineChecks(home: Home, plan: Plan): Promise<Check[]> {
  const readings = readMachine(home);
  return await Promise.all([
    look('home', () => homeCheck(home)),
    look('disk', () => diskCheck(home, plan, readings.freeDiskBytes)),
    look('memory', () => ok('memory', `${bytesText(readings.availableMemoryBytes)} available`)),
    look('cores', () => coresCheck(allowedCores(), plan.lab.pin)),
    look('dirty pages', () => dirtyCheck((name) => readText(`/proc/sys/vm/${name}`))),
    look('counters', () => countersCheck(existsSync)),
    look('clock', clockCheck),
    look('loopback', loopbackCheck),
    look('ports', () => portsCheck(plan.lab.brokers.count * 2)),
  ]);
}

function homeCheck(home: Home): Check {
  let folder = home.root;
  while (!existsSync(folder)) folder = dirname(folder);
  const fix = 'Name a home that you can write with ASSAY_HOME (by default it is below ~/.local/state).';
  if (!statSync(folder).isDirectory()) return fail('home', `${home.root}: ${folder} is a file.`, fix);
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return fail('home', `${home.root} cannot be written: ${folder} refuses (${code}).`, fix);
  }
  return ok('home', folder === home.root ? home.root : `${home.root}, made by the first run`);
}

/** statfs types of file systems that are memory. */
const MEMORY_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs'],
  [0x858458f6, 'ramfs'],
]);

function diskCheck(home: Home, plan: Plan, freeBytes: number): Check {
  let folder = home.root;
  while (!existsSync(folder)) folder = dirname(folder);
  const memory = MEMORY_FILE_SYSTEMS.get(statfsSync(folder).type);
  if (memory !== undefined)
    return warn(
      'disk',
      `${home.root} is on ${memory}: brokers would write to memory, not to a disk.`,
      'Set ASSAY_HOME to a folder on a disk.',
    );
  const device = blockDeviceOf(folder);
  const needed = bytesText(plan.estimates.peakDiskBytes);
  const free = `${bytesText(freeBytes)} free (the default lab needs up to ${needed} at one time)`;
  if (device === null)
    return warn(
      'disk',
      `${free}, on a file system without a block device of its own (overlay, network, btrfs): what the disk does is unknown.`,
      'Set ASSAY_HOME to a folder on a local disk with ext4 or xfs to get device counters; without, reports say "unknown".',
    );
  return ok('disk', `${free}, on ${device.partition ?? device.device}${device.mapped ? ' (mapped)' : ''}`);
}

/** Pure. */
export function coresCheck(cores: readonly number[], pin: boolean | 'auto'): Check {
  const which = `${cores.length} (${formatCores([...cores].sort((a, b) => a - b))})`;
  if (cores.length === 1)
    return warn(
      'cores',
      `${which}: brokers and clients share one core, and rates are mostly about it.`,
      'Use a machine with two cores or more, better four.',
    );
  const shared = 'brokers and clients share them, and the report says so';
  return ok('cores', `${which}; ${willPin(cores, pin) ? 'brokers and clients are pinned apart' : shared}`);
}

/** The kernel's limits for dirty memory, by the names below /proc/sys/vm. Pure. */
export function dirtyCheck(read: (name: string) => string): Check {
  const [bytes, backgroundBytes] = [Number(read('dirty_bytes')), Number(read('dirty_background_bytes'))];
  const [ratio, background] = [Number(read('dirty_ratio')), Number(read('dirty_background_ratio'))];
  const hard = bytes > 0 ? bytesText(bytes) : `${ratio} % of memory`;
  const soft = backgroundBytes > 0 ? bytesText(backgroundBytes) : `${background} %`;
  const says = `written back in the background from ${soft}, writers are held up from ${hard}`;
  if (bytes > 0 && bytes < 128 * 1024 ** 2)
    return warn(
      'dirty pages',
      `${says}: brokers are held up by the disk almost at once.`,
      'sysctl -w vm.dirty_bytes=0 vm.dirty_ratio=20 brings the default back.',
    );
  if (bytes === 0 && ratio > 40)
    return warn(
      'dirty pages',
      `${says}: a load may end before anything reaches the disk.`,
      'sysctl -w vm.dirty_ratio=20 vm.dirty_background_ratio=10 brings the default back; or settle with method: sync.',
    );
  return ok('dirty pages', says);
}

/** Without these nothing can be measured; the others only leave an "unknown". */
const NEEDED = ['/proc/stat', '/proc/meminfo', '/proc/uptime', '/proc/self/stat'];

/** Pure but for `exists`. */
export function countersCheck(exists: (path: string) => boolean): Check {
  const missing = NEEDED.filter((path) => !exists(path));
  if (missing.length > 0)
    return fail(
      'counters',
      `${missing.join(', ')} cannot be read.`,
      'Mount /proc; in a container do not mask it.',
    );
  const psi = exists('/proc/pressure/cpu') && exists('/proc/pressure/io');
  const cgroup2 = exists('/sys/fs/cgroup/cgroup.controllers');
  const unknown = [...(psi ? [] : ['pressure (PSI)']), ...(cgroup2 ? [] : ['cgroup v2 (throttling)'])];
  if (unknown.length === 0) return ok('counters', '/proc, PSI and cgroup v2 can be read');
  const fixes = [
    ...(psi ? [] : ['boot with psi=1']),
    ...(cgroup2 ? [] : ['boot with systemd.unified_cgroup_hierarchy=1']),
  ];
  return warn(
    'counters',
    `/proc can be read; not there: ${unknown.join(', ')}. Reports say "unknown" of it, and nothing is voided.`,
    `To have them: ${fixes.join(', ')}.`,
  );
}

const CLOCK_LOOK_MS = 200;
/** As the sampler judges: more is a step, not noise. */
const CLOCK_STEP_MS = 30;

async function clockCheck(): Promise<Check> {
  const source = readText('/sys/devices/system/clocksource/clocksource0/current_clocksource').trim();
  const [wall, steady] = [Date.now(), performance.now()];
  await sleep(CLOCK_LOOK_MS);
  const apart = Math.abs(Date.now() - wall - (performance.now() - steady));
  if (apart > CLOCK_STEP_MS)
    return warn(
      'clock',
      `the wall clock moved ${Math.round(apart)} ms against the steady one within ${CLOCK_LOOK_MS} ms.`,
      'Let chrony or systemd-timesyncd slew it; trials with a step in their window are flagged.',
    );
  if (['hpet', 'acpi_pm', 'jiffies', 'refined-jiffies'].includes(source))
    return warn(
      'clock',
      `the clock source is ${source}: reading the time is slow, for brokers and clients too.`,
      'See /sys/devices/system/clocksource/clocksource0/available_clocksource; tsc or kvm-clock is fast.',
    );
  return ok('clock', `steady${source === '' ? '' : `, from ${source}`}`);
}

/** A connection over 127.0.0.1, as between clients and brokers. */
function loopbackCheck(): Promise<Check> {
  const fix = 'Bring it up: ip link set lo up; and let nothing filter 127.0.0.1.';
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.end());
    const finish = (check: Check) => {
      clearTimeout(timer);
      server.close();
      resolve(check);
    };
    const bad = (why: string) => finish(fail('loopback', `127.0.0.1 does not work: ${why}.`, fix));
    const timer = setTimeout(() => bad('no answer within 2 s'), 2_000);
    server.once('error', (error) => bad(error.message));
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      const socket = connect({ host: '127.0.0.1', port });
      socket.once('error', (error) => bad(error.message));
      socket.once('connect', () => {
        socket.destroy();
        finish(ok('loopback', '127.0.0.1 connects'));
      });
    });
  });
}

/** Knocks instead of binding: a bind, however short, could make the start of somebody's broker fail. */
async function portsCheck(count: number): Promise<Check> {
  const range = portRange();
  const free: number[] = [];
  for (let port = range.from; port < range.to && free.length < count; port++) {
    if (await isPortFree('127.0.0.1', port)) free.push(port);
  }
  if (free.length === count)
    return ok('ports', `${count} ports for brokers are free on 127.0.0.1, from ${free[0]} on`);
  return fail(
    'ports',
    `the default lab needs ${count} free ports on 127.0.0.1 between ${range.from} and ${range.to - 1}; ${free.length} are free.`,
    'End what listens there (ss -ltn shows it), or other labs of this machine (assay down).',
  );
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
