import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import type { Plan } from '../../design/plan.ts';
import { InfrastructureError } from '../errors.ts';
import { readClientProperties } from '../existing/client-properties.ts';
import type { Home } from '../home.ts';
import { findJava, findMaven, findProgram } from './java.ts';
import { kafkaFromHome, needsMaven } from './kafka-install.ts';
import { allowedCores, willPin } from './pinning.ts';

const run = promisify(execFile);

/** One thing that keeps this machine from running the plan, with what to do about it. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly fix: string;
}

/** What is read from the machine; a test gives its own. */
export interface MachineReadings {
  readonly platform: string;
  readonly freeDiskBytes: number;
  readonly availableMemoryBytes: number;
  /** Hard limit; the JVM raises the soft one itself. */
  readonly openFiles: number;
  readonly maxMapCount: number;
}

const MIB = 1024 ** 2;
/** What a JVM takes beyond its heap: broker and client as measured on 4.3.1. */
const BROKER_OVERHEAD_BYTES = 250 * MIB;
const CLIENT_OVERHEAD_BYTES = 150 * MIB;
const DISK_RESERVE_BYTES = 512 * MIB;

/** Everything that is missing on this machine for the plan, all at once; empty = go. Starts nothing. */
export async function preflight(
  home: Home,
  plan: Plan,
  env: NodeJS.ProcessEnv = process.env,
  readings = readMachine(home),
): Promise<readonly Problem[]> {
  if (readings.platform !== 'linux') {
    return [
      {
        code: 'linux',
        message: `A local lab needs Linux; this is ${readings.platform}.`,
        fix: 'Run Assay on a Linux machine, or with lab.target: kubernetes.',
      },
    ];
  }
  const version = plan.lab.brokers.kafka;
  const found = await Promise.all([
    ask(() => findJava(env)),
    ask(() => kafkaFromHome(version, env)),
    ask(() => (needsMaven(home, version, env) ? findMaven(env) : undefined)),
    ask(() => requireBash(env)),
    ask(() => requireAwk(env)),
    ask(() => requireTaskset(plan, env)),
    ask(() => requirePlainPath(home)),
    ask(() => requireClientProperties(plan)),
  ]);
  return [
    ...found,
    disk(home, plan, readings),
    memory(plan, readings),
    ...(plan.lab.brokers.count === 0 ? [] : [openFiles(plan, readings), maps(plan, readings)]),
  ]
    .filter((p) => p !== null)
    .filter(firstOfItsKind);
}

/** Two programs may fail for one reason: it is said once. */
function firstOfItsKind(problem: Problem, index: number, all: readonly Problem[]): boolean {
  return all.findIndex((other) => other.message === problem.message) === index;
}

async function ask(check: () => unknown): Promise<Problem | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (!(error instanceof InfrastructureError)) throw error;
    return { code: error.code, message: error.message, fix: error.fix };
  }
}

async function requireBash(env: NodeJS.ProcessEnv): Promise<void> {
  const fix = 'Install bash 5 or newer (any Linux distribution since 2019 has it).';
  const path = findProgram('bash', env);
  if (path === null)
    throw new InfrastructureError(
      'bash-missing',
      'bash 5 or newer is needed to run loads; none was found on the PATH.',
      fix,
    );
  const { stdout } = await run(path, ['-c', 'echo "$BASH_VERSION"'], { env, timeout: 10_000 });
  if (Number.parseInt(stdout, 10) < 5)
    throw new InfrastructureError(
      'bash-too-old',
      `bash 5 or newer is needed to run loads; found ${stdout.trim()} at ${path}.`,
      fix,
    );
}

function requireAwk(env: NodeJS.ProcessEnv): void {
  if (findProgram('awk', env) !== null) return;
  throw new InfrastructureError(
    'awk-missing',
    'awk is needed to sample the machine; none was found on the PATH.',
    'Install any awk: mawk, gawk or busybox.',
  );
}

function requireTaskset(plan: Plan, env: NodeJS.ProcessEnv): void {
  if (!willPin(allowedCores(), plan.lab.pin) || findProgram('taskset', env) !== null) return;
  throw new InfrastructureError(
    'taskset-missing',
    'taskset is needed to keep brokers and clients on different cores; none was found on the PATH.',
    'Install util-linux, or set lab.pin: false (the report then says that they share cores).',
  );
}

/** Class paths split at colons, log.dirs at commas. */
function requirePlainPath(home: Home): void {
  if (!/[:,\n*]/.test(home.root)) return;
  throw new InfrastructureError(
    'home-path',
    `Assay's home is ${home.root}; Java and Kafka cannot use a path with a colon, comma, asterisk or line break.`,
    'Set ASSAY_HOME to another folder.',
  );
}

