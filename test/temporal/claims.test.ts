import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Claim,
  claimForSelf,
  claimPath,
  latestClaim,
  launchClaimed,
  liveClaim,
} from '../../src/temporal/claims.ts';
import { bootId, endProcess, identityOf, isAlive } from '../../src/temporal/process-identity.ts';
import { until } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-claims-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const self = () => {
  const identity = identityOf(process.pid);
  if (identity === null) throw new Error('no /proc');
  return identity;
};
const write = (n: number, identity: object) =>
  writeFileSync(claimPath(folder, 'x', n), JSON.stringify(identity));
const sleeper = (n: number) =>
  launchClaimed(folder, 'x', n, {
    argv: ['sleep', '600'],
    env: process.env,
    cwd: folder,
    log: join(folder, 'log'),
  });

describe('claims', () => {
  it('refuses a second owner while the first lives', () => {
    expect(claimForSelf(folder, 'x')?.n).toBe(1);
    expect(claimForSelf(folder, 'x')).toBeNull();
    expect(liveClaim(folder, 'x')?.pid).toBe(process.pid);
  });

  it('follows a dead owner with the next number, whatever made it dead', () => {
    write(1, { ...self(), startTicks: self().startTicks - 1 });
    expect(liveClaim(folder, 'x')).toBeNull();
    write(2, { ...self(), bootId: 'another boot' });
    expect(liveClaim(folder, 'x')).toBeNull();
    writeFileSync(claimPath(folder, 'x', 3), '');
    expect(liveClaim(folder, 'x')).toBeNull();
    expect(claimForSelf(folder, 'x', { target: 't' })).toMatchObject({ n: 4, target: 't', bootId: bootId() });
    expect(latestClaim(folder, 'x')).toMatchObject({ n: 4, target: 't' });
  });

  it('leaves only its claim in the folder', () => {
    claimForSelf(folder, 'x');
    expect(readdirSync(folder)).toEqual(['x.1.claim']);
  });

  it('gives one process when a launch is made eight times at once', async () => {
    const claims = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => sleeper(1)));
    const pids = new Set(claims.map(({ pid }) => pid));
    const [claim] = claims;
    try {
      expect(pids.size).toBe(1);
      await until('the losers left nothing', () => readdirSync(folder).toSorted().join() === 'log,x.1.claim');
      expect(isAlive(claim as Claim)).toBe(true);
    } finally {
      await endProcess(claim as Claim, 2_000);
    }
    expect(isAlive(claim as Claim)).toBe(false);
  });

  it('claims as the very process that the command becomes', async () => {
    const claim = await sleeper(1);
    try {
      await until('it is the command', () => identityOf(claim.pid)?.startTicks === claim.startTicks);
    } finally {
      await endProcess(claim, 2_000);
    }
  });

  it('calls a zombie dead', async () => {
    // The parent sleeps and reaps nobody; its child ends after that, when its input does.
    const script = 'exec 3<&0; cat <&3 & echo $!; exec sleep 600 3<&-';
    const parent = spawn('bash', ['-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
    try {
      const pid = await new Promise<number>((resolve) =>
        parent.stdout.once('data', (data: Buffer) => resolve(Number(data))),
      );
      const command = (): string => readFileSync(`/proc/${parent.pid}/comm`, 'utf8').trim();
      await until('the parent only sleeps', () => command() === 'sleep');
      parent.stdin.end();
      await until('the child is a zombie', () => {
        const identity = identityOf(pid);
        return identity !== null && !isAlive(identity);
      });
      expect(() => process.kill(pid, 0)).not.toThrow();
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('ends a process that ignores SIGTERM', async () => {
    const claim = await launchClaimed(folder, 'x', 1, {
      argv: ['bash', '-c', 'trap "" TERM; echo ready; while :; do sleep 600; done'],
      env: process.env,
      cwd: folder,
      log: join(folder, 'log'),
    });
    await until('the trap is set', () => latestLog().includes('ready'));
    await endProcess(claim, 200);
    expect(isAlive(claim)).toBe(false);
  });
});

function latestLog(): string {
  return readFileSync(join(folder, 'log'), 'utf8');
}
