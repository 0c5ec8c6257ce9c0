import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { consumerReader } from '../../src/measure/consumer.ts';
import { lineSplitter, MAX_LINE_CHARS } from '../../src/measure/lines.ts';
import { metricsByName } from '../../src/measure/metrics-table.ts';
import { producerReader } from '../../src/measure/producer.ts';
import { splitStamped } from '../../src/measure/stamped.ts';
import { kafkaCase, readConsumer, readProducer, unclean } from './helpers.ts';

const PRODUCERS = ['prod-success-acksall-none', 'prod-printmetrics', 'prod-warmup'].map((name) =>
  kafkaCase(`${name}.stdout`),
);
const CONSUMERS = ['cons-success', 'cons-printmetrics', 'cons-timeout-fewer-records'].map((name) =>
  kafkaCase(`${name}.stdout`),
);

function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
}

it('what is read does not depend on where the stream was cut', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PRODUCERS),
      fc.constantFrom(...CONSUMERS),
      fc.array(fc.nat(40_000), { maxLength: 60 }),
      (p, c, cuts) => {
        const producer = producerReader({ stamped: false });
        for (const piece of pieces(Buffer.from(p), cuts)) producer.push(piece);
        expect(producer.end()).toEqual(readProducer(p));
        const consumer = consumerReader({ stamped: false });
        for (const piece of pieces(Buffer.from(c), cuts)) consumer.push(piece);
        expect(consumer.end()).toEqual(readConsumer(c));
      },
    ),
    { numRuns: 40 },
  );
});

it('multi-byte characters and CRLF may be cut too', () => {
  const text = 'a→b\r\nüber 😀\r\n\r\nlast';
  fc.assert(
    fc.property(fc.array(fc.nat(100), { maxLength: 30 }), (cuts) => {
      const splitter = lineSplitter();
      const lines = pieces(Buffer.from(text), cuts).flatMap((piece) => splitter.push(piece));
      expect([lines, splitter.rest()]).toEqual([['a→b', 'über 😀', ''], 'last']);
    }),
  );
});

it('a line without end does not fill the memory', () => {
  const splitter = lineSplitter();
  for (let i = 0; i < 50; i += 1) expect(splitter.push('x'.repeat(10_000))).toEqual([]);
  expect(splitter.rest()).toHaveLength(MAX_LINE_CHARS);
});

/** Text that is close to real output: real lines, cut, doubled and mixed with noise. */
const lines = [...PRODUCERS, ...CONSUMERS].flatMap((text) => text.split('\n').slice(0, 40));
const mangled = fc
  .array(
    fc.oneof(
      fc.constantFrom(...lines),
      fc.tuple(fc.constantFrom(...lines), fc.nat(200)).map(([line, at]) => line.slice(at)),
      fc.tuple(fc.constantFrom(...lines), fc.nat(200)).map(([line, at]) => line.slice(0, at)),
      fc
        .constantFrom(...lines)
        .map((line) => line.replace(/\d+\.\d+/, 'NaN').replace(/\d+\.\d+/, '-Infinity')),
      fc.string({ unit: 'binary', maxLength: 80 }),
    ),
    { maxLength: 40 },
  )
  .chain((parts) => fc.constantFrom('\n', '\r\n', '').map((glue) => parts.join(glue)));

it('absurd text never throws and never yields NaN, Infinity or undefined', () => {
  fc.assert(
    fc.property(mangled, fc.boolean(), (text, stamped) => {
      const producer = readProducer(text, stamped);
      const consumer = readConsumer(text, stamped);
      expect(unclean(producer)).toEqual([]);
      expect(unclean(consumer)).toEqual([]);
      expect(unclean(metricsByName(producer.metrics.rows))).toEqual([]);
      expect(splitStamped(text) === null || Number.isFinite(splitStamped(text)?.wallMs)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
