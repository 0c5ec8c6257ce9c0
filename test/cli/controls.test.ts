import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'assay-controls-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs bin/assay.js without any Temporal. */
function assay(...args: string[]): Promise<{ code: number; stderr: string }> {
  const env = { PATH: process.env['PATH'], HOME: home, ASSAY_HOME: home, ASSAY_TEMPORAL_PORT: '1' };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { env }, (error, _stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stderr });
    });
  });
}

/** What the experiment itself refuses is in test/workflows; this never gets so far. */
describe('a control that cannot be meant', () => {
  it.each([
    [['pause', 'x', '--for', '5min'], /unknown unit of time; "5m"\?/],
    [['extend', 'x'], /--blocks/],
    [['extend', 'x', '--blocks', '-1'], /whole number/],
    [['skip', 'x'], /--next, or --scenario/],
    [['skip', 'x', '--next', '--scenario', 'a'], /cannot be used with/],
    [['watch'], /missing required argument/],
  ])('%j is refused before anybody is asked', async (args, says) => {
    const { code, stderr } = await assay(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each(['pause', 'resume', 'finish-early', 'watch'])('%s says when no Temporal runs', async (command) => {
    const { code, stderr } = await assay(command, 'x');
    expect([code, stderr]).toEqual([5, expect.stringContaining('`assay up`')]);
  });
});
