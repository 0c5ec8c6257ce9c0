import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { table, withSection } from '../../bench/page.ts';

const PAGE =
  'before\n<!-- bench:a -->\nold\n<!-- /bench:a -->\nbetween\n<!-- bench:b -->\n<!-- /bench:b -->\nafter\n';

describe('a section of the page', () => {
  it('is replaced, and nothing else is', () => {
    const once = withSection(PAGE, 'a', 'new $& text\n');
    expect(once).toBe(PAGE.replace('old', () => 'new $& text'));
    expect(withSection(once, 'a', 'old')).toBe(PAGE);
  });

  it('must have a place', () => {
    expect(() => withSection(PAGE, 'c', 'x')).toThrow('no place <!-- bench:c -->');
  });

  it.each(['a', 'b', 'c', 'd', 'e'])('%s has its place in docs/benchmarks.md', (name) => {
    const page = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
    expect(withSection(page, name, 'figures')).toContain(
      `<!-- bench:${name} -->\nfigures\n<!-- /bench:${name} -->`,
    );
  });
});

it('writes a table', () => {
  expect(
    table(
      ['', 'x'],
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ),
  ).toBe('|  | x |\n| --- | --- |\n| a | 1 |\n| b | 2 |');
});
