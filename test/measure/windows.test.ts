import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { combinedRate } from '../../src/measure/combined.ts';
import { producerSpan } from '../../src/measure/load-span.ts';
import { timelineOf } from '../../src/measure/timeline.ts';
import type { Timeline } from '../../src/measure/timeline.ts';
import { measureTrial } from '../../src/measure/trial-rate.ts';
import { cutIntervals, limitedTailMs, ownWindow, tailMs } from '../../src/measure/windows.ts';
import { kafkaCase, readProducer, unclean } from './helpers.ts';
import type { PrintedLoad } from './lines-of-load.ts';
import { measuredProducer, printLoad, steadyLoad } from './lines-of-load.ts';

const START = 1_796_038_829_000;

function timeline(load: PrintedLoad): Timeline {
  const found = timelineOf(readProducer(printLoad(load), true), { intervalMs: 1000, endedAtMs: null });
  if (found.timeline === null) throw new Error(found.why);
  return found.timeline;
}

describe('timeline', () => {
  it('the start is the end less count ÷ total rate, intervals follow each other from there', () => {
    const line = timeline(steadyLoad(20, 40_000));
    expect(line.startedAtMs).toBeCloseTo(START, 0);
    expect(line.totalMs).toBeCloseTo(20_500, 0);
    expect(line.intervals[4]).toMatchObject({ records: 40_000, stall: false });
    expect(line.intervals[4]?.startMs).toBeCloseTo(4000, 1);
  });

  it('`1 records sent, 0.6 records/sec`: the stamps say how long it was inside what rounding allows', () => {
    const load = steadyLoad(12, 40_000);
    const first = { records: 1, ms: 1550 };
    const line = timeline({ ...load, intervals: [first, ...load.intervals] });
    // 1 ÷ 0.6 would be 1,667 ms.
    expect(line.intervals[0]?.lengthMs).toBeCloseTo(1550, 0);
    expect(line.intervals[0]?.stall).toBe(true);
  });

  it('without stamps lengths are records ÷ rate, and the end must be given', () => {
    const output = readProducer(kafkaCase('prod-success-acksall-none.stdout'));
    expect(timelineOf(output, { intervalMs: 1000, endedAtMs: null }).timeline).toBeNull();
    const { timeline: found } = timelineOf(output, { intervalMs: 1000, endedAtMs: START });
    expect(found?.intervals).toHaveLength(15);
    expect(found?.intervals[1]?.lengthMs).toBeCloseTo((4096 / 4019.6) * 1000, 6);
    expect(found?.startedAtMs).toBeCloseTo(START - (200_000 / 12_219.710393) * 1000, 3);
  });

  it.each([
    ['prod-sigkill-truncated', /no final line/],
    ['prod-err-too-large', /nothing was sent/],
    ['prod-warmup', /warm-up/],
  ])('%s has none, with the reason', (name, why) => {
    expect(
      timelineOf(readProducer(kafkaCase(`${name}.stdout`)), { intervalMs: 1000, endedAtMs: START }).why,
    ).toMatch(why);
  });
});

describe('steady window', () => {
  it('the tail is buffer ÷ rate, and never below two seconds', () => {
    expect(tailMs(64 * 1024 * 1024, 16 * 1024 * 1024)).toBe(4000);
    expect(tailMs(32 * 1024 * 1024, 1024 ** 3)).toBe(2000);
    expect(tailMs(32 * 1024 * 1024, 0)).toBe(2000);
  });

  it('only whole intervals inside count; ramp and tail do not', () => {
    const load = steadyLoad(20, 40_000);
    const ramped = {
      ...load,
      intervals: load.intervals.map((line, at) => (at < 3 || at > 17 ? { ...line, records: 5_000 } : line)),
    };
    const { steady } = ownWindow(timeline(ramped), { rampMs: 3000, tailMs: 2500, recordBytes: 1008 });
    expect(steady).toMatchObject({ intervals: 15, stalls: 0, over: 'own' });
    expect(steady?.recordsPerS).toBeCloseTo(40_000, 3);
    expect(steady?.bytesPerS).toBeCloseTo(40_000 * 1008, 0);
    expect(steady?.fromMs).toBeCloseTo(START + 3000, 0);
    expect(steady?.toMs).toBeCloseTo(START + 18_000, 0);
  });

  it('a line over an edge is left out whole', () => {
    const line = timeline(steadyLoad(20, 40_000));
    expect(cutIntervals(line, 2500, 6500).intervals).toHaveLength(3);
  });

  it('a stall is kept in the rate (time-weighted) and counted', () => {
    const load = steadyLoad(20, 40_000);
    const stalled = {
      ...load,
      intervals: load.intervals.map((line, at) => (at === 10 ? { records: 40_000, ms: 4000 } : line)),
    };
    const { steady } = ownWindow(timeline(stalled), { rampMs: 0, tailMs: 2000, recordBytes: 1008 });
    expect(steady?.stalls).toBe(1);
    const n = steady?.intervals ?? 0;
    expect(steady?.recordsPerS).toBeCloseTo((n * 40_000) / (n - 1 + 4), 1);
  });

  it('a load that is all ramp and tail has no steady rate, with the reason', () => {
    const found = ownWindow(timeline(steadyLoad(5, 40_000)), {
      rampMs: 4000,
      tailMs: 2000,
      recordBytes: 1008,
    });
    expect(found.steady).toBeNull();
    expect(found.why).toMatch(/ramp \(4\.0 s\).*tail \(2\.0 s\).*load of 5\.5 s/);
  });

  it('lines that were lost make steady and total differ, and only then', () => {
    const load = steadyLoad(30, 40_000);
    expect(measureTrial([measuredProducer(load)], { rampMs: 3000 }).loads[0]?.steadyDiffers).toBe(false);
    const text = printLoad({
      ...load,
      intervals: load.intervals.map((line, at) => (at > 20 ? { ...line, records: 10_000 } : line)),
    });
    const lost = text
      .split('\n')
      .filter((_, at) => at < 21 || at > 29)
      .join('\n');
    const output = readProducer(lost, true);
    const one = measureTrial([{ ...measuredProducer(load), output }], { rampMs: 3000 }).loads[0];
    expect(one?.steadyDiffers).toBe(true);
  });

  it('the whole capture of a real run gives a rate near its total', () => {
    const load = {
      ...measuredProducer(steadyLoad(1, 1)),
      output: readProducer(kafkaCase('prod-success-acksall-none.stdout')),
      endedAtMs: START,
    };
    const trial = measureTrial([load], { rampMs: 5000 });
    expect(trial.rate?.intervals).toBeGreaterThan(5);
    expect(Math.abs((trial.rate?.recordsPerS ?? 0) / 14_900 - 1)).toBeLessThan(0.15);
    expect(trial.loads[0]?.series).toHaveLength(15);
    expect(unclean(trial)).toEqual([]);
  });
});

