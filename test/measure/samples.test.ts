import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostSummary, throttledShare } from '../../src/measure/host-summary.ts';
import { readSamples, samplesReader } from '../../src/measure/sample.ts';
import { sampleIntervals } from '../../src/measure/sample-intervals.ts';
import { unclean } from './helpers.ts';
import { HEADER, samplerText, T0 } from './sampler-text.ts';

const ROLES = { brokers: ['b1'], clients: ['p'] };
const WINDOW = { fromMs: T0 + 2000, toMs: T0 + 12_000 };

describe('reading', () => {
  it('header and samples, in bytes and ms', () => {
    const samples = readSamples(samplerText(3));
    expect(samples.header).toEqual({ boot: 'boot-1', hz: 100, cpus: 2, device: 'vda' });
    expect(samples.samples).toHaveLength(3);
    expect(samples.samples[0]).toMatchObject({
      dirtyBytes: 100 * 1024,
      writebackBytes: 4 * 1024,
      throttledUs: null,
    });
    expect(samples.samples[0]?.disk).toMatchObject({ discards: null, flushes: null });
    expect(samples.samples[0]?.processes['p']).toBeNull();
  });

  it('a torn last line is not read, a broken line in the middle is counted', () => {
    const text = samplerText(3);
    expect(readSamples(text.slice(0, -10)).samples).toHaveLength(2);
    expect(readSamples(text.replace('"u0"', '"u0')).samples).toHaveLength(2);
    expect(readSamples(text.replace('"u0"', '"u0')).unreadable).toBe(1);
  });

  it('pieces give the same samples as the whole', () => {
    const text = samplerText(20);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), (size) => {
        const reader = samplesReader();
        const fresh = [];
        for (let at = 0; at < text.length; at += size) fresh.push(...reader.push(text.slice(at, at + size)));
        expect(reader.samples()).toEqual(readSamples(text));
        expect(fresh).toEqual(readSamples(text).samples);
      }),
      { numRuns: 30 },
    );
  });
});

