import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { kafkaCase, readErrors, unclean } from './helpers.ts';
import { inspectText } from './inspect-helpers.ts';

const FOLDER = new URL('fixtures/perf/', import.meta.url);

/** What each word of an index means: the verdict, and the reasons of which at least one must be given. */
const WORDS: Record<string, { verdict: 'valid' | 'invalid'; anyOf: readonly string[] }> = {
  ok: { verdict: 'valid', anyOf: [] },
  ok_overread: { verdict: 'valid', anyOf: [] },
  ok_bad_rebalance: { verdict: 'valid', anyOf: [] },
  ok_rate_shortfall: { verdict: 'valid', anyOf: [] },
  ok_with_retries: { verdict: 'valid', anyOf: [] },
  shortfall: { verdict: 'invalid', anyOf: ['count-short', 'consumer-short', 'idle-timeout'] },
  inconsistent: { verdict: 'invalid', anyOf: ['times-inconsistent'] },
  all_failed: { verdict: 'invalid', anyOf: ['callbacks-failed'] },
  no_summary: { verdict: 'invalid', anyOf: ['no-summary'] },
  no_final_row: { verdict: 'invalid', anyOf: ['no-summary'] },
  tool_failed: { verdict: 'invalid', anyOf: ['tool-exit'] },
  malformed: { verdict: 'invalid', anyOf: ['malformed'] },
  foreign: { verdict: 'invalid', anyOf: ['foreign'] },
  ambiguous: { verdict: 'invalid', anyOf: ['ambiguous'] },
  empty: { verdict: 'invalid', anyOf: ['no-output'] },
};

