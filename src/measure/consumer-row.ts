import type { Decimals } from './decimals.ts';
import { count, finite } from './decimals.ts';

/** What kind of table a header starts. `producer-0.8` is the CSV that the producer's tool printed before 0.9. */
export type TableKind = 'consumer' | 'consumer-detailed' | 'share-consumer' | 'producer-0.8';

export interface Columns {
  readonly kind: TableKind;
  readonly names: readonly string[];
}

/** One row, by the names of its columns. */
export interface Row {
  readonly decimals: Decimals | null;
  readonly elapsedMs: number | null;
  readonly records: number;
  readonly mib: number | null;
  readonly mibPerS: number | null;
  readonly recordsPerS: number | null;
  /** As printed, old versions' negative and epoch values included; null when there is no such column. */
  readonly rebalanceMs: number | null;
  readonly fetchMs: number | null;
  readonly fetchMibPerS: number | null;
  readonly fetchRecordsPerS: number | null;
}

/** The tools print whole numbers, `%.4f`, and in 0.8 one `%.2f`: a number with other decimals has lost some. */
const NUMBER = /^-?\d+(?:[.,]\d{4})?$|^NaN$|^-?Infinity$/;
const TWO_DECIMALS = /^-?\d+[.,]\d{2}$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d):(\d{3})$/;
const WHOLE_COLUMNS =
  /^fetch\.size$|\.ms$|\.in\.nMsg$|^threadId$|^compression$|^message\.size$|^batch\.size$/;

/** No version prints longer rows; splitting must stay cheap for any text. */
const MAX_ROW_CHARS = 2_000;

/** Headers of all versions, for rows that were printed without one (`--hide-header`). */
export const LAYOUTS: readonly Columns[] = [
  'start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec',
  'start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec',
  'start.time, end.time, data.consumed.in.MB, MB.sec, nMsg.sec, data.consumed.in.nMsg, fetch.time.ms',
  'start.time, end.time, fetch.size, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec',
].flatMap((header) => columnsOf(header) ?? []);

/** Reads a header line; null when it is none. Columns are found by name: their order and number differ by version. */
export function columnsOf(text: string): Columns | null {
  if (text.length > MAX_ROW_CHARS) return null;
  const trimmed = text.trim();
  if (!/^(?:start\.time|time)\s*,/.test(trimmed)) return null;
  const names = trimmed.split(/\s*,\s*/);
  if (new Set(names).size !== names.length) return null;
  if (names[0] === 'time')
    return names.includes('data.consumed.in.nMsg') ? { kind: 'consumer-detailed', names } : null;
  if (!names.includes('end.time')) return null;
  if (names.includes('total.data.sent.in.nMsg')) return { kind: 'producer-0.8', names };
  if (!names.includes('data.consumed.in.nMsg')) return null;
  const share = names.includes('fetch.time.ms') && !names.includes('rebalance.time.ms');
  return { kind: share ? 'share-consumer' : 'consumer', names };
}

/** True when a line starts like a row: with the tool's own date format (colon before the milliseconds, no zone). */
export function startsLikeRow(text: string): boolean {
  return /^\s*\d{4}-\d\d-\d\d \d\d:\d\d:\d\d:\d/.test(text);
}

/** Reads a row under its header; null unless every column is there and well formed. Never shifts columns. */
export function rowOf(text: string, columns: Columns): Row | null {
  if (text.length > MAX_ROW_CHARS) return null;
  const cells = cellsOf(text.trim());
  if (cells.length !== columns.names.length) return null;
  const cell = (name: string): string | undefined => cells[columns.names.indexOf(name)];
  const signs = numberSigns(cells, columns.names);
  if (signs === 'mixed' || signs === 'foreign') return null;
  const sent = columns.kind === 'producer-0.8' ? 'total.data.sent' : 'data.consumed';
  const records = count(cell(`${sent}.in.nMsg`));
  if (records === null) return null;
  const startMs = wallMs(cell('start.time'));
  const endMs = wallMs(cell('end.time'));
  if (columns.kind !== 'consumer-detailed' && (startMs === null || endMs === null)) return null;
  if (columns.kind === 'consumer-detailed' && wallMs(cell('time')) === null) return null;
  return {
    decimals: signs,
    elapsedMs: startMs === null || endMs === null ? null : endMs - startMs,
    records,
    mib: finite(cell(`${sent}.in.MB`)),
    mibPerS: finite(cell('MB.sec')),
    recordsPerS: finite(cell('nMsg.sec')),
    rebalanceMs: finite(cell('rebalance.time.ms')),
    fetchMs: finite(cell('fetch.time.ms')),
    fetchMibPerS: finite(cell('fetch.MB.sec')),
    fetchRecordsPerS: finite(cell('fetch.nMsg.sec')),
  };
}

/** A comma with white space separates; a comma between digits is the locale's decimal sign, unless there are points. */
function cellsOf(row: string): string[] {
  const cells = row.split(/\s*,\s+/);
  return cells.length === 1 && /\d\.\d{4}/.test(row) ? row.split(',') : cells;
}

function numberSigns(cells: readonly string[], names: readonly string[]): Decimals | 'foreign' | null {
  let points = 0;
  let commas = 0;
  for (const [index, cell] of cells.entries()) {
    if ((names[index] ?? '').endsWith('time') && /^\d{4}-/.test(cell)) continue;
    const name = names[index] ?? '';
    if (!NUMBER.test(cell) && !(name === 'total.data.sent.in.MB' && TWO_DECIMALS.test(cell)))
      return 'foreign';
    // A decimal column without decimals was cut, or is not this column at all.
    if (!WHOLE_COLUMNS.test(name) && /^-?\d+$/.test(cell)) return 'foreign';
    if (cell.includes('.')) points += 1;
    if (cell.includes(',')) commas += 1;
  }
  if (points > 0 && commas > 0) return 'mixed';
  return points > 0 ? 'point' : commas > 0 ? 'comma' : null;
}

/** `2026-11-30 11:44:26:959` in ms. The text has no zone: only differences mean anything. */
function wallMs(text: string | undefined): number | null {
  const found = TIME.exec(text ?? '');
  if (found === null) return null;
  const [y, mo, d, h, mi, s, ms] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (mo < 1 || mo > 12 || d < 1 || d > 31 || h > 23 || mi > 59 || s > 60) return null;
  return (((daysSince0(y, mo, d) * 24 + h) * 60 + mi) * 60 + s) * 1000 + ms;
}

/** Days of the Gregorian calendar up to a date; only differences mean anything (H. Hinnant, "days_from_civil"). */
function daysSince0(year: number, month: number, day: number): number {
  // Years start in March here, so that the leap day comes last.
  const y = month > 2 ? year : year - 1;
  const m = (month + 9) % 12;
  return (
    365 * y +
    Math.floor(y / 4) -
    Math.floor(y / 100) +
    Math.floor(y / 400) +
    Math.floor((153 * m + 2) / 5) +
    day
  );
}
