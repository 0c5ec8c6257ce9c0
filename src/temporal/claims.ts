import { spawn } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts';

/**
 * A claim says which process is "the server", "the worker" or "the supervisor" of a home. Claims are numbered
 * files `<name>.<n>.claim`, the highest counts, and each is made by linking a complete file to a name that must
 * not exist: atomic, never empty, one winner. A dead owner's claim is not removed but followed by the next
 * number, so nobody can delete a claim that somebody has just made.
 */
export interface Claim extends ProcessIdentity {
  readonly n: number;
  /** Whom a supervisor serves, see supervisor.ts; absent on other claims. */
  readonly target?: string;
}

/** Claims that are kept behind the highest: a launch that was stuck for longer than this many others is unheard of. */
const KEPT = 20;

export function claimPath(folder: string, name: string, n: number): string {
  return join(folder, `${name}.${n}.claim`);
}

function claimNumbers(folder: string, name: string): number[] {
  const pattern = new RegExp(`^${name}\\.(\\d+)\\.claim$`);
  return listFolder(folder)
    .flatMap((file) => pattern.exec(file)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => b - a);
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The highest claim, dead or alive; null when there is none. A claim that cannot be read belongs to nobody (pid 0). */
export function latestClaim(folder: string, name: string): Claim | null {
  const n = claimNumbers(folder, name)[0];
  if (n === undefined) return null;
  try {
    return { ...(JSON.parse(readFileSync(claimPath(folder, name, n), 'utf8')) as ProcessIdentity), n };
  } catch {
    return { pid: 0, startTicks: 0, bootId: '', n };
  }
}

/** The claim's owner when it lives, else null. */
export function liveClaim(folder: string, name: string): Claim | null {
  const claim = latestClaim(folder, name);
  return claim !== null && isAlive(claim) ? claim : null;
}

/** Makes this process the owner, or returns null because a live one has it. */
export function claimForSelf(folder: string, name: string, note: { target?: string } = {}): Claim | null {
  const self = identityOf(process.pid);
  if (self === null) throw new Error('this machine has no /proc: Assay needs Linux');
  const temporary = join(folder, `${name}.${process.pid}.new`);
  writeWhole(temporary, JSON.stringify({ ...self, ...note }));
  try {
    for (;;) {
      const latest = latestClaim(folder, name);
      if (latest !== null && isAlive(latest)) return null;
      const n = (latest?.n ?? 0) + 1;
      if (!linkUnlessPresent(temporary, claimPath(folder, name, n))) continue;
      // Someone may have claimed a higher number while we slept on an old listing: the highest counts.
      if (latestClaim(folder, name)?.n === n) return { ...self, ...note, n };
      rmSync(claimPath(folder, name, n), { force: true });
    }
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Forgets claims far behind the highest. */
export function pruneClaims(folder: string, name: string): void {
  for (const n of claimNumbers(folder, name).slice(KEPT)) rmSync(claimPath(folder, name, n), { force: true });
}

function writeWhole(path: string, content: string): void {
  const file = openSync(path, 'w', 0o600);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function linkUnlessPresent(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Claims, then becomes the command (exec keeps pid and start time). The process claims for itself, not its
 * launcher: a launcher that is killed between the two would leave a process that nobody knows.
 */
const CLAIM_THEN_EXEC = `
set -f
s=$(</proc/$$/stat); f=(\${s##*) }); boot=$(</proc/sys/kernel/random/boot_id)
printf '{"pid":%d,"startTicks":%s,"bootId":"%s"}\\n' $$ "\${f[19]}" "$boot" >"$1.$$" || exit 74
ln "$1.$$" "$1" || { rm -f "$1.$$"; exit 75; }
rm -f "$1.$$"
shift
exec "$@"
`;

export interface ClaimedCommand {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** stdout and stderr are appended here. */
  readonly log: string;
}

/**
 * Starts a command, detached, as claim number `n` of `name`; whoever claimed that number first is the one. Returns
 * once the number is claimed.
 */
export async function launchClaimed(
  folder: string,
  name: string,
  n: number,
  command: ClaimedCommand,
): Promise<Claim> {
  const log = openSync(command.log, 'a', 0o600);
  try {
    const child = spawn(
      'bash',
      ['-c', CLAIM_THEN_EXEC, 'assay', claimPath(folder, name, n), ...command.argv],
      { detached: true, stdio: ['ignore', log, log], env: command.env, cwd: command.cwd },
    );
    let failure: Error | null = null;
    child.on('error', (error) => {
      failure = error;
    });
    child.unref();
    const end = Date.now() + 15_000;
    for (;;) {
      const claim = latestClaim(folder, name);
      if (claim !== null && claim.n >= n) return claim;
      if (failure !== null) throw failure;
      if (child.exitCode !== null)
        throw new Error(`bash could not claim ${name}.${n}: exit ${child.exitCode}`);
      if (Date.now() > end) throw new Error(`${name}.${n} was not claimed within 15 s`);
      await sleep(20);
    }
  } finally {
    closeSync(log);
  }
}