const INDEX = readFileSync(new URL('index.tsv', FOLDER), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((row) => row.split('\t') as [string, string, string, string, string, string, string]);

function fixture(file: string): Uint8Array {
  const bytes = readFileSync(new URL(file, FOLDER));
  return file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

describe('every kind of capture', () => {
  it.each(INDEX)('%s', (file, asked, tool, finalCount, word, note) => {
    const one = inspectText(fixture(file), { asked: Number(asked) });
    const meant = WORDS[word];
    const codes = one.reasons.map(({ code }) => code);
    expect({ codes, verdict: one.verdict }).toMatchObject({ verdict: meant?.verdict });
    if ((meant?.anyOf.length ?? 0) > 0)
      expect(meant?.anyOf.some((code) => codes.includes(code as never))).toBe(true);
    expect(one.tool).toBe(tool);
    expect(one.finalCount).toBe(finalCount === '' ? null : Number(finalCount));
    if (note !== '') expect(one.notes.map(({ code }) => code)).toContain(note);
    expect(unclean(one)).toEqual([]);
  });

  it('is told by words that mean something, and by reasons that docs/inspect.md explains', () => {
    expect(INDEX.map((row) => row[4]).filter((word) => !(word in WORDS))).toEqual([]);
    const page = readFileSync(new URL('../../docs/inspect.md', import.meta.url), 'utf8');
    const reasons = INDEX.flatMap(
      ([file, asked]) => inspectText(fixture(file), { asked: Number(asked) }).reasons,
    );
    const codes = [...new Set(reasons.map(({ code }) => code))];
    expect(codes.length).toBeGreaterThan(9);
    expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});

describe('the captures of 4.3.1', () => {
  it.each([
    ['prod-success-acksall-none', 200_000, 'producer', 200_000, []],
    ['prod-throttled-5000', 25_000, 'producer', 25_000, []],
    ['prod-warmup', 200_000, 'producer', 200_000, []],
    ['prod-printmetrics', 20_000, 'producer', 20_000, []],
    ['prod-kill-broker-rf1-acks1', 60_000, 'producer', 56_718, ['count-short']],
    ['prod-err-no-broker', 2, 'producer', 0, ['count-short']],
    ['prod-err-too-large', 5, 'producer', 0, ['count-short']],
    ['prod-sigkill-truncated', 200_000, 'producer', null, ['no-summary']],
    ['cons-success', 100_000, 'consumer', 100_304, []],
    ['cons-printmetrics', 20_000, 'consumer', 20_432, []],
    ['cons-timeout-fewer-records', 50_000, 'consumer', 40_000, ['idle-timeout', 'consumer-short']],
    ['cons-detailed', 300_000, 'consumer', null, ['no-summary']],
    ['getoffset-acks0', null, 'unknown', null, ['foreign']],
    ['jmxtool-stream', null, 'unknown', null, ['foreign']],
    ['logdirs', null, 'unknown', null, ['foreign']],
    ['topic-create-dup', null, 'unknown', null, ['foreign']],
  ])('%s', (name, asked, tool, finalCount, codes) => {
    const one = inspectText(kafkaCase(`${name}.stdout`), { asked });
    expect(one).toMatchObject({ tool, finalCount, verdict: codes.length === 0 ? 'valid' : 'invalid' });
    expect(one.reasons.map(({ code }) => code)).toEqual(codes);
  });

  it('a killed broker: the missing records are the failed sends of stderr', () => {
    const stderr = readErrors(kafkaCase('prod-kill-broker-rf1-acks1.stderr.gz'));
    const one = inspectText(kafkaCase('prod-kill-broker-rf1-acks1.stdout'), { asked: 60_000, stderr });
    expect(one.reasons.map(({ code }) => code)).toEqual(['count-short', 'callbacks-failed']);
    expect(one.reasons[1]?.message).toMatch(/^3,282 sends failed: org\.apache\.kafka/);
  });

  it('the same with both streams in one file, whichever comes first', () => {
    const [out, err] = ['stdout', 'stderr.gz'].map((end) => kafkaCase(`prod-kill-broker-rf1-acks1.${end}`));
    const answers = [`${out}${err}`, `${err}${out}`].map((text) => inspectText(text, { asked: 60_000 }));
    for (const one of answers) {
      expect(one.finalCount).toBe(56_718);
      expect(one.reasons.map(({ message }) => message)[1]).toMatch(/^3,282 sends failed/);
    }
  });
});

describe('values', () => {
  const text = (name: string): string => Buffer.from(fixture(name)).toString('utf8');
  const of = (name: string, asked: number | null = null) => inspectText(fixture(name), { asked });

  it('of a producer are those of the whole load, with their units', () => {
    expect(of('producer-4.x.txt', 150_000)).toMatchObject({
      rates: { recordsPerS: 9615.384615, mibPerS: 9.39, fetchRecordsPerS: null, fetchMibPerS: null },
      times: { elapsedMs: 15_600, rebalanceMs: null, fetchMs: null },
      latency: { avgMs: 187.31, maxMs: 512, p50Ms: 171, p95Ms: 388, p99Ms: 455, p999Ms: 498 },
      windows: { lines: 3, records: 143_700, minRecordsPerS: 8250, maxRecordsPerS: 10_462 },
    });
  });

  it('of a consumer tell the fetch apart from the whole', () => {
    expect(of('consumer-4.x.txt')).toMatchObject({
      rates: { recordsPerS: 20_000, mibPerS: 19.5313, fetchRecordsPerS: 21_333.3333, fetchMibPerS: 20.8333 },
      times: { elapsedMs: 4000, rebalanceMs: 250, fetchMs: 3750 },
      latency: null,
      windows: null,
    });
  });

  it('that are not meaningful are null: nothing sent, acks=0, an idle wait, impossible times, contradictions', () => {
    expect(of('producer-all-failed.txt')).toMatchObject({ finalCount: 0, rates: null, latency: null });
    expect(of('producer-print-metrics-acks0.txt')).toMatchObject({ rates: { mibPerS: 9.39 }, latency: null });
    expect(of('consumer-idle.txt')).toMatchObject({ finalCount: 80_000, rates: null });
    expect(of('consumer-epoch-rebalance.txt')).toMatchObject({
      rates: { recordsPerS: 20_000, fetchRecordsPerS: null },
      times: { rebalanceMs: null, fetchMs: null },
    });
    expect(of('producer-0.8-csv-inconsistent.txt')).toMatchObject({ finalCount: 50_000, rates: null });
  });

  it('say acks=0 when the output says so in other words', () => {
    for (const line of ['\tacks = 0', '+ kafka-producer-perf-test.sh --producer-props acks=0 linger.ms=5']) {
      expect(inspectText(`${line}\n${text('producer-4.x.txt')}`).latency).toBeNull();
    }
    expect(inspectText(`\tacks = all\n${text('producer-4.x.txt')}`).latency).not.toBeNull();
  });

  it('a small rate that was printed as 0.00 is not known, never 0', () => {
    const tiny = text('producer-slower-than-asked.txt').replaceAll('0.04 MB', '0.00 MB');
    const one = inspectText(tiny, { asked: 1200 });
    expect(one.rates).toMatchObject({ mibPerS: null, recordsPerS: 38.412341 });
    expect(one.notes.map(({ code }) => code)).toContain('rounded-to-zero');
  });

  it('a limited rate that was not reached is a note and voids nothing', () => {
    const limited = (askedRecordsPerS: number) =>
      inspectText(fixture('producer-slower-than-asked.txt'), { asked: 1200, askedRecordsPerS });
    expect(limited(40)).toMatchObject({ verdict: 'valid' });
    expect(limited(40).notes.map(({ code }) => code)).toContain('rate-not-reached');
    expect(limited(38.5).notes.map(({ code }) => code)).not.toContain('rate-not-reached');
  });

  it('a line that lost its head is malformed, and not foreign too', () => {
    const text =
      '000 records sent, 5000.123456 records/sec (4.81 MB/sec), 2.30 ms avg latency, 9.00 ms max latency, 2 ms 50th, 5 ms 95th, 7 ms 99th, 9 ms 99.9th.\n';
    expect(inspectText(text).reasons.map((r) => r.code)).toEqual(['malformed']);
  });

  it('a crash quotes its innermost cause', () => {
    expect(of('producer-construct.txt').reasons[0]?.message).toMatch(/Caused by: .*Invalid value sometimes/);
  });

  it('a long log of failures and warnings is counted to the last line', () => {
    const warning =
      '[2026-01-01 10:00:00,000] WARN [Producer clientId=p] Got error, retrying (4 attempts left). (a.b.C)\n';
    const failure = 'org.apache.kafka.common.errors.TimeoutException: Expiring 3 record(s) for t-0\n';
    const one = inspectText(`${(warning + failure).repeat(3000)}${text('producer-4.x.txt')}`, {
      asked: 150_000,
    });
    expect(one.reasons.map(({ message }) => message)[0]).toMatch(/^3,000 sends failed/);
    expect(one.notes.find(({ code }) => code === 'retries')?.message).toMatch(/^3,000 lines/);
    const glued =
      warning.repeat(3000).slice(0, -1) + text('producer-4.x.txt').split('\n').slice(2).join('\n');
    expect(inspectText(glued, { asked: 150_000 })).toMatchObject({ verdict: 'valid', windows: { lines: 3 } });
  });
});
