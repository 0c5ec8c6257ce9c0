import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { ensureSharedFolder, withFileLock } from './local/file-lock.ts';
import { bootId, endProcessesOfLab, processesOfLab } from './local/processes.ts';

/** Who wants to measure on this machine. */
export interface LeaseHolder {
  readonly experimentKey: string;
  readonly workflowId: string;
  /** Its lab: whoever takes over an expired lease first sees to it that nothing of it runs. */
  readonly labFolder: string;
}

/** A lease as it lies in the machine's folder; complete or absent, never half. */
export interface Lease extends LeaseHolder {
  readonly format: 1;
  readonly sinceMs: number;
  readonly expiresAtMs: number;
  readonly bootId: string;
  readonly released: boolean;
}

export type LeaseAnswer =
  | { readonly held: true; readonly lease: Lease }
  /** Somebody else measures; `message` says who and since when, or what keeps their expired lease from being taken. */
  | { readonly held: false; readonly by: Lease; readonly message: string };

/**
 * The right to measure on this machine: one experiment at a time, whoever's home it is (design §3). It lives at a
 * place that all users share, ends by itself when it is not renewed, and means nothing after a reboot.
 */
export interface MachineLease {
  /** Takes the lease, or renews it when this experiment holds it. Never waits: the caller asks again. */
  acquire(holder: LeaseHolder): Promise<LeaseAnswer>;
  /** Extends it; false = it is not (or no longer) this experiment's: measure nothing more. */
  renew(experimentKey: string): Promise<boolean>;
  /** Gives it back; nothing happens when somebody else holds it. */
  release(experimentKey: string): Promise<void>;
  /** Who holds it now; null = free. */
  current(): Lease | null;
}

export const LEASE_TTL_MS = 10 * 60_000;
const LOCK_LIMIT_MS = 30_000;

/**
 * Leases are files `lease.<n>.json`, the highest number counts: a new holder links the next one and never has to
 * delete what another user made (the folder is sticky). All changes happen under one short lock.
 */
export function machineLease(
  machineDir: string,
  ttlMs = LEASE_TTL_MS,
  now: () => number = Date.now,
): MachineLease {
  const locked = <T>(work: () => T): Promise<T> => {
    ensureSharedFolder(machineDir);
    return withFileLock(join(machineDir, 'lease.lock'), LOCK_LIMIT_MS, work);
  };
  const isMine = (lease: Lease | null, key: string): lease is Lease =>
    lease?.experimentKey === key && isCurrent(lease, now());
  return {
    async acquire(holder) {
      for (;;) {
        const seen = readHighest(machineDir);
        const stale = staleLab(seen?.lease ?? null, holder, now());
        // outside of the lock: ending processes takes seconds
        const left = stale === null ? [] : await endProcessesOfLab(stale.labFolder);
        if (stale !== null && left.length > 0)
          return { held: false, by: stale, message: blocked(stale, left) };
        const answer = await locked(() => take(machineDir, holder, seen?.n ?? 0, ttlMs, now()));
        if (answer !== 'changed') return answer;
      }
    },
    renew: (key) =>
      locked(() => {
        const highest = readHighest(machineDir);
        if (highest === null || !isMine(highest.lease, key)) return false;
        replace(machineDir, highest.n, { ...highest.lease, expiresAtMs: now() + ttlMs });
        return true;
      }),
    async release(key) {
      if (readHighest(machineDir)?.lease.experimentKey !== key) return;
      await locked(() => {
        const highest = readHighest(machineDir);
        if (highest?.lease.experimentKey === key)
          replace(machineDir, highest.n, { ...highest.lease, released: true });
      });
    },
    current() {
      const lease = readHighest(machineDir)?.lease ?? null;
      return lease !== null && isCurrent(lease, now()) ? lease : null;
    },
  };
}

/** The last lease that was taken on this machine, whoever's, and whether it still counts; null = there never was one. */
export function lastLease(
  machineDir: string,
  nowMs: number,
): { readonly lease: Lease; readonly current: boolean } | null {
  const lease = readHighest(machineDir)?.lease ?? null;
  return lease === null ? null : { lease, current: isCurrent(lease, nowMs) };
}

