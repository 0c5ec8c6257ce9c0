import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { InfrastructureError } from '../errors.ts';
import { bootId, isAlive, startTicks } from './processes.ts';

/**
 * A lock in the file system that survives the death of its holder and needs no right to delete what others made.
 *
 * Generations: `name.7` is linked (atomic, fails if present, never empty) by whoever found the highest generation
 * free, that is released or its owner dead. The highest is never deleted, so after linking one looks again: is there
 * a higher one, the list was old and one has lost. Removing a stale lock file, the usual way, lets two waiters
 * each remove the other's fresh lock.
 */
interface Owner {
  readonly pid: number;
  readonly startTicks: number;
  readonly bootId: string;
  /** Tells two holds of one process apart. */
  readonly id: string;
}

const HELD_MODE = 0o644;
const RELEASED_MODE = 0o444;
/** Generations that are kept below the highest, so that a listing which races with two takers cannot miss all of them. */
const KEPT = 4;

/** Makes a folder that all users of the machine can put files into (sticky: nobody can take another's away). */
export function ensureSharedFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const stat = lstatSync(folder);
  if (!stat.isDirectory()) {
    throw new InfrastructureError(
      'machine-folder',
      `${folder} is not a folder.`,
      `Remove ${folder} and try again.`,
    );
  }
  if (stat.uid === process.getuid?.() && (stat.mode & 0o1777) !== 0o1777) chmodSync(folder, 0o1777);
}

/** Runs `work` while holding the lock; waits for the holder first, as long as it lives, at most `limitMs`. */
export async function withFileLock<T>(
  path: string,
  limitMs: number,
  work: () => Promise<T> | T,
  onWait?: () => void,
): Promise<T> {
  const until = Date.now() + limitMs;
  let waited = false;
  for (;;) {
    const held = tryLock(path);
    if (held !== null) {
      try {
        return await work();
      } finally {
        // a mode bit, not a file: a full disk must not keep the lock
        chmodSync(held, RELEASED_MODE);
      }
    }
    if (!waited) onWait?.();
    waited = true;
    if (Date.now() > until) {
      throw new InfrastructureError(
        'lock-held',
        `${path} is locked by ${describeOwner(path)} for more than ${Math.round(limitMs / 1000)} s.`,
        'Wait for that process, or end it.',
      );
    }
    await delay(20 + (process.pid % 10));
  }
}

/** Path of the generation that is now ours, or null when somebody living holds the lock. */
function tryLock(path: string): string | null {
  const highest = highestGeneration(path);
  if (highest > 0 && isHeld(`${path}.${highest}`)) return null;
  const mine = `${path}.${highest + 1}`;
  const draft = `${path}.draft-${process.pid}-${randomUUID()}`;
  const owner: Owner = {
    pid: process.pid,
    startTicks: startTicks(process.pid) ?? 0,
    bootId: bootId(),
    id: randomUUID(),
  };
  writeFileSync(draft, JSON.stringify(owner));
  chmodSync(draft, HELD_MODE); // whatever the umask: other users must be able to read who holds it
  try {
    linkSync(draft, mine);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  if (highestGeneration(path) !== highest + 1) {
    rmSync(mine, { force: true });
    return null;
  }
  removeOlder(path, highest + 1);
  return mine;
}

/** Numbers of the generations that exist. */
function generations(path: string): readonly number[] {
  const prefix = `${basename(path)}.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)));
}

function highestGeneration(path: string): number {
  return Math.max(0, ...generations(path));
}

function isHeld(file: string): boolean {
  try {
    if ((statSync(file).mode & 0o777) === RELEASED_MODE) return false;
    const owner = JSON.parse(readFileSync(file, 'utf8')) as Owner;
    return owner.bootId === bootId() && isAlive(owner);
  } catch (error) {
    // cut short by a power loss: its owner is dead. Gone: a newer one exists. Anything else: rather wait than share.
    return !(error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT');
  }
}

function readOwner(file: string): Owner | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch {
    return null;
  }
}

function describeOwner(path: string): string {
  const owner = readOwner(join(dirname(path), `${basename(path)}.${highestGeneration(path)}`));
  return owner === null ? 'somebody' : `process ${owner.pid}`;
}

/** Only the holder tidies, and only below itself; files of other users in a sticky folder stay, which is harmless. */
function removeOlder(path: string, current: number): void {
  for (const n of generations(path)) {
    if (n >= current - KEPT) continue;
    try {
      rmSync(`${path}.${n}`, { force: true });
    } catch {
      // another user's
    }
  }
}