describe('side by side', () => {
  it('sums over the common interval only', () => {
    const a = steadyLoad(30, 40_000);
    const b = { ...steadyLoad(29, 20_000), startedAtMs: START + 1000 };
    // While b is not there yet, a is much faster: that second must not count.
    const fast = {
      ...a,
      intervals: a.intervals.map((line, at) => (at === 0 ? { ...line, records: 200_000 } : line)),
    };
    const trial = measureTrial([measuredProducer(fast, 'p-1'), measuredProducer(b, 'p-2')], { rampMs: 2000 });
    expect(trial.rate?.over).toBe('overlap');
    expect(trial.rate?.recordsPerS).toBeCloseTo(60_000, 0);
    expect(trial.rate?.fromMs).toBeCloseTo(START + 3000, -1);
    expect(trial.overlapShare).toBeGreaterThan(0.95);
  });

  it('5 M in 0–74 s and 5 M in 30–104 s have no combined rate: they overlapped for 42 %', () => {
    const side = (at: number) =>
      producerSpan({
        name: `at ${at}`,
        timeline: timeline({ ...steadyLoad(73, 67_567), startedAtMs: START + at }),
        tailMs: 2000,
        recordBytes: 100,
      });
    const found = combinedRate([side(0), side(30_000)], 0);
    expect(found).toMatchObject({ rate: null, noOverlap: true });
    expect(found.overlapShare).toBeCloseTo(0.42, 1);
  });

  it('a load without a result leaves no rate, never the sum of the others', () => {
    const killed = {
      ...measuredProducer(steadyLoad(20, 40_000), 'p-2'),
      output: readProducer(kafkaCase('prod-sigkill-truncated.stdout')),
    };
    const trial = measureTrial([measuredProducer(steadyLoad(20, 40_000), 'p-1'), killed], { rampMs: 0 });
    expect(trial.rate).toBeNull();
    expect(trial.why).toMatch(/p-2: there is no final line/);
    expect(trial.loads[1]?.series).toHaveLength(3);
  });

  it('no loads, no rate', () => {
    expect(measureTrial([], { rampMs: 0 })).toMatchObject({ rate: null, why: 'the trial has no load' });
  });
});

it('whatever was printed, no figure is NaN and no rate is above the fastest interval', () => {
  const interval = fc.record({
    records: fc.integer({ min: 1, max: 200_000 }),
    ms: fc.integer({ min: 1, max: 9000 }),
  });
  fc.assert(
    fc.property(
      fc.array(interval, { maxLength: 40 }),
      interval,
      fc.nat(20_000),
      (intervals, rest, rampMs) => {
        const load = { intervals, rest, recordBytes: 100, startedAtMs: START };
        const trial = measureTrial([measuredProducer(load)], { rampMs });
        expect(unclean(trial)).toEqual([]);
        if (trial.rate !== null) {
          const fastest = Math.max(...intervals.map((line) => (line.records / line.ms) * 1000));
          expect(trial.rate.recordsPerS).toBeLessThanOrEqual(fastest + 0.1);
          expect(trial.rate.fromMs).toBeGreaterThanOrEqual(START + rampMs - 10);
        }
      },
    ),
  );
});

describe('the tail of a rate-limited load', () => {
  const load = { records: 12_000, askedRecordsPerS: 2_000, fullBufferMs: 32_000 };
  it('is the least one when the load kept its rate', () => {
    expect(limitedTailMs({ ...load, totalMs: 6_010 })).toBe(2_000);
  });
  it('is the time after the earliest end of sending when it fell behind', () => {
    expect(limitedTailMs({ ...load, totalMs: 11_000 })).toBe(5_000);
  });
  it('is never longer than a full buffer takes to empty', () => {
    expect(limitedTailMs({ ...load, totalMs: 60_000 })).toBe(32_000);
  });
});
