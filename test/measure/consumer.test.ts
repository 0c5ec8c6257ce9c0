import { describe, expect, it } from 'vitest';
import { readConsumer } from './helpers.ts';

const HEADER =
  'start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec';
const ROW =
  '2026-03-01 10:00:00:000, 2026-03-01 10:00:04:000, 80.0000, 20.0000, 81920, 20480.0000, 1000, 3000, 26.6667, 27306.6667';

describe('columns by name', () => {
  it('reads the ten columns of today', () => {
    expect(readConsumer(`${HEADER}\n${ROW}\n`).final).toMatchObject({
      records: 81920,
      elapsedMs: 4000,
      fetchMs: 3000,
      inconsistent: null,
    });
  });

  it('0.8 has fetch.size third', () => {
    const output = readConsumer(
      'start.time, end.time, fetch.size, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec\n' +
        '2017-01-01 01:00:00:000, 2017-01-01 01:00:05:000, 1048576, 0.0000, 0.0000, 0, 0.0000\n',
    );
    expect(output.final).toMatchObject({ records: 0, fetchMs: null, absent: null });
  });

  it('the share consumer swaps two columns and has no rebalance', () => {
    const output = readConsumer(
      'start.time, end.time, data.consumed.in.MB, MB.sec, nMsg.sec, data.consumed.in.nMsg, fetch.time.ms\n' +
        '2026-01-01 10:00:00:000, 2026-01-01 10:00:05:000, 50.0000, 10.0000, 8000.0000, 40000, 5000\n',
    );
    expect(output.table).toBe('share-consumer');
    expect(output.final).toMatchObject({
      records: 40000,
      totalRecordsPerS: 8000,
      rebalanceMs: null,
      inconsistent: null,
    });
  });

  it('the CSV of the 0.8 producer, padded with tabs: counted, and its own contradiction named', () => {
    const output = readConsumer(
      '\t start.time, \t end.time, compression, message.size, batch.size, total.data.sent.in.MB, MB.sec, total.data.sent.in.nMsg,   nMsg.sec\n' +
        '2016-01-01 13:00:00:000, 2016-01-01 13:00:05:000, \t 1,   1000, \t 100, \t 50.00, 4.0000, \t 50000, 10000.0000\n',
    );
    expect(output.table).toBe('producer-0.8');
    expect(output.final?.records).toBe(50000);
    expect(output.final?.inconsistent).toMatch(/MB\.sec says 4, but 50 in 5000 ms is 10/);
  });
});

describe('impossible times', () => {
  it('KAFKA-10124: an epoch as rebalance time makes the fetch fields absent, count and totals stay', () => {
    const output = readConsumer(
      `${HEADER}\n2022-01-30 16:00:00:000, 2022-01-30 16:00:02:000, 40.0000, 20.0000, 41000, 20500.0000, 1643531856994, -1643531854994, -0.0000, -0.0001\n`,
    );
    expect(output.final).toMatchObject({
      records: 41000,
      totalMibPerS: 20,
      rebalanceMs: null,
      fetchMs: null,
      inconsistent: null,
    });
    expect(output.final?.absent).toMatch(/KAFKA-10124/);
  });

  it('with decimal commas, which do not split the row', () => {
    const output = readConsumer(
      `${HEADER}\n2026-07-01 11:00:00:000, 2026-07-01 11:00:00:500, 10,5000, 21,0000, 11000, 22000,0000, 1782898084864, -1782898084364, -0,0000, -0,0000\n`,
    );
    expect(output.decimals).toBe('comma');
    expect(output.final).toMatchObject({ records: 11000, mib: 10.5, totalMibPerS: 21, fetchMs: null });
  });

  it('a rebalance longer than the run is a contradiction', () => {
    const output = readConsumer(`${HEADER}\n${ROW.replace('1000, 3000', '9000, 3000')}\n`);
    expect(output.final?.inconsistent).toMatch(
      /rebalance 9000 ms \+ fetch 3000 ms is not the elapsed 4000 ms/,
    );
  });
});

describe('rows that must not be believed', () => {
  it('a hand-edited row is refused, no column shifts', () => {
    const output = readConsumer(
      'start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec\n*,\t\t*\t 9.5, \t 2.07, \t 100010, \t 21722.4\n',
    );
    expect(output).toMatchObject({ final: null, unreadable: { lines: 1 } });
  });

  it('every proper prefix of a row either is refused or says the same count', () => {
    for (let length = 0; length < ROW.length; length += 1) {
      const { final } = readConsumer(`${HEADER}\n${ROW.slice(0, length)}`);
      if (final !== null) expect(final.records).toBe(81920);
      if (length < ROW.lastIndexOf(', ')) expect(final).toBeNull();
    }
  });

  it('a row without header, and two rows, give no result', () => {
    expect(readConsumer(`${ROW}\n`)).toMatchObject({ final: null, unreadable: { lines: 1 } });
    expect(readConsumer(`${HEADER}\n${ROW}\n${ROW}\n`)).toMatchObject({ final: null, finalRows: 2 });
  });

  it('detailed rows are cumulative: the last is a lower bound, a negative first row does not matter', () => {
    const output = readConsumer(
      `${HEADER.replace('start.time, end.time', 'time, threadId')}\n` +
        '2022-04-06 04:00:01:034, 0, 0.0007, 0.0002, 1, 0.2806, 1649220251943, -1649220248379, 0.0000, 0.0000\n' +
        '2022-04-06 04:00:02:041, 0, 6.5083, 6.4623, 9000, 8900.0000, 0, 1007, 6.4623, 8823.2373\n',
    );
    expect(output).toMatchObject({ final: null, seenAtLeast: 9000, detailedRows: 2 });
  });

  it('the idle warning of old versions ("messages") is known too', () => {
    const warning =
      'WARNING: Exiting before consuming the expected number of messages: timeout (10000 ms) exceeded. You can…';
    expect(readConsumer(`${HEADER}\n${warning}\n${ROW}\n`)).toMatchObject({
      idleTimeoutMs: 10000,
      final: { records: 81920 },
    });
  });
});
