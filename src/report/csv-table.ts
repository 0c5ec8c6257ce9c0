/** One value of a CSV table; null is an empty field, never 0. */
export type Field = string | number | boolean | null | undefined;

/** Characters with which spreadsheets begin a formula; a tab or a return before one hides it. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A CSV text after RFC 4180 (CRLF, quotes doubled). Text that a spreadsheet would run as a formula gets an
 * apostrophe in front; numbers are left alone.
 */
export function csvText(header: readonly string[], rows: Iterable<readonly Field[]>): string {
  const lines = [header.map(field).join(',')];
  for (const row of rows) lines.push(row.map(field).join(','));
  return `${lines.join('\r\n')}\r\n`;
}

function field(value: Field): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Reads a table that `csvText` wrote: rows of fields as text, the header first. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // A field, quoted or plain, and what ends it.
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (end === '' && plain === '' && row.length === 0) break;
    row.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
