import type { Columns, Row, TableKind } from './consumer-row.ts';
import { columnsOf, LAYOUTS, rowOf, startsLikeRow } from './consumer-row.ts';
import type { ConsumerSummary } from './consumer-summary.ts';
import { summaryOf } from './consumer-summary.ts';
import type { Decimals } from './decimals.ts';
import type { MetricsTable } from './metrics-table.ts';
import { metricsTableParser } from './metrics-table.ts';
import type { OutputReader } from './reader.ts';
import { streamReader } from './reader.ts';
import type { ClockCheck, Stamp } from './stamped.ts';
import { clockWatch } from './stamped.ts';
import type { ToolErrors } from './stderr.ts';
import { errorsParser } from './stderr.ts';

/** Everything that the output of one kafka-consumer-perf-test run says. */
export interface ConsumerOutput {
  readonly table: TableKind | null;
  /** null without a summary row (always so in detailed mode), and when there are several. */
  readonly final: ConsumerSummary | null;
  readonly finalRows: number;
  /** When the summary row was printed; null without stamps. */
  readonly finalStamp: Stamp | null;
  /** Header lines: 1 in every sound run, 0 with `--hide-header`. */
  readonly headers: number;
  /** Records that detailed rows had counted by the last one; the true count is at least this. */
  readonly seenAtLeast: number | null;
  readonly detailedRows: number;
  /** The idle timeout that ended the run early; its idle time is inside elapsed and fetch time, so rates are void. */
  readonly idleTimeoutMs: number | null;
  readonly decimals: Decimals | null;
  readonly unreadable: { readonly lines: number; readonly first: string | null };
  readonly metrics: MetricsTable;
  readonly errors: ToolErrors;
  readonly clock: ClockCheck;
}

export interface ConsumerParser {
  line(text: string, stamp?: Stamp | null): void;
  torn(text: string): void;
  /** Takes a line that belongs to a consumer's table or is its idle warning; says whether it did. */
  take(text: string): boolean;
  output(): ConsumerOutput;
}

export interface ConsumerOptions {
  /** Rows without a header are read when the arithmetic of exactly one version's columns holds in them. */
  readonly headless?: boolean;
}

const IDLE =
  /^WARNING: Exiting before consuming the expected number of (?:records|messages): timeout \((\d{1,12}) ms\) exceeded/;

/** Reads kafka-consumer-perf-test's stdout line by line with flat memory. */
export function consumerParser(options: ConsumerOptions = {}): ConsumerParser {
  const metrics = metricsTableParser();
  const errors = errorsParser();
  const clock = clockWatch();
  const seen = {
    columns: null as Columns | null,
    row: null as Row | null,
    rowStamp: null as Stamp | null,
    rows: 0,
    headers: 0,
    detailed: 0,
    atLeast: null as number | null,
    idle: null as number | null,
    decimals: null as Decimals | null,
    unreadable: 0,
    first: null as string | null,
  };
  const refuse = (text: string): void => {
    seen.unreadable += 1;
    seen.first ??= text.slice(0, 300);
  };
  const takeRow = (row: Row): void => {
    seen.decimals = row.decimals ?? seen.decimals;
    if (seen.columns?.kind === 'consumer-detailed') {
      seen.detailed += 1;
      seen.atLeast = Math.max(seen.atLeast ?? 0, row.records);
    } else {
      seen.row = row;
      seen.rows += 1;
    }
  };
  const take = (text: string): boolean => {
    const columns = columnsOf(text);
    if (columns !== null) {
      seen.columns = columns;
      seen.headers += 1;
      return true;
    }
    const idle = text.startsWith('WARNING') ? IDLE.exec(text) : null;
    if (idle !== null) seen.idle = Number(idle[1]);
    else if (startsLikeRow(text)) {
      if (options.headless === true) seen.columns ??= layoutOf(text);
      const row = seen.columns === null ? null : rowOf(text, seen.columns);
      if (row === null) refuse(text);
      else takeRow(row);
    } else if (/^[\s*]*,[\s*]/.test(text) || /^\s*(?:start\.time|end\.time)/.test(text)) refuse(text);
    else return false;
    return true;
  };
  return {
    line(text, stamp = null) {
      if (stamp !== null) clock.see(stamp);
      const rows = seen.rows;
      const taken = take(text);
      if (seen.rows > rows) seen.rowStamp = stamp;
      if (!taken && !metrics.line(text)) errors.line(text);
    },
    torn: refuse,
    take,
    output: () => ({
      table: seen.columns?.kind ?? null,
      final: seen.rows === 1 && seen.row !== null ? summaryOf(seen.row) : null,
      finalRows: seen.rows,
      finalStamp: seen.rows === 1 ? seen.rowStamp : null,
      headers: seen.headers,
      seenAtLeast: seen.atLeast,
      detailedRows: seen.detailed,
      idleTimeoutMs: seen.idle,
      decimals: seen.decimals,
      unreadable: { lines: seen.unreadable, first: seen.first },
      metrics: metrics.table(),
      errors: errors.errors(),
      clock: clock.result(),
    }),
  };
}

/** Reads a consumer's stdout from pieces of bytes. */
export function consumerReader(options: { readonly stamped: boolean }): OutputReader<ConsumerOutput> {
  return streamReader(consumerParser(), options.stamped);
}

/** The columns of a row that stands without a header; null unless exactly one version's fit its arithmetic. */
function layoutOf(text: string): Columns | null {
  const fitting = LAYOUTS.filter((columns) => {
    const row = rowOf(text, columns);
    // Shorter runs are all rounding, and in an empty one every column is 0.
    if (row === null || row.records === 0 || (row.elapsedMs ?? 0) < 50) return false;
    return summaryOf(row).inconsistent === null;
  });
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}
