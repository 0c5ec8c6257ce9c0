import { describe, expect, it } from 'vitest';
import { latencyOf } from '../../src/measure/producer.ts';
import { readProducer } from './helpers.ts';

const interval = (records: number, rate: string): string =>
  `${records} records sent, ${rate} records/sec (4.10 MB/sec), 12.5 ms avg latency, 80.0 ms max latency.`;
const FINAL =
  '90000 records sent, 4500.250000 records/sec (4.33 MB/sec), 13.25 ms avg latency, 95.00 ms max latency, 11 ms 50th, 31 ms 95th, 60 ms 99th, 93 ms 99.9th.';

describe('versions and locales', () => {
  it('0.10: interval lines end "80.0 max latency." and still count as intervals', () => {
    const output = readProducer(`${interval(4500, '4490.5').replace('80.0 ms max', '80.0 max')}\n${FINAL}\n`);
    expect(output.intervals).toHaveLength(1);
    expect(output.final?.records).toBe(90000);
  });

  it('a comma locale reads exactly, is reported, and CRLF does not matter', () => {
    const comma = (text: string): string => text.replace(/(\d)\.(\d)(?!th)/g, '$1,$2');
    expect(comma(FINAL)).toContain('4500,250000 records/sec (4,33 MB/sec)');
    const output = readProducer(`${comma(interval(4500, '4490.5'))}\r\n${comma(FINAL)}\r\n`);
    expect(output.decimals).toBe('comma');
    expect(output.final).toMatchObject({ records: 90000, recordsPerS: 4500.25, mibPerS: 4.33, p999Ms: 93 });
    expect(output.intervals[0]?.recordsPerS).toBe(4490.5);
  });

  it('a line that mixes commas and points is refused', () => {
    const output = readProducer(`${FINAL.replace('4.33', '4,33')}\n`);
    expect(output.final).toBeNull();
    expect(output.unreadable.lines).toBe(1);
  });

  it('shapes that Kafka never printed are refused: MiB, other decimals, a missing 99.9th', () => {
    for (const foreign of [
      FINAL.replace('MB/sec', 'MiB/sec'),
      FINAL.replace('4500.250000', '4500.25'),
      FINAL.replace(', 93 ms 99.9th.', ''),
    ]) {
      const output = readProducer(`${foreign}\n`);
      expect(output.final).toBeNull();
      expect(output.unreadable.lines).toBe(1);
    }
  });

  it('a single record has no interval, and the preamble of old versions is no count', () => {
    const output = readProducer(
      'Reading payloads from: /data/one.bin\nNumber of messages read: 3\n' +
        '1 records sent, 0.812000 records/sec (21.10 MB/sec), 1231.00 ms avg latency, 1231.00 ms max latency, 1231 ms 50th, 1231 ms 95th, 1231 ms 99th, 1231 ms 99.9th.\n',
    );
    expect(output.final?.records).toBe(1);
    expect(output.payloadLines).toBe(3);
    expect(output.intervals).toEqual([]);
  });

  it('a final line without its period and newline at the end of the file is complete', () => {
    expect(readProducer(FINAL.slice(0, -1)).final?.records).toBe(90000);
  });
});

