import { expect, test } from 'vitest';
import { memorySeries } from '../../src/report/memory.ts';
import { resourceRows } from '../../src/report/resources.ts';
import { COMPLETED } from './fixture-cases.ts';
import { plan } from './fixture-plan.ts';
import { trials } from './fixture-trials.ts';
import { modelOf } from './harness.ts';

const figures = (all: ReturnType<typeof trials>, scenario = 0) =>
  Object.fromEntries(
    (resourceRows(plan(COMPLETED), all)[scenario]?.figures ?? []).map((f) => [f.name, [f.text, f.n]]),
  );

test('medians over valid trials of measured blocks, each with its n; what is unknown stays unknown', () => {
  const all = trials(COMPLETED);
  expect(resourceRows(plan(COMPLETED), all).map((r) => [r.scenario, r.n])).toEqual([
    ['batch=4KiB', 6],
    ['batch=64KiB', 6],
  ]);
  expect(figures(all)).toMatchObject({
    'brokers, cores': [null, 0],
    'clients, cores': ['0.83', 6],
    'device writes, MiB/s': ['57.2', 6],
    'network in, MiB/s': ['38.1', 6],
    'waiting for CPU (PSI)': ['20 %', 6],
    'waiting for I/O (PSI)': [null, 0],
    'dirty memory at most, MiB': ['381', 6],
  });
});

test('a figure that is known in some trials only says in how many', () => {
  const all = trials(COMPLETED).map((t) =>
    t.block < 3 && t.host !== null ? { ...t, host: { ...t.host, deviceBusyShare: null } } : t,
  );
  expect(figures(all)['device busy']).toEqual(['40 %', 4]);
});

test('a void trial, block 0 and a trial without samples enter no figure', () => {
  const none = trials(COMPLETED).map((t) => ({ ...t, host: null }));
  expect(resourceRows(plan(COMPLETED), none)).toEqual([]);
  const odd = trials(COMPLETED).map((t) =>
    t.host !== null && (t.block === 0 || !t.verdict.valid)
      ? { ...t, host: { ...t.host, clientCores: { p: 99 } } }
      : t,
  );
  expect(figures(odd, 1)['clients, cores']).toEqual(['0.83', 6]);
});

test('dirty memory lies on the clock of the load: settle before 0, drain after its end', async () => {
  const series = (await modelOf(COMPLETED)).memory;
  expect(series).toHaveLength(trials(COMPLETED).length);
  const [one] = series;
  expect(one?.points[0]?.atS).toBeCloseTo(-4, 2);
  expect(one?.points.at(-1)?.atS).toBeCloseTo(26, 2);
  expect(one?.loadEndS).toBe(20);
  expect(one?.points[4]).toMatchObject({ dirtyBytes: 900 * 1024, writebackBytes: 0 });
  expect(Math.max(...(one?.points ?? []).map((p) => p.writebackBytes ?? 0))).toBe(3000 * 1024);
});

test('a trial whose load never started, and one without a sampler file, have no such series', () => {
  const [one] = trials(COMPLETED);
  if (!one) throw new Error('no trial');
  const file = { path: `trials/${one.id}/sampler.jsonl`, text: '' };
  const never = { ...one, loads: one.loads.map((l) => ({ ...l, startedAtMs: null })) };
  expect(memorySeries([never], [file])).toEqual([]);
  expect(memorySeries([one], [])).toEqual([]);
  expect(memorySeries([one], [file])).toEqual([]);
});
