import { describe, expect, it } from 'vitest';
import type { Evidence, ProducerEvidence } from '../../src/measure/evidence.ts';
import { verdict } from '../../src/measure/verdict.ts';
import { evidence, goodLoad, machine } from './evidence.ts';
import { readProducer } from './helpers.ts';
import { printLoad, steadyLoad } from './lines-of-load.ts';

const flags = (one: Evidence): string[] => verdict(one).flags.map((found) => found.code);

describe('flags', () => {
  const rateLimited = (perS: number): ProducerEvidence => goodLoad({ askedRecordsPerS: perS });

  it('rate not reached, and coordinated omission', () => {
    expect(flags(evidence({ loads: [rateLimited(40_000)] }))).toEqual([]);
    expect(flags(evidence({ loads: [rateLimited(41_000)] }))).toEqual(['rate-not-reached']);
    expect(flags(evidence({ loads: [rateLimited(50_000)] }))).toEqual(['rate-not-reached', 'co-suspect']);
  });

  it('client-bound by CPU, and by a buffer that never fills', () => {
    expect(flags(evidence({ loads: [goodLoad({ usedCores: 0.93 })] }))).toEqual(['client-bound']);
    const table = (ns: string): string =>
      `\nMetric Name      Value\nproducer-metrics:bufferpool-wait-time-ns-total:{client-id=p} : ${ns}\n`;
    const base = printLoad({
      ...steadyLoad(20, 40_000),
      intervals: steadyLoad(20, 40_000).intervals.map((line, at) => ({
        ...line,
        records: 40_000 + at - 9.5 > 40_000 ? 40_010 : 39_990,
      })),
    });
    const withTable = (ns: string): ProducerEvidence => {
      const stamped = table(ns)
        .trimEnd()
        .split('\n')
        .map((line) => `1796038850.000000 1021.00 ${line}`)
        .join('\n');
      return goodLoad({ output: readProducer(`${base}${stamped}\n`, true) });
    };
    expect(flags(evidence({ loads: [withTable('500000000.000')] }))).toEqual(['client-bound']);
    expect(flags(evidence({ loads: [withTable('9000000000.000')] }))).toEqual([]);
    expect(flags(evidence({ loads: [withTable('NaN')] }))).toEqual([]);
  });

  it('implausible: perfectly flat, absurdly slow, or bytes that do not fit', () => {
    const flat = goodLoad({ output: readProducer(printLoad(steadyLoad(20, 40_000)), true) });
    expect(flags(evidence({ loads: [flat] }))).toEqual(['implausible']);
    expect(flags(evidence({ loads: [goodLoad({ recordBytes: 2000 })] }))).toEqual(['implausible']);
    expect(flags(evidence({ loads: [{ ...flat, askedRecordsPerS: 40_000 }] }))).toEqual([]);
  });

  it('noisy host, clock step, unknown counters', () => {
    expect(flags(evidence({ machines: [machine({ stealShare: 0.06 })] }))).toEqual(['noisy-host']);
    expect(flags(evidence({ machines: [machine({ outsideLabShare: 0.2 })] }))).toEqual(['noisy-host']);
    expect(flags(evidence({ machines: [machine({ clockSteps: 1 })] }))).toEqual(['clock-step']);
    const unknown = evidence({ machines: [{ ...machine({ stealShare: null }), throttledShare: null }] });
    expect(verdict(unknown)).toMatchObject({
      valid: true,
      flags: [
        {
          code: 'unknown-counter',
          message: 'this machine: not known on this machine: steal, CPU throttling',
        },
      ],
    });
  });

  it('throttled', () => {
    expect(flags(evidence({ machines: [{ ...machine(), throttledShare: 0.2 }] }))).toEqual(['throttled']);
  });

  it('settle: plateau, timeout, and what is carried over', () => {
    const settle = (outcome: 'QUIET' | 'PLATEAU' | 'TIMEOUT', dirtyBytes: number): Evidence =>
      evidence({
        settle: {
          dirtyBytes: 64,
          outcome: {
            outcome,
            method: 'wait',
            tookMs: 16_000,
            baseDirtyBytes: 100,
            curve: [{ atMs: 0, dirtyBytes, deviceWriteBytesPerS: 0 }],
          },
        },
      });
    expect(flags(settle('QUIET', 150))).toEqual([]);
    expect(flags(settle('PLATEAU', 500))).toEqual(['settle-plateau', 'carry-over']);
    expect(flags(settle('TIMEOUT', 150))).toEqual(['settle-timeout']);
  });
});
