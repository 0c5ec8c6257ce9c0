import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QuietConfig, QuietState } from '../../src/measure/quiet.ts';
import {
  observe,
  passTime,
  quietOutcome,
  quietProgress,
  quietReading,
  startQuiet,
  worstOutcome,
} from '../../src/measure/quiet.ts';
import { readSamples } from '../../src/measure/sample.ts';
import { unclean } from './helpers.ts';
import { samplerText } from './sampler-text.ts';

const MIB = 1024 * 1024;
const CONFIG: QuietConfig = {
  method: 'wait',
  baseDirtyBytes: 10 * MIB,
  dirtyBytes: 64 * MIB,
  deviceWriteBytesPerS: MIB,
  quietMs: 5000,
  limitMs: 60_000,
  deviceKnown: true,
};

/** Feeds one reading a second: [dirty MiB, device MiB/s]. */
function run(
  readings: readonly (readonly [number | null, number | null])[],
  config: QuietConfig = CONFIG,
): QuietState {
  return readings.reduce<QuietState>(
    (state, [dirty, writes], at) =>
      observe(state, {
        atMs: 1000 + at * 1000,
        dirtyBytes: dirty === null ? null : dirty * MIB,
        deviceWriteBytesPerS: writes === null ? null : writes * MIB,
      }),
    startQuiet(config, 1000),
  );
}

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('QUIET', () => {
  it('comes after five seconds without a break, not before', () => {
    expect(run(times(5, [20, 0.1] as const)).ended).toBeNull();
    expect(quietOutcome(run(times(6, [20, 0.1] as const)))).toMatchObject({
      outcome: 'QUIET',
      tookMs: 5000,
      method: 'wait',
    });
  });

  it.each([
    [4990, 'QUIET'],
    [4980, undefined],
  ])('allows for one step of the clock, and no more: %i ms', (atMs, outcome) => {
    const quiet = { dirtyBytes: 20 * MIB, deviceWriteBytesPerS: 0 };
    const after = [0, 1000, 2000, 3000, 4000, atMs].reduce<QuietState>(
      (state, at) => observe(state, { ...quiet, atMs: at }),
      startQuiet(CONFIG, 0),
    );
    expect(after.ended?.outcome).toBe(outcome);
  });

  it('one loud second starts the count anew', () => {
    const loud = [...times(4, [20, 0.1] as const), [20, 5] as const];
    expect(run([...loud, ...times(5, [20, 0.1] as const)]).ended).toBeNull();
    expect(quietOutcome(run([...loud, ...times(6, [20, 0.1] as const)]))?.tookMs).toBe(10_000);
  });

  it('needs both: little dirty memory and few device writes', () => {
    expect(run(times(20, [20, 1.5] as const)).ended).toBeNull();
    expect(run(times(20, [75, 0] as const)).ended).toBeNull();
    expect(run(times(6, [73, 0] as const)).ended?.outcome).toBe('QUIET');
  });

  it('must be seen: unread values are not quiet, and neither is a silence of the sampler', () => {
    expect(run(times(20, [null, 0] as const)).ended).toBeNull();
    expect(run(times(20, [20, null] as const)).ended).toBeNull();
    let state = startQuiet(CONFIG, 0);
    state = observe(state, { atMs: 0, dirtyBytes: 0, deviceWriteBytesPerS: 0 });
    state = observe(state, { atMs: 9000, dirtyBytes: 0, deviceWriteBytesPerS: 0 });
    expect(state.ended).toBeNull();
  });

  it('without a known device dirty memory decides', () => {
    expect(run(times(6, [20, null] as const), { ...CONFIG, deviceKnown: false }).ended?.outcome).toBe(
      'QUIET',
    );
  });

  it('sync too has to be seen quiet, and its name is recorded', () => {
    const config = { ...CONFIG, method: 'sync' as const };
    expect(run(times(2, [20, 0] as const), config).ended).toBeNull();
    expect(quietOutcome(run(times(6, [20, 0] as const), config))?.method).toBe('sync');
  });
});

