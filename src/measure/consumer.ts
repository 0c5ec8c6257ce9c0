import type { Columns, Row, TableKind } from './consumer-row.ts';
import { columnsOf, rowOf, startsLikeRow } from './consumer-row.ts';
import type { Decimals } from './decimals.ts';
import type { MetricsTable } from './metrics-table.ts';
import { metricsTableParser } from './metrics-table.ts';
import type { OutputReader } from './reader.ts';
import { streamReader } from './reader.ts';
import type { ClockCheck, Stamp } from './stamped.ts';
import { clockWatch } from './stamped.ts';
import type { ToolErrors } from './stderr.ts';
import { errorsParser } from './stderr.ts';

/** The summary row of a consumer run. "MB" is MiB. Total rates contain the rebalance; fetch rates do not. */
export interface ConsumerSummary {
  readonly records: number;
  readonly mib: number | null;
  /** end.time − start.time. */
  readonly elapsedMs: number | null;
  readonly totalMibPerS: number | null;
  readonly totalRecordsPerS: number | null;
  /** These four are null with a reason in `absent` when the tool's own values are impossible. */
  readonly rebalanceMs: number | null;
  readonly fetchMs: number | null;
  readonly fetchMibPerS: number | null;
  readonly fetchRecordsPerS: number | null;
  readonly absent: string | null;
  /** What in the row contradicts itself; null when all agrees. Then no rate of it can be believed. */
  readonly inconsistent: string | null;
}

/** Everything that the output of one kafka-consumer-perf-test run says. */
export interface ConsumerOutput {
  readonly table: TableKind | null;
  /** null without a summary row (always so in detailed mode), and when there are several. */
  readonly final: ConsumerSummary | null;
  readonly finalRows: number;
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
  output(): ConsumerOutput;
}

const IDLE =
  /^WARNING: Exiting before consuming the expected number of (?:records|messages): timeout \((\d{1,12}) ms\) exceeded/;

/** Reads kafka-consumer-perf-test's stdout line by line with flat memory. */
export function consumerParser(): ConsumerParser {
  const metrics = metricsTableParser();
  const errors = errorsParser();
  const clock = clockWatch();
  const seen = {
    columns: null as Columns | null,
    row: null as Row | null,
    rows: 0,
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
  const line = (text: string): void => {
    const columns = columnsOf(text);
    if (columns !== null) {
      seen.columns = columns;
      return;
    }
    const idle = IDLE.exec(text);
    if (idle !== null) seen.idle = Number(idle[1]);
    else if (seen.columns !== null && startsLikeRow(text)) {
      const row = rowOf(text, seen.columns);
      if (row === null) refuse(text);
      else takeRow(row);
    } else if (
      startsLikeRow(text) ||
      /^[\s*]*,[\s*]/.test(text) ||
      /^\s*(?:start\.time|end\.time)/.test(text)
    )
      refuse(text);
    else if (!metrics.line(text)) errors.line(text);
  };
  return {
    line(text, stamp = null) {
      if (stamp !== null) clock.see(stamp);
      line(text);
    },
    torn: refuse,
    output: () => ({
      table: seen.columns?.kind ?? null,
      final: seen.rows === 1 && seen.row !== null ? summaryOf(seen.row) : null,
      finalRows: seen.rows,
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

/** The tool prints whole milliseconds of one pair of clocks, so its sums hold to the millisecond but for rounding. */
const ROUNDING_MS = 2;
/** From here on a "rebalance time" is a time of day, not a duration (KAFKA-10124). */
const EPOCH_MS = 1e12;

function summaryOf(row: Row): ConsumerSummary {
  const absent = absentReason(row);
  const kept = <T>(value: T): T | null => (absent === null ? value : null);
  return {
    records: row.records,
    mib: row.mib,
    elapsedMs: row.elapsedMs,
    totalMibPerS: row.mibPerS,
    totalRecordsPerS: row.recordsPerS,
    rebalanceMs: kept(row.rebalanceMs),
    fetchMs: kept(row.fetchMs),
    fetchMibPerS: kept(row.fetchMibPerS),
    fetchRecordsPerS: kept(row.fetchRecordsPerS),
    absent,
    inconsistent: contradiction(row, absent !== null),
  };
}

function absentReason(row: Row): string | null {
  const { rebalanceMs, fetchMs } = row;
  if (rebalanceMs === null && fetchMs === null) return null;
  if ((rebalanceMs ?? 0) >= EPOCH_MS) {
    return `this version prints the rebalance time as a time of day (${rebalanceMs}) and the fetch time negative: KAFKA-10124`;
  }
  if ((rebalanceMs ?? 0) < 0 || (fetchMs ?? 0) < 0)
    return `negative times: rebalance ${rebalanceMs} ms, fetch ${fetchMs} ms`;
  return null;
}

function contradiction(row: Row, fetchAbsent: boolean): string | null {
  const elapsed = row.elapsedMs;
  if (elapsed === null) return null;
  if (elapsed < 0) return `the end is ${-elapsed} ms before the start`;
  if (!fetchAbsent && row.rebalanceMs !== null && row.fetchMs !== null) {
    if (Math.abs(row.rebalanceMs + row.fetchMs - elapsed) > ROUNDING_MS) {
      return `rebalance ${row.rebalanceMs} ms + fetch ${row.fetchMs} ms is not the elapsed ${elapsed} ms`;
    }
  } else if (!fetchAbsent && row.fetchMs !== null && row.fetchMs > elapsed + ROUNDING_MS) {
    return `fetch ${row.fetchMs} ms is longer than the elapsed ${elapsed} ms`;
  }
  return (
    disagreement('MB.sec', row.mib, row.mibPerS, elapsed) ??
    disagreement('nMsg.sec', row.records, row.recordsPerS, elapsed)
  );
}

/** A printed rate against amount ÷ elapsed: 1 % and the last printed digit are rounding, more is a contradiction. */
function disagreement(
  name: string,
  amount: number | null,
  rate: number | null,
  elapsedMs: number,
): string | null {
  if (amount === null || rate === null || elapsedMs < 50) return null;
  const own = amount / (elapsedMs / 1000);
  if (Math.abs(own - rate) <= 0.01 * own + 0.001) return null;
  return `${name} says ${rate}, but ${amount} in ${elapsedMs} ms is ${own.toFixed(4)}`;
}
