import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { renderAgain, writeReport } from '../../src/report/write-report.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { verify } from '../../src/store/manifest.ts';
import type { Store } from '../../src/store/store.ts';
import { ABORTED_EARLY, COMPLETED, HOSTILE } from './fixture-cases.ts';
import { fillStore } from './fixtures.ts';
import { storeOf } from './harness.ts';

const RENDERED = [
  'report.html',
  'trials.csv',
  'samples.csv',
  'summary.json',
  'manifest.json',
  'manifest.sha256',
];

async function hashes(store: Store): Promise<string[]> {
  return Promise.all(RENDERED.map(async (path) => (await store.replace(path, await store.get(path))).sha256));
}

test('rendering twice, and in another place, gives the same bytes; the store then verifies', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-report-'));
  try {
    const store = createFolderStore(folder);
    await fillStore(COMPLETED, store);
    await writeReport(store);
    const once = await hashes(store);
    await renderAgain(store);
    expect(await hashes(store)).toEqual(once);
    expect(await verify(store)).toMatchObject({ problems: [] });
    const elsewhere = await storeOf(COMPLETED);
    await writeReport(elsewhere);
    expect(await hashes(elsewhere)).toEqual(once);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.each([ABORTED_EARLY, HOSTILE])(
  'a partial and a hostile experiment are exported and verify too',
  async (fixture) => {
    const store = await storeOf(fixture);
    await writeReport(store);
    expect(await verify(store)).toMatchObject({ problems: [] });
  },
);

test('summary.json carries answer, effects, counts and the hash of the plan', async () => {
  const store = await storeOf(COMPLETED);
  await writeReport(store);
  const summary = JSON.parse((await store.get('summary.json')).toString()) as { planSha256: string };
  expect(summary).toMatchObject({
    format: 1,
    outcome: 'completed',
    decided: true,
    answer: expect.stringContaining('2.4 times'),
    counts: { planned: 12, valid: 12, voided: 1, warmup: 4 },
    effects: [{ word: 'higher', n: 6 }],
  });
  expect((await store.get('manifest.json')).toString()).toContain(`"sha256": "${summary.planSha256}"`);
});

test('the experiment may export again after teardown; a re-render does not hide an altered analysis', async () => {
  const store = await storeOf(COMPLETED);
  await writeReport(store);
  const record = JSON.parse((await store.get('experiment.json')).toString()) as object;
  await store.replace('experiment.json', JSON.stringify({ ...record, leaks: ['folder lab/b1'] }));
  await writeReport(store);
  expect((await store.get('report.html')).includes('folder lab/b1')).toBe(true);
  const analysis = (await store.get('analysis.json')).toString();
  await store.replace('analysis.json', analysis.replace('"higher"', '"lower"'));
  const shown = (await store.get('report.html')).toString();
  await expect(renderAgain(store)).rejects.toThrow(/analysis\.json: its content changed/);
  // Refused before anything was written: what was exported is still there to be compared.
  expect((await store.get('report.html')).toString()).toBe(shown);
  expect((await verify(store)).problems.map((p) => p.path)).toContain('analysis.json');
});

test('a result that is written once may not change even for the experiment itself', async () => {
  const store = await storeOf(COMPLETED);
  await writeReport(store);
  const [path = ''] = (await store.list('trials/b1/')).filter((p) => p.endsWith('trial.json'));
  await store.replace(path, (await store.get(path)).toString().replace('"valid": true', '"valid":  true'));
  await expect(writeReport(store)).rejects.toThrow(/trial\.json: it was altered after the export/);
});

test('a re-render launders nothing when the manifest is gone, cut or not everything', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-report-'));
  const store = createFolderStore(folder);
  await fillStore(COMPLETED, store);
  await writeReport(store);
  await store.put('extra.txt', 'hi');
  await expect(renderAgain(store)).rejects.toThrow(/extra\.txt/);
  await rm(join(folder, 'extra.txt'));
  await store.replace('manifest.json', (await store.get('manifest.json')).subarray(0, 100));
  await expect(renderAgain(store)).rejects.toThrow(/manifest\.json/);
  await rm(join(folder, 'manifest.json'));
  await expect(renderAgain(store)).rejects.toThrow(/manifest\.json/);
  await rm(join(folder, 'manifest.sha256'));
  await expect(renderAgain(store)).rejects.toThrow(/manifest\.json: it is missing/);
  await rm(folder, { recursive: true });
});

test('results that were never exported are rendered, and get no manifest', async () => {
  const store = await storeOf(COMPLETED);
  expect(await renderAgain(store)).toBeNull();
  expect(await store.has('report.html')).toBe(true);
  expect(await store.has('manifest.json')).toBe(false);
});
