import { describe, expect, test } from 'vitest';
import { deviceUse } from '../../src/measure/device-use.ts';
import { sampleIntervals } from '../../src/measure/sample-intervals.ts';
import { readSamples } from '../../src/measure/sample.ts';
import { samplerText, type SampleJson, T0 } from './sampler-text.ts';

/** 1,024,000 bytes and 10 operations written, 4,096 bytes and one operation read, each second. */
const intervalsOf = (samples: number, edit?: (one: SampleJson, at: number) => SampleJson) =>
  sampleIntervals(readSamples(samplerText(samples, edit === undefined ? {} : { edit }))).intervals;
const span = (fromS: number, toS: number) => ({ fromMs: T0 + fromS * 1000, toMs: T0 + toS * 1000 });
const close = (value: number | null | undefined, expected: number) => expect(value).toBeCloseTo(expected, 3);

describe('deviceUse', () => {
  test('bytes and operations a second over the stretches that are asked for, and no others', () => {
    const use = deviceUse(intervalsOf(21), [span(5, 15)]);
    close(use.writeBytesPerS, 1_024_000);
    close(use.writeOpsPerS, 10);
    close(use.readBytesPerS, 4_096);
    close(use.readOpsPerS, 1);
    close(use.coverage, 1);
  });

  test('two stretches are one time: what lies between them does not count', () => {
    const fast = intervalsOf(21, (one, at) => {
      if (one.disk === null || at <= 10) return one;
      return {
        ...one,
        disk: { ...one.disk, wio: 10 * 10 + 1000 * Math.min(at - 10, 4) + 10 * Math.max(0, at - 14) },
      };
    });
    close(deviceUse(fast, [span(2, 9), span(15, 19)]).writeOpsPerS, 10);
  });

  test('samples that end inside the stretch cover a part of it', () => {
    const use = deviceUse(intervalsOf(11), [span(5, 15)]);
    close(use.coverage, 0.5);
    close(use.writeOpsPerS, 10);
  });

  test('no device, no samples, no stretch: unknown, and covered by nothing', () => {
    const none = {
      readBytesPerS: null,
      readOpsPerS: null,
      writeBytesPerS: null,
      writeOpsPerS: null,
      coverage: 0,
    };
    expect(
      deviceUse(
        intervalsOf(21, (one) => ({ ...one, disk: null })),
        [span(5, 15)],
      ),
    ).toEqual(none);
    expect(deviceUse([], [span(5, 15)])).toEqual(none);
    expect(deviceUse(intervalsOf(21), [])).toEqual(none);
  });

  test('a counter that fell makes its interval unknown: no rate from it, and no coverage', () => {
    const reset = intervalsOf(21, (one, at) => ({
      ...one,
      disk: one.disk === null || at < 10 ? one.disk : { ...one.disk, wio: at, wsect: 2000 * (at - 10) },
    }));
    const use = deviceUse(reset, [span(5, 15)]);
    close(use.coverage, 0.9);
    close(use.writeBytesPerS, 1_024_000);
  });
});
