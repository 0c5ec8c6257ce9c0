import { expect, test } from 'vitest';
import { loadLimitsMs } from '../../src/analysis/load-limits.ts';
import { makePlan, makeRecord, makeScenario, makeTrial } from './make.ts';

const START_MS = 100_000;

test('a load has four times what it should take, by its own rate in the pass before', () => {
  const plan = makePlan({ scenarios: [makeScenario('one')] });
  const before = [makeTrial(0, 'one', null, { pass: 1, loads: [makeRecord([1_000, 1_000])] })];
  expect(loadLimitsMs(plan, { one: { p: 60_000 } }, before)).toEqual({ one: START_MS + 4 * 60_000 });
});

test('the slowest of several loads decides, not their sum', () => {
  const scenario = makeScenario('one');
  const [p] = scenario.loads;
  const two = { ...scenario, loads: [p!, { ...p!, name: 'q', recordsPerS: 100 }] };
  const loads = [makeRecord([10_000])];
  const before = [makeTrial(0, 'one', null, { pass: 1, loads })];
  const limits = loadLimitsMs(makePlan({ scenarios: [two] }), { one: { p: 600_000, q: 3_000 } }, before);
  expect(limits).toEqual({ one: START_MS + 4 * 60_000 });
});

test('a rate limit is known before anything ran', () => {
  const plan = makePlan({ scenarios: [makeScenario('one', { recordsPerS: 1_000 })] });
  expect(loadLimitsMs(plan, { one: { p: 1_200_000 } }, [])).toEqual({ one: START_MS + 4 * 1_200_000 });
});

test('without any rate a large count has room to be as slow as anything that is measured', () => {
  const plan = makePlan({ scenarios: [makeScenario('one')] });
  expect(loadLimitsMs(plan, { one: { p: 20_000 } }, [])['one']).toBe(10_000 + 8 * 60_000);
  // 6 GB at 4 MiB/s take 1,430 s.
  expect(loadLimitsMs(plan, { one: { p: 6_000_000 } }, [])['one']).toBeGreaterThan(4 * 1_430_000);
});
