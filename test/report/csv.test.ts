import { expect, test } from 'vitest';
import { trialsCsv } from '../../src/report/csv.ts';
import { csvText } from '../../src/report/csv-table.ts';
import { samplesCsv } from '../../src/report/samples-csv.ts';
import { COMPLETED, HOSTILE } from './fixture-cases.ts';
import { plan } from './fixture-plan.ts';
import { trials } from './fixture-trials.ts';

/** A reader of RFC 4180, independent of the writer. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  const pattern = /("(?:[^"]|"")*"|[^,"\r\n]*)(,|\r\n)/y;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [, raw = '', end] = match;
    rows.at(-1)?.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === '\r\n') rows.push([]);
  }
  const last = rows.pop();
  if (last?.length !== 0) throw new Error('the text does not end with CRLF');
  return rows;
}

function table(text: string): Record<string, string>[] {
  const [header = [], ...rows] = parse(text);
  for (const row of rows) expect(row).toHaveLength(header.length);
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
}

test('RFC 4180: quotes, commas and line breaks are quoted; null is empty, 0 is 0, NaN is empty', () => {
  const text = csvText(
    ['a', 'b,c', 'd"e'],
    [
      ['x\ny', null, 0],
      [Number.NaN, true, 'plain'],
    ],
  );
  expect(text).toBe('a,"b,c","d""e"\r\n"x\ny",,0\r\n,true,plain\r\n');
});

test('text that a spreadsheet would run gets an apostrophe, numbers do not', () => {
  const text = csvText(['=h'], [['=1+1'], ['@x'], ['-cmd'], ['+cmd'], ['\t=x'], ['\r=x'], [-1.5]]);
  expect(parse(text).flat()).toEqual(["'=h", "'=1+1", "'@x", "'-cmd", "'+cmd", "'\t=x", "'\r=x", '-1.5']);
});

test('trials.csv: one row an attempt, void ones and block 0 included, with the level of each factor', () => {
  const rows = table(trialsCsv(plan(COMPLETED), trials(COMPLETED)));
  expect(rows).toHaveLength(17);
  expect(rows[0]).toMatchObject({
    block: '0',
    pass: '1',
    valid: 'true',
    factor_batch: '4KiB',
    steady_records_per_s: expect.stringMatching(/^\d/),
  });
  const bad = rows.filter((r) => r['valid'] === 'false');
  expect(bad).toMatchObject([
    { trial: 'b3/batch=64KiB/a1', reasons: 'capsule-lost', attempt: '1', position: '1' },
  ]);
  expect(rows[0]?.['broker_cpu_cores'], 'one broker is unknown, so the sum is').toBe('');
});

test('trials.csv: a percentile or a rate of several loads is not made up', () => {
  const one = trials(COMPLETED)[0];
  if (!one?.loads[0]) throw new Error('no load');
  const [row] = table(trialsCsv(plan(COMPLETED), [{ ...one, loads: [one.loads[0], one.loads[0]] }]));
  expect(row).toMatchObject({
    loads: '2',
    latency_p99_ms: '',
    total_records_per_s: '',
    asked_records: String(2 * one.loads[0].asked),
  });
});

test('trials.csv: hostile names stay in their fields and run nowhere', () => {
  const text = trialsCsv(plan(HOSTILE), trials(HOSTILE));
  for (const row of parse(text)) for (const field of row) expect(field).not.toMatch(/^[=+@\t\r]/);
  expect(table(text)).toHaveLength(17);
});

test('samples.csv: counters flat, absent ones empty, columns of all files, a torn line named', () => {
  const path = (n: number): string => `trials/b1/s/a${n}/sampler.jsonl`;
  const head = '{"sampler":1,"boot":"b","hz":100,"ncpu":2,"device":"vda"}';
  const full =
    '{"w0":1.5,"w1":1.6,"u0":9,"u1":9,"cpu":[1,2,3,4,5,6,7,8],"disk":{"rio":1,"rsect":2,"wio":3,"wsect":4,"ioms":5},"dirty":0,"wb":7,"net":{"lo":[10,20]},"psi":null,"proc":{"p":[1,2,3]},"cg":null}';
  const bare =
    '{"w0":2.5,"w1":2.6,"u0":10,"u1":10,"cpu":[],"disk":null,"dirty":null,"wb":1,"net":{},"psi":{"cpu":11,"io":12,"mem":13},"proc":{"b1":null},"cg":{"throttledUsec":5}}';
  const rows = table(
    samplesCsv([
      { path: path(1), text: `${head}\n${full}\n{"w0":3` },
      { path: path(2), text: `${head}\n${bare}\n` },
    ]),
  );
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({
    trial_folder: 'trials/b1/s/a1',
    file: 'sampler.jsonl',
    line: '2',
    malformed: '',
    hz: '100',
    device: 'vda',
    read_start_epoch_s: '1.5',
    cpu_steal_ticks: '8',
    disk_written_512b_sectors: '4',
    disk_flushes: '',
    dirty_kib: '0',
    psi_cpu_some_us: '',
    net_lo_sent_bytes: '20',
    process_p_system_ticks: '2',
    process_b1_user_ticks: '',
  });
  expect(rows[1]).toMatchObject({ malformed: 'true', line: '3', dirty_kib: '' });
  expect(rows[2]).toMatchObject({
    dirty_kib: '',
    disk_reads: '',
    psi_mem_some_us: '13',
    cgroup_throttled_us: '5',
    net_lo_sent_bytes: '',
  });
});
