import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { machineLease } from '../../../src/lab/lease.ts';
import { LAB_MARK, startTicks } from '../../../src/lab/local/processes.ts';
import { until } from '../../../src/lab/wait.ts';

let dir: string;
const children: ChildProcess[] = [];
const holder = (key: string) => ({
  experimentKey: key,
  workflowId: `wf-${key}`,
  labFolder: join(dir, 'labs', key),
});

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-lease-'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

describe('the machine lease', () => {
  it('goes to one of many processes that ask at once', async () => {
    const log = join(dir, 'log');
    writeFileSync(log, '');
    const go = join(dir, 'go');
    const racers = Array.from({ length: 8 }, (_, i) =>
      spawn(process.execPath, [join(import.meta.dirname, 'lock-worker.ts'), 'lease', dir, `k${i}`, log, go], {
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    children.push(...racers);
    await Promise.all(racers.map((r) => once(r.stdout ?? r, 'data')));
    writeFileSync(go, '');
    const codes = await Promise.all(racers.map((r) => once(r, 'exit').then(([code]) => code as number)));
    expect(codes).toEqual(racers.map(() => 0));
    const winners = readFileSync(log, 'utf8').trim().split('\n');
    expect(winners).toHaveLength(1);
    expect(machineLease(dir).current()?.experimentKey).toBe(winners[0]);
  });

  it('tells who holds it and since when, is given back, and leaves no half-written file', async () => {
    const lease = machineLease(dir);
    expect((await lease.acquire(holder('a'))).held).toBe(true);
    const other = await machineLease(dir).acquire(holder('b'));
    expect(other).toMatchObject({ held: false, by: { experimentKey: 'a' } });
    expect(other.held ? '' : other.message).toMatch(
      /waiting for experiment wf-a, which measures on this machine since \d{4}-/,
    );
    expect(await lease.renew('b')).toBe(false);
    await lease.release('b');
    expect(lease.current()?.experimentKey).toBe('a');
    await lease.release('a');
    expect(lease.current()).toBeNull();
    expect((await lease.acquire(holder('b'))).held).toBe(true);
    expect(readdirSync(dir).filter((name) => name.includes('draft'))).toEqual([]);
  });

  it('stays with its holder while it is renewed, and ends when it is not', async () => {
    let now = 1_000_000;
    const lease = machineLease(dir, 60_000, () => now);
    await lease.acquire(holder('a'));
    now += 50_000;
    expect(await lease.renew('a')).toBe(true);
    now += 50_000;
    expect((await lease.acquire(holder('b'))).held).toBe(false);
    now += 20_000;
    expect(await lease.renew('a')).toBe(false);
    expect((await lease.acquire(holder('b'))).held).toBe(true);
    expect(await lease.renew('a')).toBe(false);
  });

  it('means nothing after a reboot', async () => {
    const lease = machineLease(dir);
    await lease.acquire(holder('a'));
    const file = join(dir, 'lease.1.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"bootId":"[^"]*"/, '"bootId":"before"'));
    expect(lease.current()).toBeNull();
    expect((await lease.acquire(holder('b'))).held).toBe(true);
  });

  it('ends what still runs of an expired lab before it passes on, but never what is not provably ours', async () => {
    let now = 1_000_000;
    const lease = machineLease(dir, 60_000, () => now);
    await lease.acquire(holder('a'));
    const folder = join(dir, 'labs', 'a');
    mkdirSync(folder, { recursive: true });
    const ours = spawn('sleep', ['60'], { env: { ...process.env, [LAB_MARK]: folder }, stdio: 'ignore' });
    const stranger = spawn('sleep', ['60'], { cwd: folder, stdio: 'ignore' });
    children.push(ours, stranger);
    await Promise.all([once(ours, 'spawn'), once(stranger, 'spawn')]);
    now += 61_000;
    const blocked = await lease.acquire(holder('b'));
    expect(blocked.held ? '' : blocked.message).toContain(`not ours to end: ${stranger.pid} (sleep 60)`);
    expect(startTicks(ours.pid ?? 0)).toBeNull();
    expect(startTicks(stranger.pid ?? 0)).not.toBeNull();
    stranger.kill('SIGKILL');
    const held = await until(async () => ((await lease.acquire(holder('b'))).held ? true : undefined), {
      everyMs: 20,
      limitMs: 5000,
    });
    expect(held).toBe(true);
  });
});
