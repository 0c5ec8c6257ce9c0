import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ListedWithFolder, knownExperiments, knownText } from '../../src/cli/known-experiments.ts';
import { type ResultFolder, resultFolders } from '../../src/cli/result-folders.ts';
import { resolveHome } from '../../src/lab/home.ts';

const listed = (changes: Partial<ListedWithFolder>): ListedWithFolder => ({
  workflowId: 'codec',
  runId: 'r',
  key: 'codec-1',
  state: 'COMPLETED',
  startedAt: new Date('2026-01-02T00:00:00Z'),
  endedAt: new Date('2026-01-02T00:10:00Z'),
  name: 'codec',
  question: null,
  rehearsal: false,
  folder: null,
  ...changes,
});
const folder = (changes: Partial<ResultFolder>): ResultFolder => ({
  folder: '/r/codec-1',
  key: 'codec-1',
  workflowId: 'codec',
  name: 'codec',
  outcome: 'completed',
  answer: 'lz4 is 1.3 times as fast as none.',
  rehearsal: false,
  startedAt: '2026-01-02T00:00:05.000Z',
  endedAt: '2026-01-02T00:09:55.000Z',
  ...changes,
});

describe('knownExperiments', () => {
  it('shows once what server and store both know, with the outcome and answer of the store', () => {
    expect(knownExperiments([listed({})], [folder({ outcome: 'aborted' })])).toEqual([
      {
        id: 'codec',
        key: 'codec-1',
        name: 'codec',
        state: 'aborted',
        answer: 'lz4 is 1.3 times as fast as none.',
        rehearsal: false,
        startedAt: '2026-01-02T00:00:00.000Z',
        tookMs: 600_000,
        folder: '/r/codec-1',
      },
    ]);
  });

  it('tells two experiments of one id apart, newest first', () => {
    const all = knownExperiments(
      [
        listed({
          key: 'codec-2',
          startedAt: new Date('2026-01-03T00:00:00Z'),
          endedAt: null,
          state: 'RUNNING',
        }),
      ],
      [folder({})],
    );
    expect(all.map(({ id, key, state, tookMs }) => [id, key, state, tookMs])).toEqual([
      ['codec', 'codec-2', 'running', null],
      ['codec', 'codec-1', 'completed', 590_000],
    ]);
  });

  it('keeps what only one side knows', () => {
    const all = knownExperiments(
      [listed({ workflowId: 'a', key: 'a-1', state: 'TERMINATED', folder: '/elsewhere/a-1' })],
      [folder({ key: 'b-1', workflowId: null, outcome: null, startedAt: null, endedAt: null, answer: null })],
    );
    expect(all.map(({ id, state, folder: at }) => [id, state, at])).toEqual([
      ['a', 'terminated', '/elsewhere/a-1'],
      [null, 'unfinished', '/r/codec-1'],
    ]);
  });
});

describe('knownText', () => {
  it('calls a rehearsal one, whether the server or the store says so', () => {
    for (const known of [
      knownExperiments([], [folder({ rehearsal: true })]),
      knownExperiments([listed({ rehearsal: true })], []),
      knownExperiments([listed({ rehearsal: false })], [folder({ rehearsal: true })]),
    ])
      expect(knownText(known, { nowMs: 0, columns: 100 })).toMatch(
        /^✓ codec {2}completed {2}REHEARSAL, not a measurement {2}/,
      );
  });

  it('has the mark first, cuts the answer to the terminal, and shows nothing that a terminal obeys', () => {
    const known = knownExperiments(
      [listed({ workflowId: 'x\u001b[2J', key: 'x-1', state: 'RUNNING', endedAt: null })],
      [folder({ answer: `${'word '.repeat(40)}\nmore` })],
    );
    const text = knownText(known, { nowMs: Date.parse('2026-01-02T00:05:00Z'), columns: 60 });
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^✓ codec {2}completed {2}2026-01-02 00:00 UTC, took 9 min 50 s {2}key codec-1$/,
    );
    expect(lines[1]).toMatch(/^ {4}word word .*…$/);
    expect(Array.from(lines[1] ?? '').length).toBeLessThanOrEqual(60);
    expect(lines[2]).toBe('    /r/codec-1');
    expect(lines[3]).toMatch(/^… x<U\+001B>\[2J {2}running .*for 5 min now/);
    expect(text).not.toContain('\u001b');
  });
});

describe('resultFolders', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'assay-ls-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const file = (path: string, content: string) => {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), content);
  };

  it('reads the store and the second place, and goes on over what cannot be read', () => {
    file('results/a-1/plan.json', '{"format":1,"name":"a"}');
    file('results/a-1/experiment.json', '{"format":1,"key":"a-1","workflowId":"a","outcome":"failed"}');
    file('results/torn/plan.json', '{"form');
    file('results/empty/x', '');
    file('results/stray-file', '');
    file('rescue/b-1/plan.json', '{"format":1,"name":"b","smoke":true}');
    file('rescue/b-1/summary.json', 'null');
    expect(
      resultFolders(resolveHome({ ASSAY_HOME: home })).map(({ key, outcome, name, rehearsal }) => [
        key,
        outcome,
        name,
        rehearsal,
      ]),
    ).toEqual([
      ['a-1', 'failed', 'a', false],
      ['b-1', null, 'b', true],
    ]);
  });

  it('is empty in a home that does not exist', () => {
    expect(resultFolders(resolveHome({ ASSAY_HOME: join(home, 'none') }))).toEqual([]);
  });
});
