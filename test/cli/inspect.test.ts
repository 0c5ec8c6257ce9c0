import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inspectText } from '../../src/cli/inspect-text.ts';
import { readOutput } from '../../src/cli/read-output.ts';
import type { Inspection } from '../../src/measure/inspect.ts';
import { inspectText as judge } from '../measure/inspect-helpers.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
const CASES = join(import.meta.dirname, '..', 'cases', 'kafka-4.3.1');
const KILLED = join(CASES, 'prod-kill-broker-rf1-acks1.stdout');
const GOOD = join(CASES, 'prod-throttled-5000.stdout');

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'assay-inspect-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function assay(args: string[], stdin = ''): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, ASSAY_HOME: join(folder, 'home') };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [BIN, 'inspect', ...args],
      { cwd: folder, env },
      (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      },
    );
    child.stdin?.end(stdin);
  });
}

describe('assay inspect', () => {
  it('prints one JSON object a line and file, and ends with 4 when one is invalid', async () => {
    const { code, stdout, stderr } = await assay(['--json', GOOD, KILLED, '--asked', '25_000']);
    expect([code, stderr]).toEqual([4, '']);
    const all = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Inspection);
    expect(all.map(({ file, verdict, finalCount }) => [file, verdict, finalCount])).toEqual([
      [GOOD, 'valid', 25_000],
      [KILLED, 'invalid', 56_718],
    ]);
  });

  it('reads stdin and a stderr of its own, packed', async () => {
    const { code, stdout } = await assay([
      KILLED,
      '--asked',
      '60k',
      '--stderr',
      KILLED.replace('stdout', 'stderr.gz'),
    ]);
    expect(code).toBe(4);
    expect(stdout).toContain('✗ callbacks-failed: 3,282 sends failed');
    expect(await assay(['-', '--json'], 'load:0:1\n')).toMatchObject({ code: 4 });
  });

  it('a valid file ends with 0', async () => {
    expect(await assay([GOOD, '--asked', '25000'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('says every mistake of the user at once, exit code 2', async () => {
    const { code, stdout, stderr } = await assay([
      'nothing.txt',
      folder,
      '--asked',
      '25K',
      '--stderr',
      'none.txt',
    ]);
    expect([code, stdout]).toEqual([2, '']);
    for (const part of [
      '--asked: "25K"',
      '--stderr belongs to one run',
      'nothing.txt: there is no such file',
      'it is a folder',
      'none.txt',
    ])
      expect(stderr).toContain(part);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});

describe('reading a file', () => {
  const read = async (bytes: Uint8Array): Promise<{ text: string; cut: boolean }> => {
    const file = join(folder, 'capture');
    writeFileSync(file, bytes);
    const chunks: Uint8Array[] = [];
    const { cut } = await readOutput(file, (chunk) => chunks.push(chunk));
    return { text: Buffer.concat(chunks).toString('utf8'), cut };
  };

  it('unpacks gzip by its content, in several parts too, and says when it is cut', async () => {
    expect(await read(Buffer.from('plain'))).toEqual({ text: 'plain', cut: false });
    expect(await read(Buffer.alloc(0))).toEqual({ text: '', cut: false });
    expect(await read(Buffer.concat([gzipSync('one\n'), gzipSync('two\n')]))).toEqual({
      text: 'one\ntwo\n',
      cut: false,
    });
    const packed = gzipSync('x'.repeat(100_000));
    expect((await read(packed.subarray(0, packed.length - 20))).cut).toBe(true);
  });
});

it('what a log holds cannot move the cursor of a terminal', () => {
  const one = judge('5 records sent, 1.0 records/sec\u009B2J\u0007 (1 MB/sec)\n');
  for (const character of ['\u0007', '\u009B']) expect(inspectText(one, true)).not.toContain(character);
  expect(inspectText(one, false)).not.toContain('\u001B');
});