describe('torn, glued and interleaved text', () => {
  it('every proper prefix of a final line gives no final line, until only the period is missing', () => {
    for (let length = 0; length < FINAL.length - 1; length += 1) {
      expect(readProducer(FINAL.slice(0, length)).final).toBeNull();
    }
  });

  it('`812345 records sent, 1624` at the end is torn: no count, and said so', () => {
    const output = readProducer(`${interval(4500, '4490.5')}\n812345 records sent, 1624`);
    expect(output.final).toBeNull();
    expect(output.intervals).toHaveLength(1);
    expect(output.unreadable).toEqual({ lines: 1, first: '812345 records sent, 1624' });
  });

  it('a lost count column is unreadable, never the rate taken for a count', () => {
    const output = readProducer(`${interval(4500, '1202.4').replace('4500 ', '')}\n`);
    expect(output).toMatchObject({ final: null, intervals: [], unreadable: { lines: 1 } });
  });

  it('whole lines that lost the newline between them are read, and counted as glued', () => {
    const output = readProducer(`${interval(4500, '4490.5')}${interval(4600, '4590.5')}${FINAL}\n`);
    expect(output.intervals.map((line) => line.records)).toEqual([4500, 4600]);
    expect(output.final?.records).toBe(90000);
    expect(output.gluedLines).toBe(3);
  });

  it('a line with a log line inside is refused', () => {
    const line = interval(4500, '4490.5');
    const output = readProducer(
      `${line.slice(0, 30)}[2026-01-01T00:00:00,001] WARN odd${line.slice(30)}\n${FINAL}\n`,
    );
    expect(output.intervals).toEqual([]);
    expect(output.unreadable.lines).toBe(1);
  });

  it('in a stamped stream a line without its stamp is refused: its number may have lost digits', () => {
    const text = `1796038829.123456 512.34 ${interval(4500, '4490.5')}\n${interval(5, '4490.5')}\n`;
    const output = readProducer(text, true);
    expect(output.intervals).toHaveLength(1);
    expect(output.intervals[0]?.stamp).toEqual({ wallMs: 1796038829123.456, uptimeMs: 512340 });
    expect(output.unreadable.lines).toBe(1);
  });

  it('two final lines are ambiguous: neither is believed', () => {
    const output = readProducer(`${FINAL}\n${FINAL}\n`);
    expect(output).toMatchObject({ final: null, finalLines: 2 });
  });
});

describe('text that is not a result', () => {
  it.each([
    'INFO 5 records sent, 9 records/sec (1 MB/sec)',
    `INFO ${FINAL}`,
    `[2026-01-01 10:00:00,000] INFO ${FINAL} (a.b.C)`,
    '20/11/16 09:57:09 INFO producer.KafkaProducer: Closing with timeoutMillis = 9223372036854775807 ms.',
  ])('is no summary and no torn line: %s', (line) => {
    expect(readProducer(`${line}\n`)).toMatchObject({
      final: null,
      finalLines: 0,
      intervals: [],
      unreadable: { lines: 0 },
    });
  });

  it('a count too large to be exact is refused', () => {
    expect(readProducer(`${FINAL.replace('90000', '99999999999999999')}\n`)).toMatchObject({
      final: null,
      unreadable: { lines: 1 },
    });
  });

  it('an empty output has nothing', () => {
    expect(readProducer('')).toMatchObject({
      final: null,
      finalLines: 0,
      decimals: null,
      unreadable: { lines: 0 },
    });
  });

  it('failed sends and a crash inside a mixed capture are found', () => {
    const output = readProducer(
      '[2026-01-01] WARN retrying org.apache.kafka.common.errors.TimeoutException (x)\n' +
        'org.apache.kafka.common.errors.CorruptRecordException: bad\n' +
        'Exception in thread "main" org.apache.kafka.common.KafkaException: Failed to construct kafka producer\n\tat a.b\n' +
        'Caused by: java.lang.IllegalArgumentException: Unknown compression name: text\n',
    );
    expect(output.errors).toMatchObject({
      failedCallbacks: 1,
      failedByClass: { CorruptRecordException: 1 },
      causedBy: 'Caused by: java.lang.IllegalArgumentException: Unknown compression name: text',
    });
  });
});

it('latencies are absent at acks=0 (no broker answered) and when nothing was sent', () => {
  expect(latencyOf(readProducer(FINAL), '1')).toEqual({
    avg: 13.25,
    max: 95,
    p50: 11,
    p95: 31,
    p99: 60,
    p999: 93,
  });
  expect(latencyOf(readProducer(FINAL), '0')).toBeNull();
  expect(latencyOf(readProducer(''), '1')).toBeNull();
});
