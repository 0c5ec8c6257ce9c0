import { readdirSync, readFileSync } from 'node:fs';

/**
 * CPU time that the living processes of a session have used, in ns, by the kernel's own clock (its ticks of 10 ms are
 * too coarse for something that uses one in a thousand).
 *
 * @throws Error where the kernel keeps no such clock.
 */
export function sessionCpuNs(session: number): number {
  return sessionPids(session).reduce((sum, pid) => sum + schedCpuNs(`/proc/${pid}/schedstat`), 0);
}

/** The living processes of a session. */
export function sessionPids(session: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && sessionOf(name) === session);
  return pids.map(Number);
}

/**
 * CPU time of all threads of a process, in ns; each look sees what was used since the last one, but for that of threads
 * that ended in between. A thread that ended keeps what it was last seen with.
 */
export function threadsClock(pid: number): () => number {
  const seen = new Map<string, number>();
  return () => {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const ns = schedCpuNs(`/proc/${pid}/task/${thread}/schedstat`);
      seen.set(thread, Math.max(ns, seen.get(thread) ?? 0));
    }
    return seen.values().reduce((sum, ns) => sum + ns, 0);
  };
}

function sessionOf(pid: string): number | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // state ppid pgrp session, behind a name that may hold anything
  return Number(stat.slice(stat.lastIndexOf(') ') + 2).split(' ')[3]);
}

function schedCpuNs(file: string): number {
  const text = readOrNull(file);
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
