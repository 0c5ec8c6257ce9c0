import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Names one process for good: a pid alone is used again, and a boot makes all of them anew. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat. */
  readonly startTicks: number;
  readonly bootId: string;
}

/** The boot id of this machine. */
export function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function stat(pid: number): { state: string; startTicks: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may hold spaces and brackets: fields are counted from the last one.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0] ?? 'X', startTicks: Number(fields[19]) };
  } catch {
    return null;
  }
}

/** Identity of a live process; null when there is none. */
export function identityOf(pid: number): ProcessIdentity | null {
  const seen = stat(pid);
  return seen === null ? null : { pid, startTicks: seen.startTicks, bootId: bootId() };
}

/** Dead means: another boot, no /proc/PID/stat, state Z or X, or another start time. `kill -0` calls zombies alive. */
export function isAlive(identity: ProcessIdentity): boolean {
  if (identity.bootId !== bootId()) return false;
  const seen = stat(identity.pid);
  return seen !== null && seen.state !== 'Z' && seen.state !== 'X' && seen.startTicks === identity.startTicks;
}

/** Waits until the process is dead; false when it still lives after the time. */
export async function waitDead(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const end = Date.now() + timeoutMs;
  while (isAlive(identity)) {
    if (Date.now() >= end) return false;
    await sleep(50);
  }
  return true;
}

/** Signals the process's group, which it leads; a group that has just ended is no error. */
function signalGroup(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(identity)) return;
  try {
    process.kill(-identity.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Asks a group leader to end (SIGTERM), kills it after the grace, and returns when it is proven dead. */
export async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<void> {
  signalGroup(identity, 'SIGTERM');
  // A stopped process handles nothing until it is continued.
  signalGroup(identity, 'SIGCONT');
  if (await waitDead(identity, graceMs)) return;
  signalGroup(identity, 'SIGKILL');
  if (await waitDead(identity, 10_000)) return;
  throw new Error(`process ${identity.pid} is still there 10 s after SIGKILL`);
}
