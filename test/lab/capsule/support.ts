import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import type { CapsulePoll, CapsuleSpec, Host } from '../../../src/lab/host.ts';
import { createCapsuleHost } from '../../../src/lab/capsule/capsule-host.ts';
import { createLocalHost } from '../../../src/lab/local/local-host.ts';
import { createLocalTransport } from '../../../src/lab/local/local-transport.ts';
import type { Transport } from '../../../src/lab/transport.ts';

const roots: string[] = [];

export const SCRIPT = fileURLToPath(new URL('../../../src/lab/capsule/capsule.sh', import.meta.url));

/** A transport that can do only what every transport can: nothing is read past the script. */
export function plainTransport(env: NodeJS.ProcessEnv = process.env): Transport {
  const transport = createLocalTransport(env);
  delete transport.peek;
  return transport;
}

/** A host that asks the script for everything, as one in a pod does. */
export function scriptHost(root: string, env: NodeJS.ProcessEnv = process.env): Host {
  return createCapsuleHost({ name: 'script', root, script: SCRIPT, transport: plainTransport(env) });
}

/**
 * A host of a private folder; after each test its capsules are killed and the folder is removed. On our own tools it
 * is a local host; on others (busybox) it asks the script for everything, as in a pod.
 */
export function temporaryHost(env: NodeJS.ProcessEnv = process.env): { host: Host; root: string } {
  const root = mkdtempSync(join(tmpdir(), 'assay-capsule-'));
  roots.push(root);
  const host =
    env['PATH'] === process.env['PATH']
      ? createLocalHost({ name: 'test', root, env })
      : scriptHost(root, env);
  return { host, root };
}

afterEach(async () => {
  for (const root of roots.splice(0)) {
    const host = createLocalHost({ name: 'cleaner', root });
    for (const name of await host.list('')) await host.kill(name);
    // A failed test can leave a runner that is stopped before its claim: no kill of a capsule finds that.
    for (const pid of processesOf(root)) process.kill(pid, 'SIGKILL');
    rmSync(root, { recursive: true, force: true });
  }
});

afterAll(() => {
  if (busyboxFolder !== null) rmSync(busyboxFolder, { recursive: true, force: true });
});

/** A capsule that runs a bash text, with everything else at plain values. */
export async function capsule(
  host: Host,
  name: string,
  script: string,
  more: Partial<CapsuleSpec> = {},
): Promise<CapsuleSpec> {
  return {
    name,
    argv: ['bash', '-c', script],
    deadlineMs: 60_000,
    stdoutCapBytes: 1 << 26,
    stderrCapBytes: 1 << 20,
    stamp: false,
    identity: await host.identity(),
    ...more,
  };
}

/** Asks again until the condition holds; fails with what was seen last. */
export async function until<T>(
  ask: () => Promise<T> | T,
  holds: (value: T) => boolean,
  limitMs = 20_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    if (performance.now() > end)
      throw new Error(`still not so after ${limitMs} ms: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Both streams whole, once the capsule has exited. */
export async function finished(host: Host, name: string, limitMs = 30_000): Promise<CapsulePoll> {
  const last = await until(
    () => host.poll(name),
    (poll) => poll.state === 'exited' || poll.state === 'lost',
    limitMs,
  );
  const stdout = [last.stdout];
  const stderr = [last.stderr];
  let next = last.next;
  while (last.exit !== null && (next.stdout < last.exit.stdoutBytes || next.stderr < last.exit.stderrBytes)) {
    const poll = await host.poll(name, next);
    if (poll.next.stdout === next.stdout && poll.next.stderr === next.stderr) break;
    stdout.push(poll.stdout);
    stderr.push(poll.stderr);
    next = poll.next;
  }
  return { ...last, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), next };
}

/** The state letter of /proc/PID/stat; null when there is no such process. */
export function stateOf(pid: number): string | null {
  const stat = readOr(`/proc/${pid}/stat`);
  return stat === '' ? null : stat.charAt(stat.lastIndexOf(') ') + 2);
}

/** Lives and is no zombie. */
export function lives(pid: number): boolean {
  return !['Z', 'X', null].includes(stateOf(pid));
}

/** Start time in ticks: field 22 of /proc/PID/stat. */
export function startTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(') ') + 2).split(' ')[19]);
}

/** Live processes that were started in a capsule below the root: by their command line or their folder. */
export function processesOf(root: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => lives(pid) && readOr(`/proc/${pid}/cmdline`).includes(root));
}

function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

let busyboxFolder: string | null = null;

/** An environment whose PATH holds bash and busybox's applets, and nothing else. Installs busybox when it is missing. */
export function busyboxEnv(): NodeJS.ProcessEnv {
  if (busyboxFolder === null) {
    if (!['/bin/busybox', '/usr/bin/busybox'].some((path) => existsSync(path))) {
      execFileSync('apt-get', ['install', '-y', 'busybox-static'], { stdio: 'ignore' });
    }
    const folder = mkdtempSync(join(tmpdir(), 'assay-busybox-'));
    const busybox = ['/bin/busybox', '/usr/bin/busybox'].find((path) => existsSync(path)) ?? '';
    for (const applet of execFileSync(busybox, ['--list'], { encoding: 'utf8' }).trim().split('\n')) {
      if (applet !== 'bash') symlinkSync(busybox, join(folder, applet));
    }
    symlinkSync('/bin/bash', join(folder, 'bash'));
    busyboxFolder = folder;
  }
  return { ...process.env, PATH: busyboxFolder };
}

/** The two userlands in which every capsule must behave the same. */
export const userlands = [
  { tools: 'GNU', env: () => process.env },
  { tools: 'busybox', env: busyboxEnv },
] as const;

/** A tiny file system of its own, unmounted after the callback. Needs root: it fails without, it never skips. */
export async function onTinyDisk(kib: number, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-tiny-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]);
  try {
    mkdirSync(join(folder, 'root'));
    await use(join(folder, 'root'));
  } finally {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}
