import { expect, test } from 'vitest';
import type { CapacityResult, ExpectationResult } from '../../src/analysis/analysis.ts';
import { htmlReport } from '../../src/report/html.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { reportModel } from '../../src/report/model.ts';
import { terminalSummary } from '../../src/report/terminal.ts';
import { COMPLETED } from './fixture-cases.ts';
import { resultsOf } from './harness.ts';

const EXPECTATIONS: readonly ExpectationResult[] = [
  {
    text: 'rate of batch=64KiB ≥ 60 MiB/s',
    outcome: 'passed',
    metric: 'byteRate',
    estimate: 64 * 2 ** 20,
    interval: { low: 62 * 2 ** 20, high: 66 * 2 ** 20, confidence: 0.95 },
    unit: 'bytes/s',
    n: 6,
    because: 'the whole interval is inside',
  },
  {
    text: 'p99 of batch=4KiB ≤ 50 ms',
    outcome: 'failed',
    metric: 'p99',
    estimate: 720,
    interval: { low: 700, high: 740, confidence: 0.95 },
    unit: 'ms',
    n: 6,
    because: 'the whole interval is outside',
  },
  {
    text: 'rate of batch=64KiB versus batch=4KiB ≥ 3',
    outcome: 'inconclusive',
    metric: 'rate',
    estimate: null,
    interval: null,
    unit: 'ratio',
    n: 1,
    because: 'one block says nothing',
  },
];
const CAPACITY: CapacityResult = {
  target: 'batch=4KiB',
  candidate: 20_000,
  points: [
    { scenario: 'g1', recordsPerS: 19_000, blocks: 6, passed: 6, probability: 1 },
    { scenario: 'g2', recordsPerS: 21_000, blocks: 6, passed: 2, probability: 1 / 3 },
  ],
  capacity: 19_000,
  failureBelow: 0.39,
  bracketed: true,
  decided: true,
  sentence: 'it keeps 19,000 records/s',
};

async function model() {
  const results = await resultsOf(COMPLETED);
  if (!results.analysis) throw new Error('no analysis');
  const analysis = { ...results.analysis, expectations: EXPECTATIONS, capacities: [CAPACITY] };
  return reportModel({ ...results, analysis });
}

test('expectations stand before the answer everywhere, each with sign, figure, unit and n', async () => {
  const pages = {
    terminal: terminalSummary(await model(), { width: 120, color: false, folder: 'r' }),
    markdown: markdownReport(await model()),
    html: htmlReport(await model()),
  };
  for (const [name, page] of Object.entries(pages)) {
    const answer = page.indexOf('batch=64KiB is 2.4 times');
    expect(answer, name).toBeGreaterThan(0);
    for (const sign of ['✓', '✗', '?']) expect(page.indexOf(sign), `${name} ${sign}`).toBeLessThan(answer);
    for (const text of [
      '64.0 MiB/s (62.0 to 66.0), n 6',
      '720 ms (700 to 740), n 6',
      'no estimate from 1 block',
    ])
      expect(page.indexOf(text), `${name}: ${text}`).toBeGreaterThan(0);
  }
  expect(pages.html.indexOf('id="expectations"')).toBeLessThan(pages.html.indexOf('id="answer"'));
});

test('a capacity is a sentence with the rates that it rests on', async () => {
  const page = htmlReport(await model());
  expect(page).toMatch(
    /it keeps 19,000 records\/s[\s\S]*21,000<\/td><td class="n">2 of 6<\/td><td class="n">33 %/,
  );
  const text = terminalSummary(await model(), { width: 120, color: false, folder: 'r' });
  expect(text).toContain(
    'batch=4KiB: it keeps 19,000 records/s\n· 19,000 records/s: passed in 6 of 6 blocks',
  );
});

test('without expectations and searches nothing is said of them', async () => {
  const plain = reportModel(await resultsOf(COMPLETED));
  expect(plain.expectations).toEqual([]);
  expect(htmlReport(plain)).not.toMatch(/id="(?:expectations|capacity)"/);
});
