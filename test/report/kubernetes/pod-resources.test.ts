import { expect, test } from 'vitest';
import { podResourceRows } from '../../../src/report/kubernetes/pod-resources.ts';
import { podSamples } from '../../../src/report/kubernetes/pod-samples.ts';
import { loadResults } from '../../../src/report/results.ts';
import { sampleFiles } from '../../../src/report/write-report.ts';
import { storeInPods, WRITES } from './fixture.ts';

async function inPods() {
  const store = await storeInPods();
  const results = await loadResults(store);
  return { results, samplesOf: podSamples(await sampleFiles(store, results.files)) };
}

test('a row for each pod from its own sampler: brokers, and clients that had loads', async () => {
  const { results, samplesOf } = await inPods();
  const rows = podResourceRows(results.plan, results.trials, samplesOf);
  expect(rows.map(({ scenario, who, n }) => `${scenario} ${who ?? ''} ${n}`)).toEqual(
    results.plan.scenarios.flatMap(({ slug }) =>
      ['broker b1', 'broker b2', 'broker b3', 'client c1'].map((who) => `${slug} ${who} 2`),
    ),
  );
  const of = (i: number) => Object.fromEntries(rows[i]?.figures.map(({ name, text }) => [name, text]) ?? []);
  // 8 ticks of 100 a second.
  expect(of(0)).toMatchObject({
    'brokers, cores': '0.08',
    'clients, cores': null,
    'device writes, MiB/s': WRITES.b1.deviceMiBps.toFixed(1),
  });
  expect(of(1)).toMatchObject({ 'device writes, MiB/s': WRITES.b2.deviceMiBps.toFixed(1) });
  expect(of(3)).toMatchObject({
    'brokers, cores': null,
    'clients, cores': '0.08',
    'device writes, MiB/s': null,
    'throttled by its CPU limit': null,
  });
});

test('void attempts, block 0 and pods without samples enter nothing', async () => {
  const { results, samplesOf } = await inPods();
  const voided = results.trials.map((t) => ({ ...t, verdict: { ...t.verdict, valid: false } }));
  expect(podResourceRows(results.plan, voided, samplesOf)).toEqual([]);
  expect(podResourceRows(results.plan, results.trials, () => [])).toEqual([]);
});
