import { describe, expect, it } from 'vitest';
import { type Changes, said, search } from './advice-support.ts';

const codec = { set: 'producers.p.config.compression.type', levels: ['none', 'zstd', 'lz4'] };
const size = { set: 'payload.json.size', levels: ['1008B', '200B'] };
const rf = { set: 'topics.main.replication', levels: [3, 1] };
const three: Changes = {
  question: 'Does lz4 still win when records are 200 B and RF is 1?',
  factors: { codec, size, rf },
};

describe('factors that are varied one at a time', () => {
  it('never run together, which is said with the levels that the question names and with what to write', () => {
    expect(said(three, 'never-combined')).toBe(
      'No scenario combines codec=lz4, size=200B and rf=1: each factor is varied alone. To run combinations write scenarios: [{ cross: [codec, size, rf] }], or one factor whose levels set several things.',
    );
    expect(said({ ...three, scenarios: [{ vary: ['codec', 'rf'] }] }, 'never-combined')).toContain(
      'No scenario combines codec=lz4 and rf=1: each',
    );
  });

  it('are no news where a combination runs, or where one factor varies', () => {
    for (const quiet of [
      { scenarios: [{ cross: ['codec', 'size', 'rf'] }] },
      { scenarios: [{ zip: ['size', 'rf'] }] },
      { scenarios: [{ vary: ['codec', 'size', 'rf'] }, { codec: 'lz4', size: '200B', rf: 1 }] },
      { scenarios: [{ vary: ['codec'] }] },
      { scenarios: [{ vary: ['codec'] }, { vary: ['rf'] }] },
      { factors: { codec } },
      { factors: { codec, rf: { ...rf, when: { codec: 'lz4' } } } },
      { only: ['baseline', 'lz4'] },
    ])
      expect(said({ ...three, ...quiet }, 'never-combined')).toBe('');
  });

  it('too many to cross get the one combination that is missing', () => {
    const many = (set: string) => ({ set, levels: Array.from({ length: 9 }, (_, i) => i + 1) });
    const factors = { parts: many('topics.main.partitions'), linger: many('producers.p.config.linger.ms') };
    expect(said({ factors }, 'never-combined')).toContain(
      'scenarios: [{ vary: [parts, linger] }, { parts: 2, linger: 2 }]',
    );
  });
});

describe('scenarios that are in no contrast', () => {
  const half: Changes = { factors: { codec }, contrasts: [['lz4', 'none']] };

  it('are named with what they cost', () => {
    expect(said(half, 'not-compared')).toMatch(
      /^codec=zstd is in no contrast and compared with nothing, and takes 6 of 18 trials, up to [\d.]+ [GT]iB of writes\. Name it in contrasts/,
    );
    const wider = { ...half, factors: { codec: { ...codec, levels: ['none', 'gzip', 'zstd', 'lz4'] } } };
    expect(said(wider, 'not-compared')).toMatch(/^codec=gzip and codec=zstd are in no contrast .* 12 of 24/);
  });

  it('are none where each is compared, and where nothing is', () => {
    for (const quiet of [
      { factors: { codec } },
      { ...half, scenarios: [{ codec: 'lz4' }, { codec: 'none' }] },
      { ...half, only: ['lz4'] },
      { ...half, only: ['lz4', 'zstd'] },
      { ...half, expect: [{ of: 'zstd', min: '20MiB/s' }] },
      search({ from: '20k/s', to: '100k/s' }),
    ])
      expect(said(quiet, 'not-compared')).toBe('');
  });

  it('are all of them where --only leaves no contrast whole', () => {
    expect(said({ ...half, only: ['lz4', 'zstd'] }, 'nothing-to-compare')).toBe(
      'No contrast has both of its scenarios here: rates will be shown, and nothing is compared.',
    );
    expect(said({ ...half, only: ['lz4', 'none'] }, 'nothing-to-compare')).toBe('');
  });
});
