import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { intervalBytes } from '../../src/measure/interval-bytes.ts';
import { producerParser, producerReader } from '../../src/measure/producer.ts';
import { producerLine } from '../../src/measure/producer-line.ts';
import { streamReader } from '../../src/measure/reader.ts';
import { kafkaCase, unclean } from './helpers.ts';
import { inspectText } from './inspect-helpers.ts';

const CASES: readonly (readonly [name: string, count: number])[] = [
  ['prod-success-acksall-none', 200_000],
  ['prod-warmup', 200_000],
  ['prod-throttled-5000', 25_000],
  ['prod-printmetrics', 20_000],
  ['cons-success', 100_304],
  ['cons-printmetrics', 20_432],
];
const FIXTURES = new URL('fixtures/perf/', import.meta.url);
const texts = readdirSync(FIXTURES)
  .filter((name) => name.endsWith('.txt'))
  .map((name) => readFileSync(new URL(name, FIXTURES)));

const someCase = fc
  .constantFrom(...CASES)
  .map(([name, count]) => ({ text: kafkaCase(`${name}.stdout`), count }));

describe('a cut log', () => {
  it('without its tail is never valid with another count', () => {
    for (const [name, count] of CASES) {
      const text = kafkaCase(`${name}.stdout`);
      const end = text.search(/99\.9th|(?<=\n)2026/) + 200;
      for (let length = 0; length < Math.min(text.length, end); length += 1) {
        const { verdict, finalCount } = inspectText(text.slice(0, length));
        if (verdict === 'valid') expect([name, length, finalCount]).toEqual([name, length, count]);
      }
    }
  }, 120_000);

  it('without its head is never valid with another count than was asked', () => {
    fc.assert(
      fc.property(someCase, fc.nat(), ({ text, count }, cut) => {
        const asked = count > 100_000 && count < 101_000 ? 100_000 : count;
        const { verdict, finalCount } = inspectText(text.slice(cut % (text.length + 1)), { asked });
        if (verdict === 'valid') expect(finalCount).toBe(count);
      }),
      { numRuns: 300 },
    );
  });
});

/** Chunks of two streams in turn, as two processes with one file write them. */
function interleave(a: string, b: string, cuts: readonly number[]): string {
  let rest = [a, b];
  let out = '';
  for (const [turn, length] of cuts.entries()) {
    const of = turn % 2;
    out += (rest[of] ?? '').slice(0, length);
    rest = rest.map((text, index) => (index === of ? text.slice(length) : text));
  }
  return out + rest.join('');
}

// Bytes of two logs may by chance add up to one that is sound: a fixed seed keeps the test from failing by that chance.
describe('two logs in one file', () => {
  it('are never valid, whether lines stay whole or not', () => {
    fc.assert(
      fc.property(
        someCase,
        someCase,
        fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 60 }),
        (a, b, cuts) => {
          const mixed = interleave(a.text.slice(0, 2500), b.text.slice(0, 2500), cuts);
          for (const asked of [null, a.count, a.count + b.count]) {
            const { verdict, finalCount } = inspectText(mixed, { asked });
            expect([verdict, finalCount]).toEqual(['invalid', null]);
          }
        },
      ),
      { numRuns: 600, seed: 4 },
    );
  });

  it('line by line are never valid', () => {
    fc.assert(
      fc.property(someCase, someCase, fc.array(fc.boolean(), { maxLength: 80 }), (a, b, turns) => {
        const left = [a.text, b.text].map((text) => text.split(/(?<=\n)/));
        const mixed =
          turns.map((second) => left[second ? 1 : 0]?.shift() ?? '').join('') + left.flat().join('');
        expect(inspectText(mixed).verdict).toBe('invalid');
      }),
      { numRuns: 200, seed: 4 },
    );
  });
});

/** Lines close to real ones: cut, doubled, mixed with noise. */
const pieces = texts.flatMap((bytes) => bytes.toString('utf8').split('\n').slice(0, 20));
const mangled = fc
  .array(
    fc.oneof(
      fc.constantFrom(...pieces),
      fc.tuple(fc.constantFrom(...pieces), fc.nat(200)).map(([line, at]) => line.slice(at)),
      fc.tuple(fc.constantFrom(...pieces), fc.nat(200)).map(([line, at]) => line.slice(0, at)),
      fc
        .constantFrom(...pieces)
        .map((line) => line.replace(/\d+[.,]\d+/, 'NaN').replace(/\d+[.,]\d+/, '-Infinity')),
      fc.constantFrom(...pieces).map((line) => line.replace(/\d+/g, '0')),
      fc.constantFrom(...pieces).map((line) => line.replace(/\d/g, '9').replace(/^/, '9'.repeat(30))),
      fc.string({ unit: 'binary', maxLength: 80 }),
    ),
    { maxLength: 30 },
  )
  .chain((parts) => fc.constantFrom('\n', '\r\n', '\r', '').map((glue) => parts.join(glue)));

