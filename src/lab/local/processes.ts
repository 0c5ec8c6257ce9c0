import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A process that cannot be mistaken for another one with a recycled pid. */
export interface ProcessId {
  readonly pid: number;
  /** Field 22 of /proc/PID/stat: clock ticks since boot at its start. */
  readonly startTicks: number;
}

/** The kernel's id of this boot; pids and start ticks mean nothing across boots. */
export function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

/** Start ticks of a living process; null when it is gone or a zombie (design §4: dead is stat absent, or state Z or X). */
export function startTicks(pid: number): number | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
  // the command name may hold spaces and brackets: fields are counted from its last closing one
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? null : Number(fields[19]);
}

/** Whether exactly this process still lives. */
export function isAlive(id: ProcessId): boolean {
  return startTicks(id.pid) === id.startTicks;
}

/** A process that carries the mark of a lab. */
export interface MarkedProcess extends ProcessId {
  /** Ours to end: same user, and its environment carries the mark. */
  readonly ours: boolean;
  readonly command: string;
}

/** Name of the environment variable that every process of a lab carries; its value is the lab's folder. */
export const LAB_MARK = 'ASSAY_LAB';

/** Every living process of the lab in this folder: by mark, by working folder, by a command line that names the folder. */
export function processesOfLab(folder: string): readonly MarkedProcess[] {
  const found: MarkedProcess[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    const marked = inspectProcess(Number(entry), folder);
    if (marked !== null) found.push(marked);
  }
  return found;
}

/** Every living process of this machine that carries the mark of any lab (of processes that may be looked at). */
export function processesOfLabs(): readonly (MarkedProcess & { readonly labFolder: string })[] {
  const folders = new Set<string>();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) continue;
    const mark = readProc(Number(entry), 'environ')
      .split('\0')
      .find((e) => e.startsWith(`${LAB_MARK}=`));
    if (mark !== undefined) folders.add(mark.slice(LAB_MARK.length + 1));
  }
  return [...folders].flatMap((labFolder) => processesOfLab(labFolder).map((p) => ({ ...p, labFolder })));
}

function inspectProcess(pid: number, folder: string): MarkedProcess | null {
  const ticks = startTicks(pid);
  if (ticks === null) return null;
  const command = readProc(pid, 'cmdline').split('\0').join(' ').trim();
  const environment = readProc(pid, 'environ').split('\0');
  const named = `${command} `.includes(`${folder}/`);
  // the runner of a capsule carries its token, not the mark; which lab it serves stands in its command line
  const marked =
    environment.includes(`${LAB_MARK}=${folder}`) ||
    (named && environment.some((e) => e.startsWith('ASSAY_CAPSULE=')));
  // a shell of the user that stands in the folder is a leak to name, but never ours to end
  if (!marked && !named && !isBelow(workingFolder(pid), folder)) return null;
  return { pid, startTicks: ticks, ours: marked && ownedByMe(pid), command: command.slice(0, 160) };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).replace(/ \(deleted\)$/, '');
  } catch {
    return '';
  }
}

function ownedByMe(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false;
  }
}

/**
 * Ends every process of the lab that is provably ours, and waits until they are dead. Returns who is left: processes
 * of other users or without the mark. Used after the capsules were killed by name, and before an expired lease is taken.
 */
export async function endProcessesOfLab(folder: string, limitMs = 10_000): Promise<readonly MarkedProcess[]> {
  const until = Date.now() + limitMs;
  for (;;) {
    const left = processesOfLab(folder);
    const ours = left.filter((p) => p.ours);
    if (ours.length === 0 || Date.now() > until) return left;
    for (const one of ours) {
      if (!isAlive(one)) continue;
      try {
        process.kill(one.pid, 'SIGKILL');
      } catch {
        // it ended in between
      }
    }
    await delay(50);
  }
}
