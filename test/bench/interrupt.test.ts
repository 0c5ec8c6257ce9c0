import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanedUp } from '../../bench/interrupt.ts';
import { run } from '../../bench/run.ts';
import { until } from '../../src/lab/wait.ts';

it('cleans up once, after success and after failure', async () => {
  const seen: string[] = [];
  const cleanup = async () => seen.push('cleaned');
  expect(await cleanedUp(cleanup, async () => seen.push('acted'))).toBe(1);
  expect(seen).toEqual(['acted', 'cleaned']);
  await expect(cleanedUp(cleanup, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(seen).toEqual(['acted', 'cleaned', 'cleaned']);
});

it('asks a program to end and waits until it has', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-interrupt-'));
  const ready = join(folder, 'ready');
  const stop = new AbortController();
  const script = 'trap "echo ended; exit 7" TERM; : >"$0"; while :; do read -rt 0.1 < <(:); done';
  const ended = run('bash', ['-c', script, ready], { signal: stop.signal });
  await until(async () => existsSync(ready) || undefined, { everyMs: 20, limitMs: 30_000 });
  stop.abort();
  const { code, stdout } = await ended;
  expect([code, stdout]).toEqual([7, 'ended\n']);
  rmSync(folder, { recursive: true });
});
