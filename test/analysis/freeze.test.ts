import { describe, expect, test } from 'vitest';
import { countsForPass, freeze } from '../../src/analysis/freeze.ts';
import type { Plan } from '../../src/design/plan.ts';
import type { TrialRecord } from '../../src/measure/trial-record.ts';
import { makePlan, makeRecord, makeScenario, makeTrial, steady } from './make.ts';

const SHA = 'a'.repeat(64);
const PLOT = { config: {}, heapBytes: 2 ** 29, jit: 'full', apply: 'restart' } as const;

/** A load of n seconds that needs some seconds to come up to its rate, with a little regular noise. */
function curve(rate: number, seconds: number, rampS: number): number[] {
  return Array.from({ length: seconds }, (_, i) =>
    i < rampS ? rate * (0.2 + (0.5 * i) / Math.max(1, rampS)) : rate * (1 + 0.01 * Math.sin(7.3 * i)),
  );
}

function passTrial(pass: number, scenario: string, rate: number, seconds = 24, rampS = 4): TrialRecord {
  return makeTrial(0, scenario, rate, {
    pass,
    loads: [makeRecord(curve(rate, seconds, rampS), { steady: steady(rate) })],
  });
}

/** Two passes that agree: fast 100,000 records/s, slow 10,000. */
function agreeing(): readonly TrialRecord[] {
  return [1, 2].flatMap((pass) => [passTrial(pass, 'fast', 1e5), passTrial(pass, 'slow', 1e4)]);
}

describe('the ramp', () => {
  test('one cut for all scenarios, where the average of scaled curves levels off', () => {
    const frozen = freeze(makePlan(), SHA, agreeing());
    expect(frozen).toMatchObject({ rampMs: 4000, rampFrom: 'block-0', passes: 2, planSha256: SHA });
  });

  test('a fast scenario does not drown the ramp of a slow one', () => {
    const trials = [passTrial(1, 'fast', 1e6, 24, 0), passTrial(1, 'slow', 1e3, 60, 5)];
    // Unscaled, the slow one's rise would be a thousandth of the average and nothing would be cut.
    const { rampMs } = freeze(makePlan(), SHA, trials);
    expect(rampMs).toBeGreaterThanOrEqual(5000);
    expect(rampMs).toBeLessThanOrEqual(6000);
  });

  test('only the last pass counts', () => {
    const trials = [passTrial(1, 'fast', 1e5, 24, 9), passTrial(2, 'fast', 1e5, 24, 2)];
    expect(freeze(makePlan(), SHA, trials).rampMs).toBe(2000);
  });

  test('the shortest window stays, however long the rise', () => {
    const rising = makeRecord(Array.from({ length: 24 }, (_, i) => 1e5 * (1 + i)));
    const trial = makeTrial(0, 'fast', 1e5, { pass: 1, loads: [rising] });
    // 24 s less 2 s of tail leave 22; at least 15 must stay.
    const plan = makePlan({ window: { rampMs: null, over: 'own', minMs: 15_000 } });
    const { rampMs } = freeze(plan, SHA, [trial]);
    expect(rampMs).toBe(7000);
  });

  test('the tail is no part of it', () => {
    // The last two seconds collapse: counted, they would make every cut equally bad and move it.
    const withTail = makeRecord([...curve(1e5, 22, 4), 100, 100]);
    const trial = makeTrial(0, 'fast', 1e5, { pass: 1, loads: [withTail] });
    expect(freeze(makePlan(), SHA, [trial]).rampMs).toBe(4000);
  });

  test('the spec may set it', () => {
    const plan = makePlan({ window: { rampMs: 3000, over: 'own', minMs: 10_000 } });
    expect(freeze(plan, SHA, agreeing())).toMatchObject({ rampMs: 3000, rampFrom: 'spec' });
  });

  test('loads that are too short get a cut and a note', () => {
    const frozen = freeze(makePlan(), SHA, [passTrial(1, 'fast', 1e5, 8, 1)]);
    expect(frozen.rampMs).toBe(2000);
    expect(frozen.notes.join('\n')).toContain('too few to choose a ramp');
  });
});

