import { describe, expect, test } from 'vitest';
import { blocksWithinBudget } from '../../src/analysis/budget.ts';
import { writtenBytesOf } from '../../src/analysis/counts.ts';
import { countsForPass, freeze } from '../../src/analysis/freeze.ts';
import type { ConsumerLoad, FillPlan, Plan } from '../../src/design/plan.ts';
import { makePlan, makeRecord, makeScenario, makeTrial, steady } from './make.ts';

const SHA = 'a'.repeat(64);
const FILL: FillPlan = { records: 1_000_000, payload: 'json', each: 'experiment', cache: 'asis' };

function consumer(over: Partial<ConsumerLoad> = {}): ConsumerLoad {
  return {
    name: 'c',
    kind: 'consumer',
    topic: 'archive',
    on: 'c1',
    heapBytes: 2 ** 29,
    config: {},
    count: { kind: 'topic', share: 1 },
    group: 'c',
    members: 1,
    from: 'earliest',
    idleMs: 10_000,
    ...over,
  };
}

/** A producer of 100,000 records to `main` and a consumer. */
function planWith(load: Partial<ConsumerLoad>, fill: FillPlan | null = FILL): Plan {
  const base = makeScenario('one', { count: { kind: 'records', records: 100_000 } });
  const archive = { name: 'archive', partitions: 6, replication: 3, config: {}, fill };
  const one = { ...base, topics: [...base.topics, archive], loads: [...base.loads, consumer(load)] };
  return makePlan({ scenarios: [one], orders: [['one']], contrasts: [] });
}

const firstPass = (plan: Plan): number => countsForPass(plan, 1, []).one?.['c'] ?? 0;
const read = (perS: number) => [
  makeTrial(0, 'one', perS, {
    pass: 1,
    loads: [{ ...makeRecord([]), name: 'c', kind: 'consumer', steady: steady(perS, { over: 'fetch' }) }],
  }),
];

describe('records of a consumer', () => {
  test('are as asked', () => {
    expect(firstPass(planWith({ count: { kind: 'records', records: 77 } }))).toBe(77);
  });

  test('are all that its topic holds, or a share of it', () => {
    expect(firstPass(planWith({}))).toBe(1_000_000);
    expect(firstPass(planWith({ count: { kind: 'topic', share: 0.45 }, members: 2 }))).toBe(450_000);
  });

  test('hold what the producers of the trial add; from the end of a topic nothing else', () => {
    const main = (from: ConsumerLoad['from']) => planWith({ topic: 'main', from }, null);
    expect(firstPass(main('earliest'))).toBe(100_000);
    const filled = (from: ConsumerLoad['from']): Plan => {
      const plan = main(from);
      const scenarios = plan.scenarios.map((s) => ({
        ...s,
        topics: s.topics.map((t) => (t.name === 'main' ? { ...t, fill: { ...FILL, records: 50_000 } } : t)),
      }));
      return { ...plan, scenarios };
    };
    expect(firstPass(filled('earliest'))).toBe(150_000);
    expect(firstPass(filled('latest'))).toBe(100_000);
  });

  test('of a time are a pilot first, then what the time takes at the fetch-time rate, never more than there is', () => {
    const plan = planWith({ count: { kind: 'duration', durationMs: 20_000 } });
    // 128 MiB of 1,000 B are fewer than 200,000 records.
    expect(firstPass(plan)).toBe(134_217);
    expect(countsForPass(plan, 2, read(30_000)).one?.['c']).toBe(600_000);
    expect(countsForPass(plan, 2, read(90_000)).one?.['c']).toBe(1_000_000);
  });

  test('a member of a group never asks for more than its share', () => {
    const plan = planWith({ count: { kind: 'duration', durationMs: 20_000 }, members: 2 });
    expect(countsForPass(plan, 2, read(90_000)).one?.['c']).toBe(450_000);
  });

  test('alone leave nothing to choose a ramp from, and nothing to complain of', () => {
    const plan = planWith({});
    const scenarios = plan.scenarios.map((s) => ({
      ...s,
      loads: s.loads.filter((l) => l.kind === 'consumer'),
    }));
    expect(freeze({ ...plan, scenarios }, SHA, read(30_000))).toMatchObject({
      rampMs: 0,
      counts: { one: { c: 1_000_000 } },
    });
    expect(freeze({ ...plan, scenarios }, SHA, read(30_000)).notes.join('\n')).not.toContain('ramp');
  });

  test('that do not last for the time asked are noted when they are frozen', () => {
    const plan = planWith({ count: { kind: 'duration', durationMs: 20_000 } });
    const frozen = freeze(plan, SHA, read(90_000));
    expect(frozen.counts.one?.['c']).toBe(1_000_000);
    expect(frozen.notes.join('\n')).toContain(
      'c was asked to read for 20 s, and all it can get of topic archive lasts about 11 s',
    );
    expect(freeze(plan, SHA, read(30_000)).notes.join('\n')).not.toContain('was asked to read');
  });
});

describe('written bytes', () => {
  const fillBytes = 1_000_000 * 1_000 * 3;
  const trials = [1, 2].map((pass) => makeTrial(0, 'one', 1, { pass, loads: [makeRecord([100_000])] }));
  const sentBytes = 2 * 100_000 * 1_000 * 3;

  test('hold a kept fill once, a fresh one for each attempt, and what producers sent', () => {
    expect(writtenBytesOf(planWith({}), trials)).toBe(sentBytes + fillBytes);
    expect(writtenBytesOf(planWith({}, { ...FILL, each: 'attempt' }), trials)).toBe(
      sentBytes + 2 * fillBytes,
    );
  });

  test('of fresh fills leave fewer blocks of a budget', () => {
    const limited = (fill: FillPlan): Plan => {
      const plan = planWith({}, fill);
      return { ...plan, estimates: { ...plan.estimates, writtenBytesLimit: 20e9 } };
    };
    const counts = { one: { p: 100_000, c: 1_000_000 } };
    expect(blocksWithinBudget(limited(FILL), counts, [])).toBe(66);
    expect(blocksWithinBudget(limited({ ...FILL, each: 'attempt' }), counts, [])).toBe(6);
  });
});
