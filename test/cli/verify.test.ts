import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EXIT, type ExitCode } from '../../src/cli/exit-codes.ts';
import { addVerify } from '../../src/cli/verify.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { writeManifest } from '../../src/store/manifest.ts';
import { derivableStore } from '../report/verify/derivable.ts';
import { fakeTerminal } from './support.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-verify-'));
  const [made, store] = [await derivableStore(), createFolderStore(folder)];
  for (const path of await made.list('')) await store.put(path, await made.get(path));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function verify(): Promise<{ code: ExitCode; out: string; err: string }> {
  const terminal = fakeTerminal();
  let code: ExitCode = EXIT.ok;
  const program = new Command();
  addVerify(program, { terminal, env: {}, exitWith: (given) => void (code = given) });
  await program.parseAsync(['verify', folder], { from: 'user' });
  return { code, out: terminal.out, err: terminal.err };
}

async function change(path: string, from: string | RegExp, to: string): Promise<void> {
  const file = join(folder, path);
  const text = await readFile(file, 'utf8');
  expect(text).toMatch(from);
  await writeFile(file, text.replace(from, to));
}

test('untouched: exit 0, how many numbers were derived again, and what is taken on record', async () => {
  const { code, out, err } = await verify();
  expect([code, err]).toEqual([EXIT.ok, '']);
  expect(out).toMatch(/^ok {2}\d+ files, .* manifest sha256 [0-9a-f]{64}$/m);
  expect(out).toMatch(/^ok {2}[\d,]+ numbers derived again from the raw files, all as stored$/m);
  expect(out).toMatch(/^on record {2}evidence\.json of each attempt: /m);
});

test('a changed number: exit 5, its file by hash and its place with what is stored and what was derived', async () => {
  await change('trials/b2/batch=64KiB/a1/trial.json', /"recordsPerS": 1000,/, '"recordsPerS": 1100,');
  const { code, out } = await verify();
  expect(code).toBe(EXIT.infrastructure);
  expect(out).toContain('altered  trials/b2/batch=64KiB/a1/trial.json');
  expect(out).toContain(
    'differs  trials/b2/batch=64KiB/a1/trial.json rate.recordsPerS stored 1100, derived 1000',
  );
});

test('a manifest that was made anew hides nothing', async () => {
  await change('analysis.json', /"ratio": [\d.]+/, '"ratio": 7.5');
  await rm(join(folder, 'manifest.json'));
  await writeManifest(createFolderStore(folder), []);
  const { code, out } = await verify();
  expect(code).toBe(EXIT.infrastructure);
  expect(out).toMatch(/^ok {2}\d+ files/m);
  expect(out).toMatch(/^differs {2}analysis\.json .*ratio stored 7\.5, derived 1\./m);
});

test('a folder without a plan is told so in one line', async () => {
  await rm(join(folder, 'plan.json'));
  const { code, out } = await verify();
  expect(code).toBe(EXIT.infrastructure);
  expect(out).toMatch(/^not derived {2}store .*plan\.json: there is no plan here/m);
});
