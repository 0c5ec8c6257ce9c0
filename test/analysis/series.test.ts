import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { perSecond } from '../../src/analysis/series.ts';
import { passesAgree } from '../../src/analysis/warm.ts';
import { makeTrial } from './make.ts';

const line = (endMs: number, lengthMs: number, records: number) => ({
  endMs,
  lengthMs,
  records,
  avgLatencyMs: null,
  stall: false,
});

test('lines that do not end on the second are spread over the seconds they cover', () => {
  expect(perSecond([line(1500, 1500, 300), line(3000, 1500, 600)])).toEqual([200, 300, 400]);
});

test('whole seconds keep every record', () => {
  const lengths = fc.array(fc.integer({ min: 200, max: 4000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(lengths, (list) => {
      // The last line fills up to a whole second, so nothing is left over.
      const total = list.reduce((s, v) => s + v, 0);
      const all = [...list, 1000 - (total % 1000) + 1000];
      let endMs = 0;
      const series = all.map((ms) => line((endMs += ms), ms, 7 * ms));
      const seconds = perSecond(series);
      expect(seconds).toHaveLength(endMs / 1000);
      for (const records of seconds) expect(records).toBeCloseTo(7000, 6);
    }),
    { seed: 5, numRuns: 100 },
  );
});

test('passes agree up to exactly the share, in both directions', () => {
  const pass = (n: number, rate: number) => [makeTrial(0, 'a', rate, { pass: n })];
  expect(passesAgree(pass(1, 100), pass(2, 109), 0.1).agree).toBe(true);
  expect(passesAgree(pass(1, 100), pass(2, 91), 0.1).agree).toBe(true);
  expect(passesAgree(pass(1, 100), pass(2, 111), 0.1)).toMatchObject({ agree: false, moved: ['a'] });
  expect(passesAgree(pass(1, 100), pass(2, 89), 0.1).moved).toEqual(['a']);
  expect(passesAgree([], [], 0.1).agree).toBe(false);
});
