import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findResults, folderNamed } from '../../src/cli/find-results.ts';
import { attemptsIn, findAttempt, recordOf } from '../../src/cli/trial-files.ts';
import { chooseFiles, shownText } from '../../src/cli/trial-logs.ts';
import { trialRow, trialTable, trialText } from '../../src/cli/trial-text.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import type { Store } from '../../src/store/store.ts';
import { COMPLETED } from '../report/fixture-cases.ts';
import { fillStore } from '../report/fixtures.ts';
import { fakeTerminal } from './support.ts';

let home: string;
let folder: string;
let store: Store;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'assay-trial-'));
  folder = join(home, 'results', 'some-key');
  store = createFolderStore(folder);
  await fillStore(COMPLETED, store);
  await store.put('trials/b6/cut/a1/p.stdout', 'torn');
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const context = () => ({
  terminal: fakeTerminal(),
  env: { ASSAY_HOME: home, ASSAY_TEMPORAL_PORT: '1', TEMPORAL_CONFIG_FILE: join(home, 'none.toml') },
  exitWith: () => {},
});

describe('findResults', () => {
  it('takes a path, an experiment key and a workflow id', async () => {
    const { key, workflowId } = JSON.parse((await store.get('experiment.json')).toString()) as {
      key: string;
      workflowId: string;
    };
    for (const named of [folder, key, workflowId]) expect(await findResults(context(), named)).toBe(folder);
  });

  it.each([
    ['', 'neither a results folder'],
    ['no-such', 'neither a results folder'],
    ['a\u001b[2Jb', '<U+001B>'],
    [tmpdir(), 'without a plan.json'],
  ])('refuses %j and says what to do', async (named, why) => {
    await expect(findResults(context(), named)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(why),
    });
    await expect(findResults(context(), named)).rejects.toThrow('assay ls');
  });
});

