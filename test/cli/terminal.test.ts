import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { processTerminal, usableColumns } from '../../src/cli/terminal.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');

describe('the terminal', () => {
  it.each([
    [undefined, 80],
    [0, 80],
    [Number.NaN, 80],
    [20, 20],
    [120, 120],
    [65_535, 1000],
  ])('that says %s columns is laid out for %i', (said, columns) => {
    expect(usableColumns(said)).toBe(columns);
  });

  it.each([{}, { FORCE_COLOR: '1' }, { FORCE_COLOR: '3', TERM: 'xterm' }, { NO_COLOR: '1' }])(
    'gets no colour where stdout is no terminal, whatever the environment says: %j',
    (env) => {
      // Under the test runner stdout is a pipe.
      expect(processTerminal(env).colour).toBeFalsy();
    },
  );

  it('is not told that NO_COLOR and FORCE_COLOR contradict each other', async () => {
    const env = { PATH: process.env.PATH, NO_COLOR: '1', FORCE_COLOR: '1' };
    const { stderr } = await promisify(execFile)(process.execPath, [BIN, '--help'], { env });
    expect(stderr).toBe('');
  });
});