describe('warm', () => {
  test('passes within 10 % are warm', () => {
    expect(freeze(makePlan(), SHA, agreeing())).toMatchObject({ warm: true, stillWarming: [] });
  });

  test('a scenario that moved by more is named', () => {
    const trials = [...agreeing(), passTrial(3, 'fast', 1.12e5), passTrial(3, 'slow', 1.05e4)];
    const frozen = freeze(makePlan(), SHA, trials);
    expect(frozen).toMatchObject({ warm: false, stillWarming: ['fast'], passes: 3 });
    expect(frozen.notes.join('\n')).toContain('fast: the rate moved by 12 %');
  });

  test('one pass agrees with nothing, nor does a scenario without a rate', () => {
    const [first, second] = agreeing();
    expect(
      freeze(
        makePlan(),
        SHA,
        [first, second].flatMap((t) => t ?? []),
      ).warm,
    ).toBe(false);
    const holed = agreeing().map((t) => (t.pass === 2 && t.scenario === 'slow' ? { ...t, rate: null } : t));
    expect(freeze(makePlan(), SHA, holed)).toMatchObject({ warm: false, stillWarming: ['slow'] });
  });

  test('without any trial it still ends, cold', () => {
    expect(freeze(makePlan(), SHA, [])).toMatchObject({ passes: 0, warm: false, expectedHalfWidth: null });
  });
});

describe('counts of the blocks', () => {
  test('records are as asked', () => {
    const plan = makePlan({}, { kind: 'records', records: 6_000_000 });
    expect(freeze(plan, SHA, agreeing()).counts).toEqual({ fast: { p: 6_000_000 }, slow: { p: 6_000_000 } });
  });

  test('a rate-limited duration is rate × time', () => {
    const limited = { recordsPerS: 500, count: { kind: 'duration', durationMs: 30_000 } } as const;
    const plan = makePlan({ scenarios: [makeScenario('fast', limited), makeScenario('slow', limited)] });
    expect(freeze(plan, SHA, agreeing()).counts).toEqual({ fast: { p: 15_000 }, slow: { p: 15_000 } });
  });

  test('a rate-limited load too short for its window says so', () => {
    const limited = { recordsPerS: 1e6, count: { kind: 'duration', durationMs: 10_000 } } as const;
    const plan = makePlan({ scenarios: [makeScenario('fast', limited), makeScenario('slow', limited)] });
    expect(freeze(plan, SHA, agreeing()).notes.join('\n')).toContain('6 s too short');
  });

  test('a duration is rate × time, each scenario at its own steady rate', () => {
    const plan = makePlan({}, { kind: 'duration', durationMs: 60_000 });
    const { counts } = freeze(plan, SHA, agreeing());
    expect((counts['fast']?.['p'] ?? 0) / 6e6).toBeCloseTo(1, 2);
    expect((counts['slow']?.['p'] ?? 0) / 6e5).toBeCloseTo(1, 2);
  });

  test('the tail is no part of the rate', () => {
    const load = makeRecord([...Array.from({ length: 22 }, () => 1e5), 0, 0]);
    const plan = makePlan({}, { kind: 'duration', durationMs: 60_000 });
    const frozen = freeze(plan, SHA, [makeTrial(0, 'fast', 1e5, { pass: 1, loads: [load] })]);
    expect(frozen.counts['fast']).toEqual({ p: 6_000_000 });
  });

  test('a short duration is stretched so that ramp, window and tail hold even a quarter faster', () => {
    const plan = makePlan({}, { kind: 'duration', durationMs: 5_000 });
    const frozen = freeze(plan, SHA, agreeing());
    // fast: ramp 4 s + window 10 s + tail 2 s; slow, 10 MB/s: its 32 MiB buffer makes the tail 3.4 s at the steady rate.
    expect((frozen.counts['fast']?.['p'] ?? 0) / 1e5).toBeCloseTo(1.25 * 16, 0);
    expect((frozen.counts['slow']?.['p'] ?? 0) / 1e4).toBeCloseTo(1.25 * 17.4, 0);
    expect(frozen.notes.join('\n')).toContain('fast: p was asked for 5 s and runs about 20 s');
  });

  test('counts are cut to the limit of written bytes, block 0 and all copies included', () => {
    const limit = 60e9;
    const base = makePlan({}, { kind: 'duration', durationMs: 60_000 });
    const plan: Plan = { ...base, estimates: { ...base.estimates, writtenBytesLimit: limit } };
    const block0 = agreeing();
    const frozen = freeze(plan, SHA, block0);
    const inBlock0 = block0.flatMap((t) => t.loads).reduce((sum, l) => sum + l.asked * 1000 * 3, 0);
    const perBlock = ['fast', 'slow'].reduce((sum, s) => sum + (frozen.counts[s]?.['p'] ?? 0) * 1000 * 3, 0);
    expect(inBlock0 + 6 * perBlock).toBeLessThanOrEqual(limit);
    expect(inBlock0 + 6 * perBlock).toBeGreaterThan(0.99 * limit);
    expect(frozen.notes.join('\n')).toContain('counts are cut to');
    // Both run for the same share of their time.
    expect((frozen.counts['fast']?.['p'] ?? 0) / (frozen.counts['slow']?.['p'] ?? 1)).toBeCloseTo(10, 1);
  });

  test.each([
    ['broker settings vary, and each is warmed once a block', { plots: { a: PLOT, b: PLOT } }, 12],
    ['later labs are warmed', { labs: 3 }, 6 + 2 * 3],
  ])('the limit of written bytes holds also where %s', (_, over, passes) => {
    const limit = 60e9;
    const base = makePlan(over, { kind: 'duration', durationMs: 60_000 });
    const plan: Plan = { ...base, estimates: { ...base.estimates, writtenBytesLimit: limit } };
    const block0 = agreeing();
    const frozen = freeze(plan, SHA, block0);
    const inBlock0 = block0.flatMap((t) => t.loads).reduce((sum, l) => sum + l.asked * 1000 * 3, 0);
    const perPass = ['fast', 'slow'].reduce((sum, s) => sum + (frozen.counts[s]?.['p'] ?? 0) * 1000 * 3, 0);
    expect(inBlock0 + passes * perPass).toBeLessThanOrEqual(limit);
    expect(inBlock0 + passes * perPass).toBeGreaterThan(0.98 * limit);
  });

  test('a scenario without any rate runs the pilot and is named', () => {
    const frozen = freeze(makePlan(), SHA, [passTrial(1, 'fast', 1e5)]);
    expect(frozen.counts['slow']).toEqual({ p: 20_000 });
    expect(frozen.notes.join('\n')).toContain('slow: block 0 gave no rate for p');
  });
});