describe('PLATEAU and TIMEOUT', () => {
  it('500, 410, 400, 400 … with a target below never ends the wait by itself: PLATEAU', () => {
    const state = run([[500, 9], [410, 9], ...times(58, [400, 2] as const)]);
    expect(quietOutcome(state)).toMatchObject({ outcome: 'PLATEAU', tookMs: 40_000 });
  });

  it('the same in 15 s when the kernel is known not to hold pages back', () => {
    const state = run([[500, 9], [410, 9], ...times(58, [400, 2] as const)], {
      ...CONFIG,
      plateauNotBeforeMs: 0,
    });
    expect(quietOutcome(state)).toMatchObject({ outcome: 'PLATEAU', tookMs: 16_000 });
  });

  it('dirty pages that Linux holds for 30 s and then writes are no plateau', () => {
    const state = run([
      ...times(31, [1100, 0] as const),
      [600, 300],
      [200, 300],
      ...times(10, [12, 0] as const),
    ]);
    expect(quietOutcome(state)).toMatchObject({ outcome: 'QUIET', tookMs: 38_000 });
  });

  it('what falls by 1 % a second is no plateau, and ends at the limit', () => {
    const state = run(Array.from({ length: 70 }, (_, at) => [5000 * 0.99 ** at, 30] as const));
    expect(quietOutcome(state)).toMatchObject({ outcome: 'TIMEOUT', tookMs: 60_000 });
  });

  it('a silent sampler ends at the limit', () => {
    const state = startQuiet(CONFIG, 1000);
    expect(passTime(state, 60_999).ended).toBeNull();
    expect(quietOutcome(passTime(state, 61_000))).toEqual({
      outcome: 'TIMEOUT',
      method: 'wait',
      tookMs: 60_000,
      baseDirtyBytes: 10 * MIB,
      curve: [],
    });
  });
});

it('the countdown: time to quiet, time to the limit', () => {
  const state = run(times(3, [20, 0] as const));
  expect(quietProgress(state, 3000)).toMatchObject({
    phase: 'calming',
    quietInMs: 3000,
    limitInMs: 58_000,
    aboveBaseBytes: 10 * MIB,
  });
  expect(quietProgress(run([[500, 9]]), 1000)).toMatchObject({
    phase: 'writing',
    quietInMs: null,
    dirtyBytes: 500 * MIB,
  });
});

it('the judge always ends, whatever it sees, and says nothing that is no number', () => {
  const reading = fc.record({
    atMs: fc.oneof(fc.integer({ min: -1000, max: 200_000 }), fc.constant(Number.NaN)),
    dirtyBytes: fc.option(fc.integer({ min: 0, max: 2_000_000_000 })),
    deviceWriteBytesPerS: fc.option(fc.integer({ min: 0, max: 5_000_000 })),
  });
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 300 }), (readings) => {
      let state = startQuiet(CONFIG, 0);
      for (const one of readings) state = observe(state, one);
      state = passTime(state, 60_000);
      const outcome = quietOutcome(state);
      expect(outcome).not.toBeNull();
      expect(unclean([outcome, quietProgress(state, 60_000)])).toEqual([]);
      expect(observe(state, { atMs: 999_999, dirtyBytes: 0, deviceWriteBytesPerS: 0 })).toBe(state);
    }),
  );
});

it('the curve of a long wait is thinned, not cut', () => {
  const state = run(times(5000, [5000, 5] as const), {
    ...CONFIG,
    limitMs: 4_900_000,
    plateauNotBeforeMs: 9e9,
  });
  expect(state.curve.length).toBeLessThanOrEqual(600);
  expect(state.curve.length).toBeGreaterThan(290);
  expect(state.curve.at(-1)?.atMs).toBeGreaterThan(4_800_000);
});

it('several machines are as quiet as the worst, and not done before the last', () => {
  const quiet = quietOutcome(run(times(6, [20, 0] as const)));
  const timeout = quietOutcome(passTime(startQuiet(CONFIG, 0), 60_000));
  expect(worstOutcome([quiet, null])).toBeNull();
  expect(worstOutcome([quiet, timeout, quiet])?.outcome).toBe('TIMEOUT');
  expect(worstOutcome([quiet])?.outcome).toBe('QUIET');
});

it('a reading from two samples; the first knows no rate yet', () => {
  const [first, second] = readSamples(samplerText(2)).samples;
  if (first === undefined || second === undefined) throw new Error('two samples were written');
  expect(quietReading(null, first)).toEqual({
    atMs: 500_000,
    dirtyBytes: 104 * 1024,
    deviceWriteBytesPerS: null,
  });
  expect(quietReading(first, second).deviceWriteBytesPerS).toBeCloseTo(2000 * 512, 3);
});
