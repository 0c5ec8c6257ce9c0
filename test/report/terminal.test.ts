import { describe, expect, test } from 'vitest';
import { columns, fit, width, wrap } from '../../src/report/layout.ts';
import { terminalSummary } from '../../src/report/terminal.ts';
import { ABORTED, COMPLETED, HOSTILE, INCONCLUSIVE, UNDECIDED } from './fixture-cases.ts';
import { modelOf } from './harness.ts';

const options = { width: 80, color: false, folder: 'results/x' };

test('the answer comes first, then the verdict, the rates, the void attempts, the limits, the files', async () => {
  const text = terminalSummary(await modelOf(COMPLETED), options);
  const parts = [
    'How much does',
    'batch=64KiB is 2.4 times as fast',
    '✓ higher',
    'median MiB/s',
    '✗ block 3',
    '⚑ ',
    'what this does not prove',
    'results/x/report.html',
  ];
  const places = parts.map((part) => text.indexOf(part));
  expect(places.every((p) => p >= 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test.each([40, 80, 120])('no line is longer than %i columns', async (columnsWide) => {
  for (const fixture of [COMPLETED, INCONCLUSIVE, ABORTED, UNDECIDED, HOSTILE]) {
    const text = terminalSummary(await modelOf(fixture), { ...options, width: columnsWide, folder: 'r' });
    for (const line of text.split('\n')) expect(width(line), line).toBeLessThanOrEqual(columnsWide);
  }
});

test('colour only when asked, and it changes nothing else; names cannot send codes of their own', async () => {
  const plain = terminalSummary(await modelOf(HOSTILE), options);
  expect(/(?!\n)\p{Cc}|\u202e/u.test(plain)).toBe(false);
  const colored = terminalSummary(await modelOf(HOSTILE), { ...options, color: true });
  expect(colored).toContain('\u001b[32m✓ higher');
  expect(colored.replace(/(?!\n)\p{Cc}\[\d+m/gu, '')).toBe(plain);
});

test('each word has its own sign', async () => {
  expect(terminalSummary(await modelOf(INCONCLUSIVE), options)).toContain('? inconclusive');
  expect(terminalSummary(await modelOf(UNDECIDED), options)).toContain('✗ cannot be decided');
  expect(terminalSummary(await modelOf(INCONCLUSIVE), options)).toContain(
    '! Teardown left behind: process 4711',
  );
});

describe('layout', () => {
  test('wide characters take two columns, combining ones none', () => {
    expect(width('日本')).toBe(4);
    expect(width('e\u0301')).toBe(1);
    expect(fit('日本語', 4)).toBe('日…');
  });
  test('text is wrapped at spaces, and a word longer than the line is cut', () => {
    expect(wrap('aa bb cc', 5, ' ')).toEqual(['aa bb', ' cc']);
    expect(wrap('abcdefgh', 4)).toEqual(['abcd', 'efgh']);
    expect(wrap('', 4)).toEqual(['']);
  });
  test('a table that is too wide cuts its first column, then loses its last ones', () => {
    const shape = [
      { name: 'scenario', align: 'left' },
      { name: 'rate', align: 'right' },
      { name: 'valid', align: 'right' },
    ] as const;
    const rows = [['a-very-long-scenario-name', '12.5', '6']];
    expect(columns(shape, rows, 30)).toEqual({
      head: 'scenario           rate  valid',
      rows: ['a-very-long-scen…  12.5      6'],
    });
    expect(columns(shape, rows, 24).head).not.toContain('valid');
  });
});