test('the expected half-width comes from the spread of lines within trials and says that it is a guess', () => {
  const frozen = freeze(makePlan(), SHA, agreeing());
  // sd of 0.01·sin is 0.0071; √2 of it, t₅ ÷ √6 = 1.0494.
  expect(frozen.expectedHalfWidth).toBeCloseTo(Math.SQRT2 * 0.0071 * 1.0494, 3);
  expect(frozen.notes.join('\n')).toContain('a first guess');
});

describe('counts of a pass', () => {
  test('pass 1 is a short pilot: 20,000 records, or 32 MiB of large ones', () => {
    expect(countsForPass(makePlan(), 1, [])).toEqual({ fast: { p: 20_000 }, slow: { p: 20_000 } });
    const large = makePlan({
      payloads: [{ name: 'json', kind: 'json', lines: 100, recordBytes: 2 ** 20, padding: 0, seed: 1 }],
    });
    expect(countsForPass(large, 1, [])['fast']).toEqual({ p: 32 });
  });

  test('a rate-limited load pilots 5 s, then its whole duration', () => {
    const limited = { recordsPerS: 500, count: { kind: 'duration', durationMs: 30_000 } } as const;
    const plan = makePlan({ scenarios: [makeScenario('fast', limited)] });
    expect(countsForPass(plan, 1, [])['fast']).toEqual({ p: 2500 });
    expect(countsForPass(plan, 2, [])['fast']).toEqual({ p: 15_000 });
  });

  test('records are as asked in every pass', () => {
    const plan = makePlan({}, { kind: 'records', records: 123 });
    expect(countsForPass(plan, 1, [])['fast']).toEqual({ p: 123 });
  });

  test('pass 2 goes by the best whole line of the pilot, or by twice its total when it has none', () => {
    const pilot = (scenario: string, rates: readonly number[], total: number) =>
      makeTrial(0, scenario, null, { pass: 1, loads: [makeRecord(rates, { totalRecordsPerS: total })] });
    const counts = countsForPass(makePlan({}, { kind: 'duration', durationMs: 100_000 }), 2, [
      pilot('fast', [9500, 9000, 5000], 4000),
      pilot('slow', [], 4000),
    ]);
    expect(counts['fast']).toEqual({ p: 900_000 });
    expect(counts['slow']).toEqual({ p: 800_000 });
  });

  test('pass 3 goes by the steady rate of pass 2', () => {
    const plan = makePlan({}, { kind: 'duration', durationMs: 60_000 });
    const counts = countsForPass(plan, 3, [passTrial(2, 'fast', 1e5), passTrial(2, 'slow', 1e4)]);
    expect((counts['fast']?.['p'] ?? 0) / 6e6).toBeCloseTo(1, 2);
  });

  test('no pass writes more than its share of the limit', () => {
    const base = makePlan({}, { kind: 'duration', durationMs: 60_000 });
    const plan: Plan = { ...base, estimates: { ...base.estimates, writtenBytesLimit: 9e9 } };
    const counts = countsForPass(plan, 2, [passTrial(1, 'fast', 1e5), passTrial(1, 'slow', 1e4)]);
    const bytes = ['fast', 'slow'].reduce((sum, s) => sum + (counts[s]?.['p'] ?? 0) * 3000, 0);
    expect(bytes).toBeLessThanOrEqual(1e9);
    expect(bytes).toBeGreaterThan(0.99e9);
  });
});
