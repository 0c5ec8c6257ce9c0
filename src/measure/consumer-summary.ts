import type { Row } from './consumer-row.ts';

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

/** The tool prints whole milliseconds of one pair of clocks, so its sums hold to the millisecond but for rounding. */
const ROUNDING_MS = 2;
/** From here on a "rebalance time" is a time of day, not a duration (KAFKA-10124). */
const EPOCH_MS = 1e12;

/** One row as the summary of a run, with what is impossible or contradicts itself in it. */
export function summaryOf(row: Row): ConsumerSummary {
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
