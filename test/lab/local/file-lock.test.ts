import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withFileLock } from '../../../src/lab/local/file-lock.ts';

const WORKER = join(import.meta.dirname, 'lock-worker.ts');
let dir: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-lock-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

function worker(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [WORKER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

describe('withFileLock', () => {
  it('lets only one process in at a time', async () => {
    const counter = join(dir, 'counter');
    writeFileSync(counter, '0');
    const racers = [1, 2, 3, 4].map(() => worker('count', join(dir, 'lock'), counter, '50'));
    const codes = await Promise.all(racers.map((r) => once(r, 'exit').then(([code]) => code as number)));
    expect(codes).toEqual([0, 0, 0, 0]);
    expect(readFileSync(counter, 'utf8')).toBe('200');
    expect(readdirSync(dir).filter((name) => name.includes('draft'))).toEqual([]);
    expect(readdirSync(dir).length).toBeLessThan(10);
  });

  it('passes on when its holder was killed', async () => {
    const holder = worker('hold', join(dir, 'lock'));
    await once(holder.stdout ?? holder, 'data');
    await expect(withFileLock(join(dir, 'lock'), 50, () => 'in')).rejects.toThrow(
      `locked by process ${holder.pid}`,
    );
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(await withFileLock(join(dir, 'lock'), 5000, () => 'in')).toBe('in');
  });

  it('is free again after the work has thrown', async () => {
    const path = join(dir, 'lock');
    await expect(withFileLock(path, 1000, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await withFileLock(path, 50, () => 'in')).toBe('in');
  });

  it('takes a holder with a recycled pid or of another boot for dead, and one it cannot read for alive', async () => {
    const path = join(dir, 'lock');
    const write = (owner: object) => {
      rmSync(`${path}.1`, { force: true });
      rmSync(`${path}.2`, { force: true });
      writeFileSync(`${path}.1`, JSON.stringify(owner));
      chmodSync(`${path}.1`, 0o644);
    };
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    write({ pid: process.pid, startTicks: 1, bootId: boot });
    expect(await withFileLock(path, 50, () => 'in')).toBe('in');
    write({ pid: process.pid, startTicks: ownTicks(), bootId: 'another' });
    expect(await withFileLock(path, 50, () => 'in')).toBe('in');
    write({ pid: process.pid, startTicks: ownTicks(), bootId: boot });
    await expect(withFileLock(path, 50, () => 'in')).rejects.toThrow('locked');
  });
});

function ownTicks(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
}
