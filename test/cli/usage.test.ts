import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneOf } from '../../src/cli/choice.ts';
import { knownText } from '../../src/cli/known-experiments.ts';
import { SPEAK_OF, STARTERS } from '../../src/cli/starters.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');

function assay(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('a command that is used wrongly', () => {
  it.each([
    [['init', 'codec', 'acks'], 'too many arguments', '`assay init --help`'],
    [['plan', 'x.yaml', '--jsn'], 'unknown option', '`assay plan --help`'],
    [['trial', 'show'], "missing required argument 'results'", '`assay trial show --help`'],
    [['completion'], "missing required argument 'bash|zsh|fish'", '`assay completion --help`'],
    [['init', 'lz4'], 'Did you mean "codec"?', '`assay init --help`'],
  ])('%j points at its own help, exit code 2', async (args, says, help) => {
    const { code, stderr } = await assay(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr).toContain(help);
  });

  it('inspect names its exit codes', async () => {
    expect((await assay('inspect', '--help')).stdout).toContain('Exit codes: 0 every file is valid');
  });
});

describe('one of a few words', () => {
  const kind = oneOf(STARTERS, SPEAK_OF);

  it('is read in capitals too', () => {
    expect(kind('CODEC')).toBe('codec');
    expect(oneOf(['bash', 'zsh'])('Bash')).toBe('bash');
  });

  it.each([
    ['lz4', 'Did you mean "codec"?'],
    ['codc', 'Did you mean "codec"?'],
    ['consumer', 'Did you mean "consumer-catch-up"?'],
    ['qqqqqq', 'Allowed choices are batch-size, '],
    ['constructor', 'Allowed choices are batch-size, '],
  ])('%s is told what is near', (text, says) => {
    expect(() => kind(text)).toThrow(says);
  });
});

describe('a list of experiments that nobody sees on a terminal', () => {
  it('has the whole answer', () => {
    const answer = `lz4 is faster: ${'much '.repeat(40)}62 MiB/s`;
    const one = {
      id: 'codec',
      key: null,
      name: 'codec',
      state: 'completed',
      answer,
      rehearsal: false,
      startedAt: null,
      tookMs: null,
      folder: null,
    };
    expect(knownText([one], { nowMs: 0, columns: Number.POSITIVE_INFINITY })).toContain(answer);
    expect(knownText([one], { nowMs: 0, columns: 80 })).toContain('…');
  });
});
