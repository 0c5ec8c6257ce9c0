import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { verify, writeManifest } from '../../src/store/manifest.ts';
import type { Store } from '../../src/store/store.ts';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-manifest-'));
  store = createFolderStore(folder);
  await store.put('plan.json', '{}');
  await store.put('trials/b1/baseline/a1/trial.json', '{"format":1}');
  await store.replace('report.html', '<p>');
});
afterEach(async () => rm(folder, { recursive: true, force: true }));

const found = async () => (await verify(store)).problems.map((p) => `${p.kind} ${p.path}`);

test('an untouched store has no problems, and sha256sum agrees about the manifest', async () => {
  const manifest = await writeManifest(store, ['report.html']);
  const result = await verify(store);
  expect(result).toMatchObject({ problems: [], good: 3, bytes: 17, manifestSha256: manifest.sha256 });
  const { stdout } = await promisify(execFile)('sha256sum', ['-c', 'manifest.sha256'], { cwd: folder });
  expect(stdout).toBe('manifest.json: OK\n');
});

test('altered, missing and extra files are each named', async () => {
  await writeManifest(store, ['report.html']);
  await writeFile(join(folder, 'plan.json'), '{ }');
  await unlink(join(folder, 'trials/b1/baseline/a1/trial.json'));
  await writeFile(join(folder, 'notes.txt'), 'hello');
  expect(await found()).toEqual([
    'altered plan.json',
    'missing trials/b1/baseline/a1/trial.json',
    'extra notes.txt',
  ]);
  expect((await verify(store)).good).toBe(1);
});

test('a change of one byte that keeps the size is found', async () => {
  await writeManifest(store, []);
  await writeFile(join(folder, 'report.html'), '<q>');
  expect(await found()).toEqual(['altered report.html']);
});

test('a manifest edited to fit an altered file is found by its own hash', async () => {
  await writeManifest(store, []);
  const text = (await store.get('manifest.json')).toString();
  await writeFile(join(folder, 'manifest.json'), text.replace('plan.json', 'plam.json'));
  expect(await found()).toContain('manifest-altered manifest.json');
});

test('no manifest, a missing hash and an unknown format are problems', async () => {
  expect(await found()).toEqual(['no-manifest manifest.json']);
  await writeManifest(store, []);
  await unlink(join(folder, 'manifest.sha256'));
  expect(await found()).toEqual(['missing manifest.sha256']);
  await writeFile(join(folder, 'manifest.json'), '{"format":2}');
  expect(await found()).toContain('manifest-altered manifest.json');
});

test('rendered files may change with a new manifest; one that hides an altered or lost result is refused', async () => {
  await writeManifest(store, ['report.html']);
  await store.replace('report.html', '<b>');
  await writeManifest(store, ['report.html']);
  expect(await found()).toEqual([]);
  await writeFile(join(folder, 'plan.json'), 'forged');
  await expect(writeManifest(store, ['report.html'])).rejects.toThrow(
    /plan\.json: it was altered after the export/,
  );
  await unlink(join(folder, 'plan.json'));
  await expect(writeManifest(store, ['report.html'])).rejects.toThrow(
    /plan\.json: it was removed after the export/,
  );
  expect(await found()).toEqual(['missing plan.json']);
});

test('a file replaced by a link that leads out of the folder is missing', async () => {
  await writeManifest(store, []);
  const outside = `${folder}.outside`;
  await rename(join(folder, 'plan.json'), outside);
  await symlink(outside, join(folder, 'plan.json'));
  expect((await verify(store)).problems).toMatchObject([{ kind: 'missing', path: 'plan.json' }]);
  await rm(outside);
});
