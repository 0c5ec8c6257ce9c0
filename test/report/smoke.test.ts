import { expect, test } from 'vitest';
import { terminalSummary } from '../../src/report/terminal.ts';
import { writeReport } from '../../src/report/write-report.ts';
import { COMPLETED, SMOKE } from './fixture-cases.ts';
import { modelOf, storeOf } from './harness.ts';

const FILES = ['report.html', 'report.md', 'trials.csv', 'samples.csv', 'summary.json'];

async function rendered(fixture: typeof SMOKE): Promise<Record<string, string>> {
  const store = await storeOf(fixture);
  await writeReport(store);
  const texts = await Promise.all(
    FILES.map(async (f) => [f, (await store.get(f)).toString('utf8')] as const),
  );
  return Object.fromEntries(texts);
}

test('a rehearsal says on every page and file, and in every row, that it is not a measurement', async () => {
  const files = await rendered(SMOKE);
  for (const path of FILES) expect(files[path], path).toMatch(/not a measurement/i);
  const page = files['report.html'] ?? '';
  expect(page.indexOf('NOT A MEASUREMENT')).toBeLessThan(page.indexOf('id="answer"'));
  expect(page).toContain('<title>not a measurement: ');
  expect(files['report.md']).toMatch(/^> \*\*NOT A MEASUREMENT\*\*/);
  for (const path of ['trials.csv', 'samples.csv']) {
    const [header, ...rows] = (files[path] ?? '').trimEnd().split('\r\n');
    expect(header).toMatch(/^stamp,/);
    for (const row of rows) expect(row).toMatch(/^not a measurement,/);
  }
  const text = terminalSummary(await modelOf(SMOKE), { width: 80, color: false, folder: 'r' });
  expect(text).toMatch(/^NOT A MEASUREMENT/);
  expect(text.trimEnd().split('\n').slice(-3).join('\n')).toContain('not a measurement');
});

test('a measurement carries no stamp', async () => {
  for (const [path, text] of Object.entries(await rendered(COMPLETED)))
    expect(text, path).not.toMatch(/not a measurement/i);
});

test('what the command line changed stands before the answer', async () => {
  const text = terminalSummary(await modelOf(SMOKE), { width: 80, color: false, folder: 'r' });
  expect(text.indexOf('! Changed on the command line: --smoke, --blocks 2.')).toBeGreaterThan(0);
  expect(text.indexOf('! Changed')).toBeLessThan(text.indexOf('cannot be decided'));
});