/** Under the lock. `changed`: the lease is no longer the one that was judged before; judge again. */
function take(
  dir: string,
  holder: LeaseHolder,
  judged: number,
  ttlMs: number,
  nowMs: number,
): LeaseAnswer | 'changed' {
  const highest = readHighest(dir);
  const n = highest?.n ?? 0;
  if (highest !== null && isCurrent(highest.lease, nowMs)) {
    if (highest.lease.experimentKey !== holder.experimentKey)
      return { held: false, by: highest.lease, message: waitingFor(highest.lease) };
    const renewed = { ...highest.lease, expiresAtMs: nowMs + ttlMs };
    replace(dir, n, renewed);
    return { held: true, lease: renewed };
  }
  if (n !== judged) return 'changed';
  const { experimentKey, workflowId, labFolder } = holder;
  const lease: Lease = {
    format: 1,
    experimentKey,
    workflowId,
    labFolder,
    sinceMs: nowMs,
    expiresAtMs: nowMs + ttlMs,
    bootId: bootId(),
    released: false,
  };
  linkNew(dir, n + 1, lease);
  removeOlder(dir, n + 1);
  return { held: true, lease };
}

/** Neither given back, nor expired, nor of an earlier boot. */
function isCurrent(lease: Lease, nowMs: number): boolean {
  return !lease.released && lease.bootId === bootId() && lease.expiresAtMs > nowMs;
}

/** The expired lease of somebody else whose lab may still run; null when there is nothing to end. */
function staleLab(lease: Lease | null, holder: LeaseHolder, nowMs: number): Lease | null {
  if (
    lease === null ||
    isCurrent(lease, nowMs) ||
    lease.released ||
    lease.experimentKey === holder.experimentKey
  )
    return null;
  return processesOfLab(lease.labFolder).length > 0 ? lease : null;
}

function waitingFor(lease: Lease): string {
  return `waiting for experiment ${lease.workflowId}, which measures on this machine since ${new Date(lease.sinceMs).toISOString()}`;
}

function blocked(lease: Lease, left: readonly { pid: number; command: string }[]): string {
  const who = left.map((p) => `${p.pid} (${p.command.slice(0, 60)})`).join(', ');
  return `the lease of experiment ${lease.workflowId} has expired, but processes of its lab still run and are not ours to end: ${who}. End them, then this experiment goes on.`;
}

function fileOf(dir: string, n: number): string {
  return join(dir, `lease.${n}.json`);
}

function numbers(dir: string): readonly number[] {
  try {
    return readdirSync(dir).flatMap((name) => {
      const match = /^lease\.(\d+)\.json$/.exec(name);
      return match === null ? [] : [Number(match[1])];
    });
  } catch {
    return [];
  }
}

function readHighest(dir: string): { readonly n: number; readonly lease: Lease } | null {
  const n = Math.max(0, ...numbers(dir));
  if (n === 0) return null;
  return { n, lease: JSON.parse(readFileSync(fileOf(dir, n), 'utf8')) as Lease };
}

function draftOf(dir: string, lease: Lease): string {
  const draft = join(dir, `lease.draft-${process.pid}-${Math.trunc(performance.now() * 1000)}`);
  writeFileSync(draft, JSON.stringify(lease), { flush: true });
  chmodSync(draft, 0o644);
  return draft;
}

function replace(dir: string, n: number, lease: Lease): void {
  renameSync(draftOf(dir, lease), fileOf(dir, n));
}

function linkNew(dir: string, n: number, lease: Lease): void {
  mkdirSync(dir, { recursive: true });
  const draft = draftOf(dir, lease);
  try {
    linkSync(draft, fileOf(dir, n));
  } finally {
    rmSync(draft, { force: true });
  }
}

function removeOlder(dir: string, current: number): void {
  for (const n of numbers(dir)) {
    if (n >= current - 2) continue;
    try {
      rmSync(fileOf(dir, n), { force: true });
    } catch {
      // another user's; harmless
    }
  }
}
