import { expect, test } from 'vitest';
import { orderRows } from '../../src/report/order.ts';
import { htmlReport } from '../../src/report/html.ts';
import { terminalSummary } from '../../src/report/terminal.ts';
import { ABORTED, COMPLETED } from './fixture-cases.ts';
import { plan } from './fixture-plan.ts';
import { trials } from './fixture-trials.ts';
import { modelOf } from './harness.ts';

const strip = (fixture: typeof COMPLETED): string[] =>
  orderRows(plan(fixture), trials(fixture)).map(
    (row) =>
      `${row.name} ${row.cells.map((c) => `${'AB'[c.index]}${c.state === 'valid' ? '' : `(${c.state})`}`).join(' ')}`,
  );

test('blocks × positions as they ran: the drawn order, a void attempt where it stood, its new attempt at the end', () => {
  expect(strip(COMPLETED)).toEqual([
    'b0.p1 A B',
    'b0.p2 B A',
    'b1 A B',
    'b2 B A',
    'b3 B(void) A B',
    'b4 A B',
    'b5 A B',
    'b6 B A',
  ]);
});

test('what was planned in a block that began and did not run is a gap; blocks that never began are left out', () => {
  const [first, ...more] = trials(COMPLETED).filter((t) => t.block === 5);
  expect(more).toHaveLength(1);
  const cut = trials(COMPLETED).filter((t) => t.block < 5);
  const rows = orderRows(plan(COMPLETED), [...cut, ...(first ? [first] : [])]);
  expect(rows.map((r) => r.name)).toEqual(['b0.p1', 'b0.p2', 'b1', 'b2', 'b3', 'b4', 'b5']);
  expect(rows.at(-1)?.cells.map((c) => c.state)).toEqual(['valid', 'missing']);
});

test('the terminal shows it in one line, the page as a table that leads to each record', async () => {
  const text = terminalSummary(await modelOf(COMPLETED), { width: 100, color: false, folder: 'r' });
  expect(text).toContain('1:AB 2:BA 3:B×AB 4:AB 5:AB 6:BA');
  expect(terminalSummary(await modelOf(ABORTED), { width: 100, color: false, folder: 'r' })).toContain(
    '1:AB 2:BA×',
  );
  const page = htmlReport(await modelOf(COMPLETED));
  expect(page).toMatch(
    /<td class="void" title="block 3, batch=64KiB: void, capsule-lost"><a href="\.\/trials\/b3/,
  );
});