/** The file that the tools of an existing cluster connect by. */
function requireClientProperties({ lab: { existing } }: Plan): void {
  if (existing?.clientProperties != null) readClientProperties(existing.clientProperties);
}

function disk(home: Home, plan: Plan, readings: MachineReadings): Problem | null {
  // What is sent to somebody's cluster lies there.
  const laidBytes = plan.lab.existing === undefined ? plan.estimates.peakDiskBytes : 0;
  const needed = laidBytes + DISK_RESERVE_BYTES;
  if (readings.freeDiskBytes >= needed) return null;
  const message = `The plan lays up to ${gib(laidBytes)} on disk at one time and ${gib(DISK_RESERVE_BYTES)} must stay free; ${home.root} has ${gib(readings.freeDiskBytes)}.`;
  return {
    code: 'disk-too-small',
    message,
    fix: 'Free some space, set ASSAY_HOME to a larger disk, or ask for fewer records or a shorter time.',
  };
}

function memory(plan: Plan, readings: MachineReadings): Problem | null {
  const { brokers, clients } = plan.lab;
  const loads = Math.max(1, ...plan.scenarios.map((s) => s.loads.length));
  const needed =
    brokers.count * (brokers.heapBytes + BROKER_OVERHEAD_BYTES) +
    loads * (clients.heapBytes + CLIENT_OVERHEAD_BYTES);
  if (readings.availableMemoryBytes >= needed) return null;
  const ofBrokers = brokers.count === 0 ? '' : `${brokers.count} brokers and `;
  const message = `${ofBrokers}${loads} client${loads === 1 ? '' : 's'} need about ${gib(needed)} of memory; ${gib(readings.availableMemoryBytes)} are available.`;
  return {
    code: 'memory-too-small',
    message,
    fix: `End other programs, or lower ${brokers.count === 0 ? '' : 'lab.brokers.heap or '}lab.clients.heap.`,
  };
}

/** Replicas on one broker in the scenario that has most. */
function replicasPerBroker(plan: Plan): number {
  const totals = plan.scenarios.map((s) =>
    s.topics.reduce((sum, t) => sum + t.partitions * t.replication, 0),
  );
  return Math.ceil(Math.max(0, ...totals) / plan.lab.brokers.count);
}

function openFiles(plan: Plan, readings: MachineReadings): Problem | null {
  // three files a segment, two segments a replica; jars, sockets and the JVM's own beside them
  const needed = 1024 + replicasPerBroker(plan) * 6;
  if (readings.openFiles >= needed) return null;
  return {
    code: 'open-files',
    message: `A broker needs up to ${needed} open files; the limit is ${readings.openFiles}.`,
    fix: `Raise it: ulimit -Hn ${needed} (or /etc/security/limits.conf).`,
  };
}

function maps(plan: Plan, readings: MachineReadings): Problem | null {
  // each segment maps two index files
  const needed = 2000 + replicasPerBroker(plan) * 4;
  if (readings.maxMapCount >= needed) return null;
  return {
    code: 'map-count',
    message: `A broker needs up to ${needed} memory maps; vm.max_map_count is ${readings.maxMapCount}.`,
    fix: `Raise it: sysctl -w vm.max_map_count=${Math.max(needed, 65_530)}.`,
  };
}

/** The readings of this machine; a limit that cannot be read counts as large enough. */
export function readMachine(home: Home): MachineReadings {
  let folder = home.root;
  while (!existsSync(folder)) folder = dirname(folder);
  const stat = statfsSync(folder);
  const limit = /^Max open files\s+\S+\s+(\S+)/m.exec(readText('/proc/self/limits'))?.[1];
  const maxMapCount = Number.parseInt(readText('/proc/sys/vm/max_map_count'), 10);
  return {
    platform: process.platform,
    freeDiskBytes: stat.bavail * stat.bsize,
    availableMemoryBytes: availableMemory(),
    openFiles: limit === undefined || limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit),
    maxMapCount: Number.isNaN(maxMapCount) ? Number.POSITIVE_INFINITY : maxMapCount,
  };
}

/** What the kernel would give without swapping, or less where a container's limit is nearer. */
function availableMemory(): number {
  const kib = /^MemAvailable:\s+(\d+) kB/m.exec(readText('/proc/meminfo'))?.[1];
  const machine = kib === undefined ? Number.POSITIVE_INFINITY : Number(kib) * 1024;
  const limit = Number.parseInt(readText('/sys/fs/cgroup/memory.max'), 10);
  const used = Number.parseInt(readText('/sys/fs/cgroup/memory.current'), 10);
  return Number.isNaN(limit) || Number.isNaN(used) ? machine : Math.min(machine, limit - used);
}

function gib(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
