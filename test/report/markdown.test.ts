import { expect, test } from 'vitest';
import { markdownReport } from '../../src/report/markdown.ts';
import { ABORTED, COMPLETED, EVIL, HOSTILE, INCONCLUSIVE } from './fixture-cases.ts';
import { modelOf } from './harness.ts';

test('the answer, then the tables, the void attempts, the limits and the hash of the plan', async () => {
  const model = await modelOf(COMPLETED);
  const text = markdownReport(model);
  const parts = [
    '## How much does batch.size matter?',
    '**batch=64KiB is 2.4 times as fast',
    '| ✓ higher | batch=64KiB ÷ batch=4KiB |',
    '| scenario | median MiB/s |',
    '- Changed on the command line: --blocks 6.',
    '- block 3, batch=64KiB: capsule-lost',
    'What this does not prove',
    `plan \`${model.planSha256}\``,
  ];
  const places = parts.map((part) => text.indexOf(part));
  expect(
    places.every((p) => p >= 0),
    places.join(' '),
  ).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test('an aborted experiment and leaks are said before the answer', async () => {
  expect(markdownReport(await modelOf(ABORTED))).toMatch(
    /> ⚠ The experiment is aborted: .*\n\n\*\*No answer/,
  );
  expect(markdownReport(await modelOf(INCONCLUSIVE))).toContain('> ⚠ Teardown left behind: folder lab/b2');
});

test('names from a spec become no tag, no cell, no link, no mention and no emphasis', async () => {
  const text = markdownReport(await modelOf(HOSTILE));
  expect(text).not.toMatch(/<(?:script|img)|(?<!\\)\[|(?!\n)\p{Cc}|\u202e/u);
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
  for (const table of [rows.slice(0, 3), rows.slice(3)])
    for (const row of table) expect(cells(row), row).toBe(cells(table[0] ?? ''));
  expect(EVIL).toContain('<script>');
  expect(text).toContain('&lt;script&gt;');
});

test('a name that holds the signs of a table stays in its cell', async () => {
  const text = markdownReport(await modelOf({ ...COMPLETED, scenarios: ['a|b', 'c`d*e_f'] }));
  expect(text).toContain('| a\\|b |');
  expect(text).toContain('c\\`d\\*e\\_f');
});
