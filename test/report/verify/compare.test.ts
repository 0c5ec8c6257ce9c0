import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRows, csvText } from '../../../src/report/csv-table.ts';
import { compareJson, compareTables, compareText } from '../../../src/report/verify/compare.ts';

describe('JSON', () => {
  test('what went through the store is equal to itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const stored: unknown = JSON.parse(JSON.stringify(value));
        expect(compareJson('f', stored, value).differences).toEqual([]);
      }),
    );
  });

  test.each([
    ['a number', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b', '1', '2'],
    ['a number that became a text', { a: '1' }, { a: 1 }, 'a', '1', '1'],
    ['a value that is gone', {}, { a: 0 }, 'a', 'nothing', '0'],
    ['a value that was added', { a: 0, b: 5 }, { a: 0 }, 'b', '5', 'nothing'],
    ['null for a number', { a: null }, { a: 3 }, 'a', 'null', '3'],
    ['a list for an object', { a: [] }, { a: {} }, 'a', '[]', '{}'],
    ['a longer list', [1, 2], [1], '[1]', '2', 'nothing'],
    ['a name of every object', { a: 1 }, { a: 1, constructor: 2 }, 'constructor', 'nothing', '2'],
  ])('%s is named', (_, stored, derived, where, left, right) => {
    expect(compareJson('f', stored, derived).differences).toEqual([
      { path: 'f', where, stored: left, derived: right },
    ]);
  });

  test('numbers are counted as derived; the last digits of a sum may differ, a part in a million may not', () => {
    expect(compareJson('f', { a: 1, b: [2, 'x'] }, { a: 1, b: [2, 'x'] })).toEqual({
      numbers: 2,
      differences: [],
    });
    expect(compareJson('f', { a: 0.1 + 0.2 }, { a: 0.3 }).differences).toEqual([]);
    expect(compareJson('f', { a: 1.000001 }, { a: 1 }).differences).toHaveLength(1);
    expect(compareJson('f', { a: 0 }, { a: 1e-30 }).differences).toHaveLength(1);
  });
});

describe('tables', () => {
  test('a table is read back as it was written, whatever its fields hold', () => {
    const field = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', '1') });
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((n) =>
        fc.array(fc.array(field, { minLength: n, maxLength: n }), { minLength: 1, maxLength: 4 }),
      );
    fc.assert(
      fc.property(rows, ([header = [], ...body]) => {
        // A text that a spreadsheet would run gets an apostrophe when written.
        const shown = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
        expect(csvRows(csvText(header, body))).toEqual([header, ...body].map((row) => row.map(shown)));
      }),
    );
  });

  test('a cell is named by its row and its column, a row that is gone cell by cell', () => {
    const derived = [
      ['trial', 'rate'],
      ['b1', '5'],
      ['b2', '6'],
    ];
    expect(
      compareTables(
        't',
        [
          ['trial', 'rate'],
          ['b1', '5'],
          ['b2', '7'],
        ],
        derived,
      ),
    ).toEqual({
      numbers: 2,
      differences: [{ path: 't', where: 'row 3, rate', stored: '7', derived: '6' }],
    });
    expect(compareTables('t', derived.slice(0, 2), derived).differences).toHaveLength(2);
  });
});

test('of a text the first line that differs is named, from a little before the place', () => {
  expect(compareText('p', 'a\nb', 'a\nb').differences).toEqual([]);
  const long = 'x'.repeat(300);
  const [one] = compareText('p', `a\n${long}1`, `a\n${long}2`).differences;
  expect(one).toMatchObject({ where: 'line 2', stored: `${'x'.repeat(30)}1`, derived: `${'x'.repeat(30)}2` });
  expect(compareText('p', 'a', 'a\nb').differences).toMatchObject([
    { where: 'line 2', stored: '', derived: 'b' },
  ]);
  expect(compareText('p', 'a\nb', 'a').differences).toMatchObject([
    { where: 'line 2', stored: 'b', derived: '' },
  ]);
});
