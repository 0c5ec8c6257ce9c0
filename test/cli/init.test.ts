import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { questionOf, STARTERS, starterText } from '../../src/cli/starters.ts';
import { drawPlan } from '../../src/design/draw-plan.ts';
import { formatIssues } from '../../src/spec/issue.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';

const ROOT = join(import.meta.dirname, '..', '..');

describe('starters', () => {
  it('are exactly the files of their folder', () => {
    const files = readdirSync(join(ROOT, 'src/cli/starters'));
    expect(files.toSorted()).toEqual(STARTERS.map((name) => `${name}.yaml`).toSorted());
  });

  it.each(STARTERS)('%s: validates, plans without a refusal, is short and commented', (name) => {
    const text = starterText(name);
    const read = readSpec(text, name);
    expect(read.ok ? '' : formatIssues(read.issues)).toBe('');
    if (!read.ok) return;
    expect(read.spec.name).toBe(name);
    expect(read.spec.question).toBe(questionOf(text));
    const drawn = drawPlan(read.json, { experimentKey: 'starter' });
    expect(drawn.ok ? '' : formatIssues(drawn.issues)).toBe('');
    expect(text.split('\n').length).toBeLessThan(40);
    expect(text).toMatch(/^# \w/);
  });
});

describe('assay init', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-init-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const assay = (...args: string[]) =>
    new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      const options = { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } };
      execFile(process.execPath, [join(ROOT, 'bin/assay.js'), ...args], options, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });

  it('lists every kind with its question', async () => {
    const { code, stdout } = await assay('init');
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.split(/ {2,}/)[0])).toEqual([...STARTERS]);
    for (const line of lines) expect(line).toMatch(/\w\?$/);
  });

  it('prints a spec, or writes it to a new file, which validates', async () => {
    expect((await assay('init', 'codec')).stdout).toBe(starterText('codec'));
    const { code, stdout, stderr } = await assay('init', 'codec', '--out', 'my codec.yaml');
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain("assay validate 'my codec.yaml'");
    expect((await assay('validate', 'my codec.yaml')).code).toBe(0);
  });

  it('overwrites nothing', async () => {
    writeFileSync(join(folder, 'mine.yaml'), 'mine');
    const { code, stderr } = await assay('init', 'acks', '--out', 'mine.yaml');
    expect([code, stderr]).toEqual([2, expect.stringContaining('is not overwritten')]);
    expect(readFileSync(join(folder, 'mine.yaml'), 'utf8')).toBe('mine');
  });

  it.each([
    [['init', 'nonsense'], 'batch-size, linger'],
    [['init', '--out', 'x.yaml'], 'needs a kind'],
    [['init', 'acks', '--out', ''], 'the name is empty'],
    [['init', 'acks', '--out', 'none/x.yaml'], 'its folder does not exist'],
    [['init', 'acks', '--out', '.'], 'Name a new file'],
  ])('%j: exit code 2, %s', async (args, says) => {
    const { code, stderr } = await assay(...args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(says)]);
  });
});