describe('any bytes', () => {
  it('are judged without an exception, and the JSON holds no NaN, Infinity, -0 or undefined', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          mangled.map((text) => Buffer.from(text)),
          fc.uint8Array({ maxLength: 400 }),
        ),
        (bytes) => {
          const one = inspectText(bytes);
          expect(unclean(one)).toEqual([]);
          expect(JSON.parse(JSON.stringify(one))).toEqual(one);
          expect(JSON.stringify(one)).not.toMatch(/:-0[,}]/);
          expect(one.verdict === 'valid').toBe(one.reasons.length === 0);
          if (one.verdict === 'valid') expect(one.finalCount).toBeGreaterThan(0);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('say the same however the stream was cut', () => {
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(fc.nat(1500), { maxLength: 30 }), (bytes, cuts) => {
        expect(inspectText(bytes, {}, cuts)).toEqual(inspectText(bytes));
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ' '.repeat(200_000),
    '9'.repeat(200_000),
    ', '.repeat(100_000),
    '2026-01-01 10:00:00:000, '.repeat(8_000),
    '1 records sent, '.repeat(12_000),
    '\u001B[0'.repeat(60_000),
    '{"log":'.repeat(20_000),
  ])(
    'of one long line are judged at once (case %#)',
    (text) => expect(inspectText(text).verdict).toBe('invalid'),
    5_000,
  );
});

/** Mostly of a usual size, now and then too long to be exact. */
const number = (max: number): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 30, arbitrary: fc.nat(max).map(String) },
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 17n }).map(String) },
  );
const decimals = (places: number): fc.Arbitrary<string> =>
  fc
    .tuple(number(99_999), fc.nat(10 ** places - 1))
    .map(([whole, part]) => `${whole}.${String(part).padStart(places, '0')}`);
const intervalText = fc
  .record({
    records: fc.oneof({ weight: 9, arbitrary: number(1_000_000) }, fc.constant('007')),
    rate: fc.oneof({ weight: 9, arbitrary: decimals(1) }, decimals(2), fc.constantFrom('NaN', 'Infinity')),
    mib: decimals(2),
    avg: decimals(1),
    max: decimals(1),
    ms: fc.constantFrom('ms ', 'ms ', '', 'mss '),
    comma: fc.boolean(),
    end: fc.constantFrom('\n', '\n', '\r\n', ' \n', ''),
    period: fc.constantFrom('.', '.', '', '..'),
    edit: fc.option(fc.tuple(fc.nat(120), fc.constantFrom('x', '1', ',', ' ', 'é')), { freq: 2 }),
  })
  .map(({ records, rate, mib, avg, max, ms, comma, end, period, edit }) => {
    const line = `${records} records sent, ${rate} records/sec (${mib} MB/sec), ${avg} ms avg latency, ${max} ${ms}max latency${period}`;
    const text = comma ? line.replace(/(\d)\.(\d)/g, '$1,$2') : line;
    return (edit === null ? text : text.slice(0, edit[0]) + edit[1] + text.slice(edit[0] + 1)) + end;
  });

describe('interval lines read from their bytes', () => {
  it('are exactly what the regular reader makes of them, or are left to it', () => {
    let read = 0;
    fc.assert(
      fc.property(intervalText, (text) => {
        const fast = intervalBytes(false);
        const end = fast.read(Buffer.from(text), 0);
        if (end === 0) return;
        read += 1;
        const { decimals, numbers } = fast.last();
        expect(end).toBe(Buffer.byteLength(text));
        expect(producerLine(text.replace(/\r?\n$/, ''))).toEqual({ kind: 'interval', decimals, numbers });
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(200);
  });

  it('give the same output, stamped or not, as text that is never read from bytes', () => {
    const stampOf = (i: number): string =>
      `${1796038829 + i}.${String(i * 7919)
        .padStart(6, '0')
        .slice(-6)} ${512 + i}.3${i % 10} `;
    fc.assert(
      fc.property(
        fc.array(intervalText, { maxLength: 20 }),
        fc.boolean(),
        fc.array(fc.nat(2000)),
        (lines, stamped, cuts) => {
          const text = lines.map((line, i) => (stamped ? stampOf(i) + line : line)).join('');
          const plain = producerReader({ stamped });
          plain.push(text);
          const parser = producerParser();
          const slow = streamReader(
            {
              line: (line, stamp) => parser.line(line, stamp),
              torn: (line) => parser.torn(line),
              output: () => parser.output(),
            },
            stamped,
          );
          slow.push(Buffer.from(text));
          const fast = producerReader({ stamped });
          const bytes = Buffer.from(text);
          let from = 0;
          for (const cut of [...cuts].sort((a, b) => a - b)) {
            fast.push(bytes.subarray(from, Math.max(from, cut)));
            from = Math.max(from, cut);
          }
          fast.push(bytes.subarray(from));
          const expected = plain.end();
          expect(fast.end()).toEqual(expected);
          expect(slow.end()).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });
});
