import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { metricsByName } from '../../src/measure/metrics-table.ts';
import { kafkaCase, readConsumer, readErrors, readProducer, unclean } from './helpers.ts';

describe('every producer run of the real 4.3.1 tool', () => {
  it('success: final line, fifteen whole intervals, the first of a single record', () => {
    const output = readProducer(kafkaCase('prod-success-acksall-none.stdout'));
    expect(output.final).toEqual({
      records: 200000,
      recordsPerS: 12219.710393,
      mibPerS: 11.75,
      avgLatencyMs: 4085.67,
      maxLatencyMs: 5898,
      p50Ms: 4103,
      p95Ms: 5363,
      p99Ms: 5698,
      p999Ms: 5861,
    });
    expect(output.payloadLines).toBe(20000);
    expect(output.intervals).toHaveLength(15);
    expect(output.intervals[0]).toMatchObject({ records: 1, recordsPerS: 1 });
    expect(output.intervals[14]).toMatchObject({ records: 16128, recordsPerS: 16000, maxLatencyMs: 3897 });
    expect(output.unreadable.lines).toBe(0);
    expect(output.decimals).toBe('point');
  });

  it('a killed broker: 56,718 of 60,000, and the missing 3,282 on stderr', () => {
    const output = readProducer(kafkaCase('prod-kill-broker-rf1-acks1.stdout'));
    const errors = readErrors(kafkaCase('prod-kill-broker-rf1-acks1.stderr.gz'));
    expect(output.final?.records).toBe(56718);
    expect(errors.failedCallbacks).toBe(3282);
    expect(errors.failedByClass).toEqual({ TimeoutException: 3282 });
    expect(60000 - 56718).toBe(errors.failedCallbacks);
  });

  it.each(['prod-err-no-broker', 'prod-err-too-large'])(
    '%s: nothing sent, so no rate and no percentile',
    (name) => {
      const output = readProducer(kafkaCase(`${name}.stdout`));
      expect(output.final).toEqual({
        records: 0,
        recordsPerS: null,
        mibPerS: null,
        avgLatencyMs: null,
        maxLatencyMs: null,
        p50Ms: null,
        p95Ms: null,
        p99Ms: null,
        p999Ms: null,
      });
    },
  );

  it('too large: five failed sends of one class', () => {
    const errors = readErrors(kafkaCase('prod-err-too-large.stderr'));
    expect(errors.failedByClass).toEqual({ RecordTooLargeException: 5 });
    expect(errors.firstFailure).toMatch(
      /^org\.apache\.kafka\.common\.errors\.RecordTooLargeException: The message is 2000088/,
    );
  });

  it('no broker: WARN lines of the log do not count as failed sends', () => {
    const text = kafkaCase('prod-err-no-broker.stderr');
    const counted = text
      .split('\n')
      .filter((line) => line.startsWith('org.apache.kafka.common.errors.')).length;
    expect(readErrors(text).failedCallbacks).toBe(counted);
    expect(
      readErrors(text.replaceAll('WARN [', 'WARN org.apache.kafka.common.errors.X [')).failedCallbacks,
    ).toBe(counted);
  });

  it('SIGKILL: no final line; the last window is a window, never the result', () => {
    const output = readProducer(kafkaCase('prod-sigkill-truncated.stdout'));
    expect(output.final).toBeNull();
    expect(output.finalLines).toBe(0);
    expect(output.intervals.map((line) => line.records)).toEqual([2625, 10960, 11264]);
  });

  it("warm-up: the count is the first summary's, the tool's steady state stands apart", () => {
    const output = readProducer(kafkaCase('prod-warmup.stdout'));
    expect(output.final?.records).toBe(200000);
    expect(output.final?.recordsPerS).toBe(17975.912278);
    expect(output.toolSteadyState?.records).toBe(100000);
    expect(output.toolWarmupRecords).toBe(100000);
  });

  it('throttled: four windows and the summary', () => {
    const output = readProducer(kafkaCase('prod-throttled-5000.stdout'));
    expect(output.final?.records).toBe(25000);
    expect(output.intervals.map((line) => line.records)).toEqual([2241, 7701, 4970, 5144]);
  });

  it('metrics: every row, NaN and versions absent as numbers, no summary read from the table', () => {
    const text = kafkaCase('prod-printmetrics.stdout');
    const output = readProducer(text);
    const printed = text.split('\n').filter((line) => / : /.test(line)).length;
    expect(output.metrics.rows).toHaveLength(printed);
    expect(output.metrics.unreadable).toBe(0);
    const byName = metricsByName(output.metrics.rows);
    expect(byName['producer-metrics:record-send-total']).toBe(20000);
    expect(byName['producer-topic-metrics:record-send-total']).toBe(20000);
    expect(byName).not.toHaveProperty('app-info:commit-id');
    expect(byName).not.toHaveProperty('app-info:version');
    expect(output.metrics.rows.find((row) => row.name === 'commit-id')?.text).toBe('26b251a451ce941d');
    expect(output.finalLines).toBe(1);
  });
});

describe('every consumer run of the real 4.3.1 tool', () => {
  it('success, with the overshoot of the last poll', () => {
    const output = readConsumer(kafkaCase('cons-success.stdout'));
    expect(output.final).toEqual({
      records: 100304,
      mib: 96.4226,
      elapsedMs: 1841,
      totalMibPerS: 52.3751,
      totalRecordsPerS: 54483.4329,
      rebalanceMs: 914,
      fetchMs: 927,
      fetchMibPerS: 104.0158,
      fetchRecordsPerS: 108202.8047,
      absent: null,
      inconsistent: null,
    });
    expect(output.idleTimeoutMs).toBeNull();
  });

  it('idle timeout: seen between header and row', () => {
    const output = readConsumer(kafkaCase('cons-timeout-fewer-records.stdout'));
    expect(output.final?.records).toBe(40000);
    expect(output.idleTimeoutMs).toBe(4000);
  });

  it('detailed: no summary, the count unknown beyond "at least"', () => {
    const output = readConsumer(kafkaCase('cons-detailed.stdout'));
    expect(output.final).toBeNull();
    expect(output.table).toBe('consumer-detailed');
    expect(output.detailedRows).toBe(3);
    expect(output.seenAtLeast).toBe(215041);
  });

  it('metrics table after the row', () => {
    const text = kafkaCase('cons-printmetrics.stdout');
    const output = readConsumer(text);
    expect(output.final?.records).toBe(20432);
    expect(output.metrics.rows).toHaveLength(text.split('\n').filter((line) => / : /.test(line)).length);
    expect(output.metrics.unreadable).toBe(0);
  });
});

it('no output of any case, read by either parser, carries a value that JSON cannot', () => {
  const names = readdirSync(new URL('../cases/kafka-4.3.1/', import.meta.url)).filter((name) =>
    name.endsWith('.stdout'),
  );
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    expect(unclean(readProducer(kafkaCase(name)))).toEqual([]);
    expect(unclean(readConsumer(kafkaCase(name)))).toEqual([]);
  }
});

it('neither parser takes the output of the other tool, nor of the offset, log-dir and JMX tools, for a result', () => {
  for (const name of ['getoffset-acks0', 'jmxtool-stream', 'logdirs', 'topic-create-dup', 'cons-success']) {
    expect(readProducer(kafkaCase(`${name}.stdout`)).final).toBeNull();
  }
  for (const name of ['getoffset-acks0', 'jmxtool-stream', 'logdirs', 'topic-create-dup', 'prod-warmup']) {
    expect(readConsumer(kafkaCase(`${name}.stdout`)).final).toBeNull();
  }
});