describe('summary of a window', () => {
  it('shares, cores and rates', () => {
    const found = hostSummary(readSamples(samplerText(20)), WINDOW, ROLES);
    expect(found.coverage).toBeCloseTo(1, 6);
    // A second: 60 ticks user, 20 system, 2 interrupts, 4 steal of 200.
    expect(found.busyCores).toBeCloseTo(0.82, 6);
    expect(found.stealShare).toBeCloseTo(0.02, 6);
    // b1 has 30, p 40 of the 80 ticks.
    expect(found.brokerCores['b1']).toBeCloseTo(0.3, 6);
    expect(found.clientCores['p']).toBeCloseTo(0.4, 6);
    expect(found.outsideLabShare).toBeCloseTo(10 / 200, 6);
    expect(found.deviceWriteBytesPerS).toBeCloseTo(2000 * 512, 3);
    expect(found.deviceBusyShare).toBeCloseTo(0.25, 6);
    expect(found.psi).toEqual({
      cpuSomeShare: expect.closeTo(0.05, 6),
      ioSomeShare: expect.closeTo(0.01, 6),
    });
    expect(found.network).toEqual({
      receivedBytesPerS: expect.closeTo(1000, 6),
      sentBytesPerS: expect.closeTo(1000, 6),
    });
    expect(found).toMatchObject({ clockSteps: 0, gaps: 0, dirtyBytesMax: 104 * 1024 });
  });

  it('the network is all interfaces together, unknown without any', () => {
    const two = samplerText(20, {
      edit: (one, at) => ({ ...one, net: { eth0: [500 * at, 20 * at], eth1: [100 * at, 5 * at] } }),
    });
    expect(hostSummary(readSamples(two), WINDOW, ROLES).network).toEqual({
      receivedBytesPerS: expect.closeTo(600, 6),
      sentBytesPerS: expect.closeTo(25, 6),
    });
    const none = samplerText(20, { edit: (one) => ({ ...one, net: {} }) });
    const unknown = { receivedBytesPerS: null, sentBytesPerS: null };
    expect(hostSummary(readSamples(none), WINDOW, ROLES).network).toEqual(unknown);
  });

  it('counters that do not exist are unknown, never 0', () => {
    const text = samplerText(20, { edit: (one) => ({ ...one, disk: null, psi: null, cg: null, proc: {} }) });
    const found = hostSummary(readSamples(text), WINDOW, ROLES);
    expect(found).toMatchObject({
      deviceWriteBytesPerS: null,
      deviceBusyShare: null,
      outsideLabShare: null,
      brokerCores: { b1: null },
      psi: { cpuSomeShare: null, ioSomeShare: null },
    });
    expect(throttledShare(readSamples(text), WINDOW)).toBeNull();
  });

  it('throttling is a share of time', () => {
    const text = samplerText(20, { edit: (one, at) => ({ ...one, cg: { throttledUsec: at * 300_000 } }) });
    expect(throttledShare(readSamples(text), WINDOW)).toBeCloseTo(0.3, 6);
  });

  it('a clock that steps is flagged, and rates come from uptime', () => {
    const text = samplerText(20, {
      edit: (one, at) => (at >= 6 ? { ...one, w0: one.w0 + 0.5, w1: one.w1 + 0.5 } : one),
    });
    const found = hostSummary(readSamples(text), WINDOW, ROLES);
    expect(found.clockSteps).toBe(1);
    expect(found.deviceWriteBytesPerS).toBeCloseTo(2000 * 512, 3);
  });

  it('20 ms of disagreement is no step', () => {
    const text = samplerText(20, {
      edit: (one, at) => (at === 6 ? { ...one, w0: one.w0 + 0.02, w1: one.w1 + 0.02 } : one),
    });
    expect(hostSummary(readSamples(text), WINDOW, ROLES).clockSteps).toBe(0);
  });

  it('missing samples are a gap that lowers the coverage, not a rate over it', () => {
    const text = samplerText(20)
      .split('\n')
      .filter((_, at) => at < 6 || at > 9)
      .join('\n');
    const found = hostSummary(readSamples(text), WINDOW, ROLES);
    expect(found.gaps).toBe(1);
    expect(found.coverage).toBeCloseTo(0.5, 6);
    expect(found.deviceWriteBytesPerS).toBeCloseTo(2000 * 512, 3);
  });

  it('counters that fall together are a reset: a gap, neither a wrap nor a negative rate', () => {
    const text = samplerText(20, {
      edit: (one, at) =>
        at >= 7 && one.disk !== null
          ? { ...one, disk: { ...one.disk, wsect: at * 2000 - 14_000, rsect: 0, wio: 0 } }
          : one,
    });
    const found = hostSummary(readSamples(text), WINDOW, ROLES);
    expect(found.gaps).toBe(1);
    expect(found.deviceWriteBytesPerS).toBeCloseTo(2000 * 512, 3);
  });

  it('another process under the same name is not compared with the one before', () => {
    const text = samplerText(20, {
      edit: (one, at) => (at >= 7 ? { ...one, proc: { ...one.proc, b1: [900 + at, 0, 999] } } : one),
    });
    const at7 = sampleIntervals(readSamples(text)).intervals[6];
    expect(at7?.processTicks['b1']).toBeNull();
    expect(sampleIntervals(readSamples(text)).intervals[7]?.processTicks['b1']).toBe(1);
  });

  it('a second sampler or boot breaks the row', () => {
    const lines = samplerText(10).trimEnd().split('\n');
    const text = [...lines.slice(0, 6), HEADER, ...lines.slice(6), ''].join('\n');
    const found = sampleIntervals(readSamples(text));
    expect(found.intervals).toHaveLength(8);
    expect(found.gapsAtMs).toHaveLength(1);
  });

  it('no samples: nothing is covered, everything unknown', () => {
    expect(hostSummary(readSamples(''), WINDOW, ROLES)).toMatchObject({
      coverage: 0,
      samples: 0,
      busyCores: null,
      gaps: 0,
    });
  });
});

it('absurd samples never throw and never give NaN', () => {
  const value = fc.oneof(
    fc.double(),
    fc.constant(null),
    fc.integer(),
    fc.string(),
    fc.array(fc.double(), { maxLength: 9 }),
    fc.constant({}),
  );
  const keys = ['w0', 'w1', 'u0', 'u1', 'cpu', 'disk', 'dirty', 'wb', 'net', 'psi', 'proc', 'cg'];
  const line = fc.oneof(
    fc
      .record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] })
      .map((one) => JSON.stringify(one)),
    fc.constantFrom(...samplerText(12).split('\n')),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const samples = readSamples(`${lines.join('\n')}\n`);
      expect(unclean(samples)).toEqual([]);
      expect(unclean(hostSummary(samples, WINDOW, ROLES))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});
