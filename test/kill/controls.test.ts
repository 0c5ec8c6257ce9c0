import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { machineLease } from '../../src/lab/lease.ts';
import { loadDeviations, loadTrials } from '../../src/store/experiment-files.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { temporalCli } from '../support/python-tool.ts';
import { eventually, running, type Running } from './support/running.ts';

const run = promisify(execFile);
const SPEC = new URL('../e2e/smallest.yaml', import.meta.url).pathname;

let assay: Running;

beforeAll(async () => {
  assay = await running();
});
afterAll(async () => {
  await assay?.close();
});

/** The README's way without Assay's command line. */
async function update(id: string, name: string, input: object): Promise<string> {
  const where = ['--address', assay.address, '--workflow-id', id];
  const args = ['workflow', 'update', 'execute', ...where, '--name', name, '--input', JSON.stringify(input)];
  return (await run(await temporalCli(), args)).stdout;
}

describe('an experiment that is controlled while it runs', () => {
  it('pauses with its lab up and its lease kept, skips, is extended, and says all of it in its results', async () => {
    const started = await assay.assay('run', SPEC, '--id', 'controlled', '--detach');
    expect(started.code, started.stderr).toBe(0);
    const watched = assay.follow('watch', 'controlled');
    await eventually('block 0 runs', async () => (await assay.status('controlled')).phase === 'warming-up');

    const paused = await assay.assay('pause', 'controlled', '--for', '20m', '--reason', 'a backup runs');
    expect(paused.code, paused.stderr).toBe(0);
    const seen = await eventually('it is paused', async () => {
      const status = await assay.status('controlled');
      return status.phase === 'paused' && status;
    });
    expect(seen.message).toContain('a backup runs');
    const lease = machineLease(assay.own.env['ASSAY_MACHINE_DIR']!).current();
    expect(lease).toMatchObject({ experimentKey: seen.key });
    expect((await assay.assay('status', 'controlled')).stdout).toContain('paused');
    await eventually('the watcher says so', async () => watched.said().includes('smallest: paused'));
    expect(await update('controlled', 'resume', {})).toContain('goes on');

    await eventually('block 1 runs', async () => (await assay.status('controlled')).strip?.block === 1);
    expect((await assay.assay('extend', 'controlled', '--blocks', '1', '--reason', 'wide')).code).toBe(0);
    expect(await update('controlled', 'skip', { next: true, reason: 'noise' })).toContain('skips the next');
    const refused = await assay.assay('extend', 'controlled', '--blocks', '1');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('The experiment refused: At most 0 more blocks'),
    ]);

    const result = await assay.result('controlled');
    expect(result).toMatchObject({ outcome: 'completed', leaks: [] });
    expect(result.message).toMatch(/2 of 1 planned blocks ran/);
    const store = createFolderStore(result.resultsFolder!);
    expect((await loadDeviations(store)).map((d) => d.kind)).toEqual(['pause', 'extend', 'skip']);
    const blocks = (await loadTrials(store)).filter((t) => t.block > 0).map((t) => t.block);
    expect(blocks).toEqual([1, 2, 2]);
    const report = readFileSync(join(result.resultsFolder!, 'report.html'), 'utf8');
    for (const text of ['Paused for', 'a backup runs', 'Skipped by hand: block 1', 'unplanned-stop'])
      expect(report).toContain(text);
    expect((await assay.assay('verify', result.resultsFolder!)).code).toBe(0);

    const { stderr, stdout } = await watched.ended;
    expect(stderr).toMatch(/smallest: paused/);
    expect(stderr).toMatch(/note: Paused for .* before trial .* \(a backup runs\); resumed by hand/);
    expect(stderr).toMatch(/asked for: .*skips the next trial/);
    expect(stdout).toContain('Does the whole procedure work?');
  });
});
