import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadTrials } from '../../src/store/experiment-files.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import type { ExperimentResult } from '../../src/temporal/status.ts';
import { running, type Running } from '../kill/support/running.ts';

const QUICK = new URL('./quick.yaml', import.meta.url).pathname;

let assay: Running;

beforeAll(async () => {
  assay = await running();
}, 300_000);
afterAll(async () => {
  await assay?.close();
}, 60_000);

describe('a whole experiment on real brokers', () => {
  it('runs, reports, verifies, and leaves nothing but its results', { timeout: 480_000 }, async () => {
    const run = await assay.assay('run', QUICK, '--id', 'e2e', '--json');
    // Two blocks cannot decide anything: exit 4 is the right answer of a complete experiment.
    expect(run.code, run.stderr).toBe(4);
    const result = JSON.parse(run.stdout) as ExperimentResult;
    expect(result).toMatchObject({ outcome: 'completed', decided: false, leaks: [] });

    const folder = result.resultsFolder!;
    const trials = await loadTrials(createFolderStore(folder));
    const measured = trials.filter((t) => t.block > 0);
    expect(
      measured.filter((t) => t.verdict.valid).length,
      JSON.stringify(measured.map((t) => t.verdict.reasons)),
    ).toBe(4);
    for (const trial of measured) {
      expect(trial.offsets[0]).toMatchObject({
        claimed: trial.loads[0]?.asked,
        inLog: trial.loads[0]?.asked,
      });
      expect(trial.host?.coverage).toBeGreaterThan(0.95);
      expect(trial.raw.map((f) => f.path)).toEqual(['p.stdout', 'p.stderr', 'p.exit.json', 'sampler.jsonl']);
    }
    const html = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(html).toContain('Does the whole procedure work?');
    expect(html).not.toMatch(/(?:src|href)="https?:/);
    expect(existsSync(join(folder, 'histories/b1/batch=4KiB.a1.json'))).toBe(true);
    const verified = await assay.assay('verify', folder);
    expect(verified.code, verified.stdout).toBe(0);
    expect(verified.stdout).toMatch(/numbers derived again from the raw files, all as stored$/m);
    expect(verified.stdout).toMatch(/histories of (\d+) of \1 attempts tell the same/);
    expect((await assay.assay('report', folder)).code).toBe(0);
    expect((await assay.assay('verify', folder)).code).toBe(0);
    expect(existsSync(join(assay.own.home.labs, result.key))).toBe(false);
  });

  it('can be asked for its status after it ended', async () => {
    const status = await assay.assay('status', 'e2e', '--json');
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({
      state: 'COMPLETED',
      status: { phase: 'done', outcome: 'completed' },
    });
  });
});
