import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SettlePlan } from '../../src/design/plan.ts';
import { quietConfigOf, quietFollows } from '../../src/measure/derive-quiet.ts';
import { observe, passTime, quietOutcome, quietReading, startQuiet } from '../../src/measure/quiet.ts';
import { readSamples, type Samples } from '../../src/measure/sample.ts';
import type { SettleOutcome } from '../../src/measure/trial-record.ts';
import { samplerText } from './sampler-text.ts';

const MIB = 2 ** 20;
const PLAN: SettlePlan = {
  method: 'sync',
  quietMs: 2_000,
  limitMs: 12_000,
  drainMs: 6_000,
  dirtyBytes: 4 * MIB,
  deviceWriteBytesPerS: 2 * MIB,
};
const CONFIG = quietConfigOf(PLAN, 'settle', { baseDirtyBytes: MIB, deviceKnown: true });

/** As the activity watches: from a sample on, in order, until it ends or its time passes. */
function watched(samples: Samples, from: number): SettleOutcome {
  const seen = samples.samples.slice(from);
  let state = startQuiet(CONFIG, seen[0]?.uptimeMs[1] ?? 0);
  seen.forEach((sample, i) => {
    state = observe(state, quietReading(seen[i - 1] ?? null, sample));
  });
  return quietOutcome(passTime(state, state.startedAtMs + CONFIG.limitMs + 700)) as SettleOutcome;
}

const run = fc.record({
  dirtyKib: fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 3, maxLength: 25 }),
  from: fc.nat({ max: 24 }),
});
const samplesOf = (dirtyKib: readonly number[]): Samples =>
  readSamples(samplerText(dirtyKib.length, { edit: (one, at) => ({ ...one, dirty: dirtyKib[at] ?? 0 }) }));

describe('settle and drain from the samples', () => {
  it('what was watched follows from the samples, wherever it began', () => {
    fc.assert(
      fc.property(run, ({ dirtyKib, from }) => {
        const samples = samplesOf(dirtyKib);
        expect(quietFollows(samples, CONFIG, watched(samples, from % dirtyKib.length))).toBe(true);
      }),
    );
  });

  it('another time, end, base or point of the curve does not', () => {
    fc.assert(
      fc.property(run, ({ dirtyKib, from }) => {
        const samples = samplesOf(dirtyKib);
        const outcome = watched(samples, from % dirtyKib.length);
        const [first, ...rest] = outcome.curve;
        const others: SettleOutcome[] = [
          { ...outcome, outcome: outcome.outcome === 'QUIET' ? 'PLATEAU' : 'QUIET' },
          { ...outcome, baseDirtyBytes: outcome.baseDirtyBytes + 1 },
          { ...outcome, tookMs: outcome.tookMs - 12_000 },
          ...(first
            ? [{ ...outcome, curve: [{ ...first, dirtyBytes: first.dirtyBytes + 1 }, ...rest] }]
            : []),
        ];
        for (const other of others) expect(quietFollows(samples, CONFIG, other)).toBe(false);
      }),
    );
  });

  it('of a machine that left no sample the time limit follows, with an empty curve, and nothing else', () => {
    const nothing = readSamples('');
    const silent: SettleOutcome = {
      outcome: 'TIMEOUT',
      method: CONFIG.method,
      tookMs: CONFIG.limitMs + 616.8,
      baseDirtyBytes: CONFIG.baseDirtyBytes,
      curve: [],
    };
    expect(quietFollows(nothing, CONFIG, silent)).toBe(true);
    const point = { atMs: 0, dirtyBytes: 1, deviceWriteBytesPerS: null };
    for (const other of [
      { ...silent, outcome: 'QUIET' as const },
      { ...silent, tookMs: CONFIG.limitMs - 1 },
      { ...silent, curve: [point] },
      { ...silent, baseDirtyBytes: 0 },
    ])
      expect(quietFollows(nothing, CONFIG, other)).toBe(false);
  });

  it('a drain is watched for the drain time and never synced', () => {
    const machine = { baseDirtyBytes: 7, deviceKnown: false };
    expect(quietConfigOf(PLAN, 'drain', machine)).toMatchObject({
      method: 'watch',
      limitMs: 6_000,
      ...machine,
    });
    expect(quietConfigOf(PLAN, 'settle', machine)).toMatchObject({ method: 'sync', limitMs: 12_000 });
  });
});
