import { expect, test } from 'vitest';
import { reportModel } from '../../src/report/model.ts';
import { loadResults } from '../../src/report/results.ts';
import { ABORTED, ABORTED_EARLY, COMPLETED, INCONCLUSIVE, UNDECIDED } from './fixture-cases.ts';
import { modelOf, resultsOf, storeOf } from './harness.ts';

test('a completed experiment: one primary effect, all trials in the order they ran, the void attempt made good', async () => {
  const model = await modelOf(COMPLETED);
  expect(model.outcome).toBe('completed');
  expect(model.answer.effect).toMatchObject({ word: 'higher', mark: 'decided', higherIn: 6, n: 6 });
  expect(model.answer.effect?.changes).toEqual({ 'producers.*.config.batch.size': ['4096', '65536'] });
  expect(model.counts).toEqual({ planned: 12, valid: 12, voided: 1, warmup: 4 });
  const order = model.trials.filter((t) => t.block === 3).map((t) => `${t.scenario} ${t.attempt}`);
  expect(order).toEqual(['batch=64KiB 1', 'batch=4KiB 1', 'batch=64KiB 2']);
  expect(model.voided).toMatchObject([
    { madeGood: true, warmup: false, reasons: [{ code: 'capsule-lost' }] },
  ]);
  expect(model.contradictions).toEqual([]);
});

test('an inconclusive and an undecidable answer carry marks of their own', async () => {
  expect((await modelOf(INCONCLUSIVE)).answer.effect).toMatchObject({ word: 'inconclusive', mark: 'open' });
  expect((await modelOf(UNDECIDED)).answer.effect).toMatchObject({
    word: 'cannot be decided',
    mark: 'undecidable',
  });
});

test('an aborted experiment has no answer, but shows what was measured', async () => {
  const model = await modelOf(ABORTED);
  expect(model.answer).toEqual({
    text: expect.stringMatching(/^No answer: the experiment was aborted/),
    effect: null,
    exists: false,
  });
  expect(model.counts).toEqual({ planned: 12, valid: 3, voided: 1, warmup: 4 });
  expect(model.scenarios).toMatchObject([
    { scenario: 'batch=4KiB', valid: 1, voided: 1, medianRecordsPerS: null, reasons: { aborted: 1 } },
    { scenario: 'batch=64KiB', valid: 2, voided: 0 },
  ]);
  const early = await resultsOf(ABORTED_EARLY);
  expect(early).toMatchObject({ frozen: null, analysis: null });
  expect(reportModel(early).counts).toMatchObject({ valid: 0, warmup: 2 });
});

test('an experiment whose end was not stored is unfinished', async () => {
  const model = reportModel({ ...(await resultsOf(ABORTED)), experiment: null });
  expect(model.outcome).toBe('unfinished');
  expect(model.answer.text).toContain('has not ended');
});

test('a flag on many trials is one line with all its places, joined to the line of the analysis', async () => {
  const flags = (await modelOf(COMPLETED)).flags.filter((f) => f.code === 'client-bound');
  expect(flags).toMatchObject([{ where: ['b2 batch=64KiB', 'b2 batch=4KiB'] }]);
});

test('files of two experiments in one folder are noticed', async () => {
  const results = await resultsOf(COMPLETED);
  const first = results.trials[0];
  if (!first) throw new Error('no trial');
  const mixed = {
    ...results,
    planSha256: 'f'.repeat(64),
    trials: [{ ...first, experimentKey: 'other-00000000' }],
  };
  expect(reportModel(mixed).contradictions).toEqual([
    'analysis.json was made from another plan than plan.json',
    'frozen.json belongs to another plan than plan.json',
    `trials of another experiment: ${first.id}`,
  ]);
});

test('a folder without a plan, a torn file and a foreign format are told apart in plain words', async () => {
  const store = await storeOf(COMPLETED);
  await store.replace('analysis.json', '{"format":2}');
  await expect(loadResults(store)).rejects.toThrow(
    /analysis\.json: its format is 2, this Assay reads format 1/,
  );
  await store.replace('analysis.json', '{"format":1,');
  await expect(loadResults(store)).rejects.toThrow(/analysis\.json: it is not JSON.*assay verify/);
  await store.replace('analysis.json', '{}');
  await expect(loadResults(store)).rejects.toThrow(/its format is not given/);
  const empty = { ...store, list: async () => [] };
  await expect(loadResults(empty)).rejects.toThrow(/there is no plan here.*results folder/);
});

test('overrides, what was done by hand, and scenarios left out are deviations, each a sentence', async () => {
  const results = await resultsOf(COMPLETED);
  const place = { block: 2, pass: null, position: 1, at: '2026-11-30T09:10:00.000Z', reason: 'lunch' };
  const model = reportModel({
    ...results,
    deviations: [{ ...place, kind: 'pause', lastedMs: 60_000, endedBy: 'resume' }],
    frozen: results.frozen && { ...results.frozen, leftOut: { 'batch=1MiB': 'the series ended before it' } },
  });
  expect(model.deviations).toEqual([
    'Changed on the command line: --blocks 6.',
    expect.stringMatching(/^Paused for 60 s before trial 1 of block 2 \(lunch\)/),
    'Not measured: batch=1MiB (the series ended before it).',
  ]);
  expect(model.smoke).toBe(false);
});
