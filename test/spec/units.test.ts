import { describe, expect, it } from 'vitest';
import {
  propertyUnit,
  readByteRate,
  readCount,
  readDuration,
  readRate,
  readShare,
  readSize,
} from '../../src/spec/units.ts';

const value = (read: { ok: boolean; value?: unknown; message?: string }) =>
  read.ok ? read.value : read.message;

describe('units', () => {
  it.each([
    ['30s', 30_000],
    ['500ms', 500],
    ['1.5m', 90_000],
    ['8h', 28_800_000],
  ])('reads the time %s', (text, ms) => expect(value(readDuration(text))).toBe(ms));

  it.each([
    ['1008B', 1008],
    ['64KiB', 65_536],
    ['1.5MiB', 1_572_864],
    ['60GiB', 64_424_509_440],
  ])('reads the size %s', (text, bytes) => expect(value(readSize(text))).toBe(bytes));

  it.each([
    ['10M', 10_000_000],
    ['1.1M', 1_100_000],
    ['20k', 20_000],
    ['1_000_000', 1_000_000],
    [300, 300],
  ])('reads the count %s', (text, n) => expect(value(readCount(text))).toBe(n));

  it('reads rates in records, in bytes and without a limit', () => {
    expect(value(readRate('max'))).toEqual({ kind: 'max' });
    expect(value(readRate('20k/s'))).toEqual({ kind: 'records', recordsPerS: 20_000 });
    expect(value(readRate('50MiB/s'))).toEqual({ kind: 'bytes', bytesPerS: 52_428_800 });
    expect(value(readByteRate('1MiB/s'))).toBe(1_048_576);
  });

  it('reads a share as a fraction of one', () => expect(value(readShare('2.5%'))).toBe(0.025));

  it.each([
    [readSize, '64KB', '"64KiB?"'.slice(0, -2)],
    [readSize, '64', '"64B" or "64KiB"?'],
    [readSize, 64, '"64B" or "64KiB"?'],
    [readSize, '1.3B', 'whole number'],
    [readDuration, 30, '"30s" or "30ms"?'],
    [readDuration, '5min', '"5m"?'],
    [readDuration, '-5s', 'is not a time'],
    [readCount, '10K', '"10k"?'],
    [readCount, '1.5', 'whole count'],
    [readCount, '99999999999M', 'whole number'],
    [readCount, -1, 'whole count'],
    [readRate, '20k', 'is not a rate'],
    [readRate, '50MB/s', '"50MiB/s"?'],
    [readRate, '0/s', 'above 0'],
    [readByteRate, '5k/s', 'bytes per second'],
    [readShare, '5', '"5%"'],
    [readShare, 0.05, '"5%"'],
  ] as const)('%o refuses %s and says what to write', (read, text, hint) => {
    const result = read(text);
    expect(result.ok).toBe(false);
    expect(value(result)).toContain(hint);
  });

  it('never answers with an inherited property of a JavaScript object', () => {
    expect(readSize('5constructor').ok).toBe(false);
    expect(readDuration('5toString').ok).toBe(false);
    expect(readCount('5valueOf').ok).toBe(false);
  });

  it('converts units of Kafka properties by the end of their name only', () => {
    expect(propertyUnit('linger.ms')).toBe('time');
    expect(propertyUnit('batch.size')).toBe('size');
    expect(propertyUnit('log.segment.bytes')).toBe('size');
    expect(propertyUnit('buffer.memory')).toBeNull();
  });
});
