import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { INSPECT_REASONS, says, SHARED_REASONS } from '../../src/measure/inspect-codes.ts';
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

  it('is told by every word, and every reason has its meaning in words', () => {
    const words = new Set(INDEX.map((row) => row[4]));
    expect([...words].filter((word) => !(word in WORDS))).toEqual([]);
    const codes = [...Object.keys(INSPECT_REASONS), ...SHARED_REASONS] as Parameters<typeof says>[0][];
    for (const code of codes) expect(says(code)).not.toBe('');
  });
});
