import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readBound,
  readByteRate,
  readCount,
  readDuration,
  readRate,
  readShare,
  readSize,
} from '../../src/spec/units.ts';
import { WRITTEN, type Written } from '../../src/spec/written.ts';

const READERS: Readonly<Record<Written, (text: string) => { readonly ok: boolean }>> = {
  time: readDuration,
  size: readSize,
  count: readCount,
  rate: readRate,
  byteRate: readByteRate,
  share: readShare,
  bound: readBound,
};

const number = fc.oneof(
  fc.nat({ max: 10_000 }).map(String),
  fc.tuple(fc.nat({ max: 999 }), fc.nat({ max: 99 })).map(([a, b]) => `${a}.${b}`),
  fc.nat({ max: 999 }).map((n) => `${n}_000`),
);
const SUFFIXES = [
  '',
  'ms',
  's',
  'm',
  'h',
  'B',
  'KiB',
  'MiB',
  'GiB',
  'KB',
  'k',
  'M',
  'K',
  '%',
  ' %',
  '/s',
  'k/s',
  'KiB/s',
  ' MiB / s',
  'kb/s',
  'x',
];
const suffix = fc.constantFrom(...SUFFIXES);
const texts = fc.oneof(
  fc.tuple(number, suffix).map(([n, s]) => `${n}${s}`),
  fc.constant('max'),
  fc.string({ maxLength: 8 }),
);

describe('patterns of the JSON schema', () => {
  it.each(Object.entries(READERS))('%s matches whatever is read as one', (written, read) => {
    const pattern = new RegExp(WRITTEN[written as Written].pattern, 'u');
    fc.assert(
      fc.property(texts, (text) => {
        if (read(text).ok) expect(text.trim()).toMatch(pattern);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['time', ['30', '5min', '-1s']],
    ['size', ['64KB', '64', '1gib']],
    ['count', ['10K', '5s']],
    ['rate', ['5000', '20k', 'fast']],
    ['byteRate', ['20k/s', 'max', '1MiB']],
    ['share', ['5', '0.05']],
    ['bound', ['60MB/s', 'high']],
  ] as const)('%s refuses what is read as something else', (written, wrong) => {
    const pattern = new RegExp(WRITTEN[written].pattern, 'u');
    for (const text of wrong) {
      expect(text).not.toMatch(pattern);
      expect(READERS[written](text).ok).toBe(false);
    }
  });
});
