import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
const GOOD = `name: batch
question: How much does batch.size matter?
factors:
  batch: { set: producers.*.config.batch.size, levels: [64KiB, 4KiB] }
`;

let folder: string;
let home: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-commands-'));
  home = join(folder, 'home');
  writeFileSync(join(folder, 'good.yaml'), GOOD);
  writeFileSync(join(folder, 'bad.yaml'), GOOD.replace('64KiB', '64KB').replace('question', 'qestion'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs bin/assay.js in the folder, without any Temporal. */
function assay(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return assayWith({}, ...args);
}

function assayWith(
  more: Record<string, string>,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, HOME: folder, ASSAY_HOME: home, ASSAY_TEMPORAL_PORT: '1', ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, [BIN, ...args], { cwd: folder, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('assay', () => {
  it('validates a good spec, on stderr, with exit code 0', async () => {
    expect(await assay('validate', 'good.yaml')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'good.yaml: valid, experiment batch; its plan has 3 notes (assay plan good.yaml).\n',
    });
  });

  it('validates what its lab refuses, and says that a plan is', async () => {
    writeFileSync(join(folder, 'apart.yaml'), `${GOOD}lab: { clients: { count: 2, apart: node } }\n`);
    const { code, stderr } = await assay('validate', 'apart.yaml');
    expect([code, stderr]).toEqual([
      0,
      'apart.yaml: valid, experiment batch; its plan is refused (assay plan apart.yaml).\n',
    ]);
    expect((await assay('plan', 'apart.yaml')).code).toBe(2);
  });

  it('counts the notes of the plan that options make', async () => {
    const { stderr } = await assay('validate', 'good.yaml', '--smoke');
    expect(stderr).toBe(
      'good.yaml: valid, experiment batch; its plan has 1 note (assay plan, with these options).\n',
    );
    const { stdout } = await assay('plan', 'good.yaml', '--smoke');
    expect(stdout.match(/^Note: /gm)).toHaveLength(1);
  });

  it.each(['validate', 'plan', 'resolve', 'run'])(
    '%s: every mistake with its place, exit code 2, nothing made',
    async (command) => {
      const { code, stdout, stderr } = await assay(command, 'bad.yaml');
      expect(code).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/bad\.yaml:2:1: .*qestion/);
      expect(stderr).toContain('^');
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(readdirSync(folder)).not.toContain('home');
    },
  );

  it('resolves to JSON that is its own resolution, with the results folder meant from here', async () => {
    writeFileSync(join(folder, 'store.yaml'), `${GOOD}store: { folder: out }\n`);
    const first = await assay('resolve', 'store.yaml');
    const json = JSON.parse(first.stdout) as { store: { folder: string } };
    expect(json.store.folder).toBe(join(folder, 'out'));
    writeFileSync(join(folder, 'resolved.json'), first.stdout);
    expect(await assay('resolve', 'resolved.json')).toEqual(first);
  });

  it.each([
    ['~/out', () => join(folder, 'out')],
    ['~', () => folder],
    ['./~/out', () => join(folder, '~/out')],
  ])('takes store.folder %s as a shell would', async (written, meant) => {
    writeFileSync(join(folder, 'tilde.yaml'), `${GOOD}store: { folder: "${written}" }\n`);
    const { stdout } = await assay('resolve', 'tilde.yaml');
    expect((JSON.parse(stdout) as { store: { folder: string } }).store.folder).toBe(meant());
  });

  it("refuses another user's home as store.folder", async () => {
    writeFileSync(join(folder, 'tilde.yaml'), `${GOOD}store: { folder: "~other/out" }\n`);
    expect(await assay('resolve', 'tilde.yaml')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/tilde\.yaml:5:18: store\.folder: "~other\/out".*whole path/),
    });
  });

  it('says at once what is wrong with an empty name and with a folder', async () => {
    expect((await assay('validate', '')).stderr).toMatch(/^The name of the spec is empty\. Name a file/);
    expect((await assay('validate', '.')).stderr).toMatch(/it is a folder\. Name a file/);
  });

  it('says at once that TEMPORAL_ADDRESS cannot be', async () => {
    const { code, stderr } = await assayWith({ TEMPORAL_ADDRESS: 'http://t.example:7233' }, 'status');
    expect(code).toBe(5);
    expect(stderr).toMatch(/"http:\/\/t\.example:7233", which is no host:port \(t\.example:7233\?\)/);
  });

  it('plans the same orders for the YAML and for its resolution', async () => {
    const { stdout } = await assay('resolve', 'good.yaml');
    writeFileSync(join(folder, 'good.json'), stdout);
    const [yaml, json] = await Promise.all([
      assay('plan', '--json', 'good.yaml'),
      assay('plan', '--json', 'good.json'),
    ]);
    const plan = JSON.parse(yaml.stdout) as { orders: string[][] };
    expect(plan.orders.length).toBeGreaterThan(1);
    expect(json.stdout).toBe(yaml.stdout);
  });

  it.each([
    [['nonsense']],
    [['run']],
    [['run', 'no-such-file.yaml']],
    [['validate', '.']],
    [['validate', '']],
    [['run', 'good.yaml', '--id', '']],
    [['run', 'good.yaml', '--id', 'a\u001b[2Jb']],
    [['run', 'good.yaml', '--id', 'x'.repeat(250)]],
    [['status', '--json', '--follow', 'x']],
    [['verify', 'no-such-folder']],
    [['report', 'no-such-folder']],
  ])('%j is wrong usage: exit code 2, no stack', async (args) => {
    const { code, stderr } = await assay(...args);
    expect(code).toBe(2);
    expect(stderr).not.toBe('');
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  it.each([[['status']], [['abort', 'x']], [['status', 'x']]])(
    '%j without Temporal: the fix, exit code 5',
    async (args) => {
      const { code, stderr } = await assay(...args);
      expect(code).toBe(5);
      expect(stderr).toContain('assay up');
    },
  );

  it('validates and plans every spec of a file, resolves the one that is chosen', async () => {
    writeFileSync(join(folder, 'two.yaml'), `${GOOD}---\n${GOOD.replace('batch', 'again')}`);
    expect((await assay('validate', 'two.yaml')).stderr).toMatch(
      /^two\.yaml \(document 1\): valid, experiment batch; .*\ntwo\.yaml \(document 2\): valid, experiment again; .* \(assay plan two\.yaml --doc 2\)\.\n$/,
    );
    expect((await assay('plan', 'two.yaml', '--smoke')).stdout).toMatch(/^batch: [\s\S]*^again: /m);
    const { stdout } = await assay('resolve', 'two.yaml', '--doc', 'again', '--set', 'settle.quiet=1s');
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'again',
      settle: { quiet: '1s' },
      overrides: ['--set settle.quiet=1s'],
    });
  });

  it.each([
    [['resolve', 'two.yaml'], '--doc N'],
    [['plan', 'two.yaml', '--json'], '--doc N'],
    [['run', 'two.yaml', '--detach'], '--detach is for one'],
    [['run', 'two.yaml', '--id', 'x'], '--id is for one'],
    [['plan', 'good.yaml', '--blocks', 'many'], 'whole number'],
    [['plan', 'good.yaml', '--blocks', '999'], 'command line: design.blocks'],
    [['plan', 'good.yaml', '--set', 'store'], 'write path=value'],
    [['run', 'good.yaml', '--only', 'batch=1KiB'], 'There is no scenario "batch=1KiB"'],
  ])('%j is wrong usage that says what to do', async (args, hint) => {
    writeFileSync(join(folder, 'two.yaml'), `${GOOD}---\n${GOOD.replace('batch', 'again')}`);
    const { code, stdout, stderr } = await assay(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
    expect(readdirSync(folder)).not.toContain('home');
  });

  it('tells every version that decides how a spec is read and run', async () => {
    const { code, stdout } = await assay('--version');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^assay \d+\.\d+\.\d+\nnode 24\.\d+\.\d+\nkafka 4\.3\.1\nlanguage 1\n$/);
    expect((await assay('-V')).stdout).toBe(stdout);
    writeFileSync(join(folder, 'next.yaml'), `assay: 2\n${GOOD}`);
    expect((await assay('validate', 'next.yaml')).code).toBe(2);
  });

  it('has nothing to stop in a home where nothing runs', async () => {
    expect(await assay('down')).toMatchObject({ code: 0, stderr: 'Nothing runs in this home.\n' });
  });
});
