import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time that the living processes of a session have used, in ns, by the kernel's own clock (its ticks of 10 ms are
 * too coarse for something that uses one in a thousand).
 *
 * @throws Error where the kernel keeps no such clock.
 */
export function sessionCpuNs(session: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && sessionOf(name) === session);
  return pids.reduce((sum, pid) => sum + threadsCpuNs(pid), 0);
}

function sessionOf(pid: string): number | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // state ppid pgrp session, behind a name that may hold anything
  return Number(stat.slice(stat.lastIndexOf(') ') + 2).split(' ')[3]);
}

function threadsCpuNs(pid: string): number {
  const text = readOrNull(`/proc/${pid}/schedstat`);
  if (text === null) return 0;
  const ns = Number(text.split(' ')[0]);
  if (!Number.isFinite(ns)) throw new Error('this kernel has no /proc/PID/schedstat');
  return ns;
}

/** A process may end between being listed and being read. */
function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
