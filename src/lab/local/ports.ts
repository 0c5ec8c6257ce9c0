import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { InfrastructureError } from '../errors.ts';
import { ensureSharedFolder, withFileLock } from './file-lock.ts';

/**
 * Ports of local labs. They lie below the ephemeral range, so that no outgoing connection can sit on one while its
 * broker is down; they are written into a register of the machine before use, so that two labs which are both still
 * starting do not choose alike.
 */
interface Registration {
  readonly labFolder: string;
  readonly ports: readonly number[];
}

export interface PortRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Loopback ports from 20000 up to the kernel's ephemeral range; machines that made everything ephemeral get 20000–29999. */
export function portRange(
  ephemeral = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'),
): PortRange {
  const low = Number(ephemeral.trim().split(/\s+/)[0]);
  return low > 20_100 ? { from: 20_000, to: Math.min(low, 32_768) } : { from: 20_000, to: 30_000 };
}

/**
 * Takes `count` free ports for the lab in this folder, or returns those it holds already. The folder must exist: a
 * registration whose lab folder is gone counts as free.
 */
export async function takePorts(
  machineDir: string,
  labFolder: string,
  count: number,
  range = portRange(),
): Promise<readonly number[]> {
  const register = join(machineDir, 'ports');
  ensureSharedFolder(machineDir);
  ensureSharedFolder(register);
  return withFileLock(join(register, 'lock'), 30_000, async () => {
    const mine = readRegistration(registrationFile(register, labFolder));
    if (mine !== null && mine.ports.length === count) return mine.ports;
    const taken = takenPorts(register);
    const free: number[] = [];
    for (let port = range.from; port < range.to && free.length < count; port++) {
      if (!taken.has(port) && (await isFree(port))) free.push(port);
    }
    if (free.length < count) {
      throw new InfrastructureError(
        'no-ports',
        `The lab needs ${count} free ports on 127.0.0.1 between ${range.from} and ${range.to - 1}; ${free.length} are free.`,
        'End what listens there (ss -ltn shows it), or other labs of this machine (assay down).',
      );
    }
    writeRegistration(registrationFile(register, labFolder), { labFolder, ports: free });
    return free;
  });
}

/** The ports that the lab in this folder holds; empty = none. */
export function portsOf(machineDir: string, labFolder: string): readonly number[] {
  return readRegistration(registrationFile(join(machineDir, 'ports'), labFolder))?.ports ?? [];
}

/** Gives the lab's ports back. Idempotent. */
export function releasePorts(machineDir: string, labFolder: string): void {
  rmSync(registrationFile(join(machineDir, 'ports'), labFolder), { force: true });
}

/** Whether nobody listens on the loopback port: only binding it proves that. */
export async function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Every registered port whose lab folder still exists (or cannot be looked at: another user's home). */
function takenPorts(register: string): ReadonlySet<number> {
  const taken = new Set<number>();
  for (const name of readdirSync(register)) {
    if (!name.endsWith('.json')) continue;
    const registration = readRegistration(join(register, name));
    if (registration === null || !mayExist(registration.labFolder)) continue;
    for (const port of registration.ports) taken.add(port);
  }
  return taken;
}

function mayExist(folder: string): boolean {
  try {
    statSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

function registrationFile(register: string, labFolder: string): string {
  return join(register, `${createHash('sha256').update(labFolder).digest('hex').slice(0, 16)}.json`);
}

function readRegistration(file: string): Registration | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Registration;
  } catch {
    return null;
  }
}

function writeRegistration(file: string, registration: Registration): void {
  const draft = `${file}.draft-${process.pid}`;
  writeFileSync(draft, JSON.stringify(registration), { mode: 0o644 });
  renameSync(draft, file);
}