describe('folderNamed', () => {
  it('takes a damaged folder as it is, which verify must be able to look at, and finds ids else', async () => {
    expect(await folderNamed(context(), home)).toBe(home);
    expect(await folderNamed(context(), 'some-key')).toBe(folder);
    await expect(folderNamed(context(), 'no-such')).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('attempts', () => {
  it('are found by id, by trial (the last attempt), and with their folder in front', async () => {
    const attempts = await attemptsIn(store);
    const some = attempts.find(({ id }) => id.startsWith('b3/') && id.endsWith('/a2'));
    expect(some, 'the fixture voids one attempt').toBeDefined();
    const id = some?.id ?? '';
    expect(findAttempt(attempts, id).id).toBe(id);
    expect(findAttempt(attempts, `trials/${id}/`).id).toBe(id);
    expect(findAttempt(attempts, id.replace(/\/a2$/, '')).id).toBe(id);
  });

  it('counts blocks and attempts as numbers', () => {
    const at = (id: string) => ({ id, files: [] });
    expect(findAttempt([at('b1/x/a1'), at('b1/x/a2'), at('b1/x/a10')], 'b1/x').id).toBe('b1/x/a10');
  });

  it('that are not there get the nearest name', async () => {
    const attempts = await attemptsIn(store);
    const id = attempts[0]?.id ?? '';
    expect(() => findAttempt(attempts, `${id.slice(0, -4)}X/a1`)).toThrow(`Did you mean "${id}"?`);
    expect(() => findAttempt([], 'b1/x')).toThrow('No trial is in the store yet');
  });
});

describe('trial ls and show', () => {
  it('lists valid and void attempts, and one whose collecting was cut short', async () => {
    const rows = [];
    for (const attempt of await attemptsIn(store)) {
      rows.push(trialRow(attempt.id, await recordOf(store, attempt)));
    }
    const lines = trialTable(rows).trimEnd().split('\n');
    expect(lines).toHaveLength(rows.length);
    expect(lines.filter((line) => line.startsWith('✗ '))).toEqual([
      expect.stringMatching(/b3\/.*capsule-lost/),
    ]);
    expect(lines.at(-1)).toMatch(/^! b6\/cut\/a1 .*no verdict/);
  });

  it('shows every reason, the exact command and a file that exists behind each number', async () => {
    const attempts = await attemptsIn(store);
    const files = await store.list('');
    for (const attempt of attempts) {
      const record = await recordOf(store, attempt);
      if (record === null) continue;
      const text = trialText(record, { folder, files });
      expect(text.startsWith(record.verdict.valid ? '✓ ' : '✗ ')).toBe(true);
      for (const { code, message } of record.verdict.reasons) {
        expect(text).toContain(`✗ ${code} (`);
        expect(text).toContain(message);
      }
      for (const load of record.loads) {
        for (const argument of load.command) expect(text).toContain(argument);
        expect(text).toContain(`${load.asked.toLocaleString('en-US')} asked`);
      }
      const numbers = text.split('\n').filter((line) => line.includes('←'));
      expect(numbers.length).toBeGreaterThan(5);
      for (const line of numbers) expect(line).toContain(`← trials/${record.id}/`);
    }
  });
});

describe('trial show of what only some trials have', () => {
  const base = async () => {
    const attempts = await attemptsIn(store);
    const record = attempts[0] === undefined ? null : await recordOf(store, attempts[0]);
    if (record === null) throw new Error('the fixture has a first trial');
    return record;
  };
  const kept = { folder: '/r', files: [] };

  it('shows each metric with its unit and what it is over, and why one is missing', async () => {
    const record = await base();
    const text = trialText(
      {
        ...record,
        values: {
          rate: { value: 1, unit: 'records/s', over: 'own', loads: ['p'], why: null },
          p99: { value: 72.125, unit: 'ms', over: 'whole-load', loads: ['p'], why: null },
          achieved: { value: 0.9951, unit: 'share', over: 'own', loads: ['p'], why: null },
          consumeRate: { value: null, unit: 'records/s', over: 'fetch', loads: [], why: 'no consumer ran' },
        },
      },
      kept,
    );
    expect(text).toMatch(/p99 +72\.13 ms \(whole-load\)\n +← trials\/.*\/p\.stdout\n/);
    expect(text).toMatch(/achieved +99\.5 % \(own\)/);
    expect(text).toMatch(/consumeRate +none: no consumer ran/);
  });

  it('shows the times and the cache class of a consumer, and what was filled in before', async () => {
    const record = await base();
    const [load] = record.loads;
    if (load === undefined) throw new Error('the fixture has a load');
    const consumer = {
      elapsedMs: 22_000,
      rebalanceMs: 3_000,
      fetchMs: 19_000,
      fetchRecordsPerS: 250_000,
      fetchBytesPerS: 250_000_000,
      totalRateWhy: 'joining took 14 % of the time',
      diskReadShare: 0.02,
      cache: 'hot' as const,
    };
    const text = trialText(
      {
        ...record,
        offsets: [{ topic: 'main', asked: 0, claimed: 0, inLog: 0, filled: 5_000_000 }],
        loads: [{ ...load, name: 'c', kind: 'consumer', latencyMs: null, consumer }],
      },
      kept,
    );
    expect(text).toContain('Load c: a consumer at main');
    expect(text).toMatch(/times +22 s in all, 3 s to join, 19 s of fetching/);
    expect(text).toMatch(/fetch rate +250,000 records\/s/);
    expect(text).toMatch(/cache +hot; 2\.0 % of the bytes came from the disk/);
    expect(text).toContain('5,000,000 were filled in before');
    expect(text).not.toContain('failed sends');
  });
});

describe('trial logs', () => {
  const attempt = {
    id: 'b1/x/a1',
    files: ['p.stderr', 'p.stdout', 'q.stderr', 'q.stdout', 'sampler.jsonl', 'trial.json', 'p.exit.json'],
  };
  it.each([
    [{}, ['p.stdout', 'p.stderr', 'q.stdout', 'q.stderr']],
    [{ load: 'q' }, ['q.stdout', 'q.stderr']],
    [{ stderr: true as const }, ['p.stderr', 'q.stderr']],
    [{ samples: true as const }, ['sampler.jsonl']],
    [{ load: 'p', stdout: true as const, samples: true as const }, ['p.stdout', 'sampler.jsonl']],
  ])('%j shows %j', (options, names) => expect(chooseFiles(attempt, options)).toEqual(names));

  it('says which loads and files there are', () => {
    expect(() => chooseFiles(attempt, { load: 'r' })).toThrow(/no load "r"\. Known here: p, q\./);
    expect(() => chooseFiles({ id: 'b1/x/a1', files: ['trial.json'] }, {})).toThrow('there are trial.json');
  });

  it('writes out what a terminal would obey, and keeps tabs and line ends', () => {
    expect(shownText('a\tb\n\u001b[31mred\u0007\r\n')).toBe('a\tb\n<U+001B>[31mred<U+0007><U+000D>\n');
    expect(shownText('no end')).toBe('no end\n');
    expect(shownText('')).toBe('');
  });
});
