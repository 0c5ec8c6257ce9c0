/** Writes what kafka-consumer-perf-test would print for one run, stamped. */
export interface PrintedConsumer {
  readonly records: number;
  readonly recordBytes: number;
  readonly rebalanceMs: number;
  readonly fetchMs: number;
  /** When the summary row is printed, wall clock ms. */
  readonly endedAtMs: number;
  /** It gave up after so long without a record. */
  readonly idleMs?: number;
}

const HEADER =
  'start.time, end.time, data.consumed.in.MB, MB.sec, data.consumed.in.nMsg, nMsg.sec, rebalance.time.ms, fetch.time.ms, fetch.MB.sec, fetch.nMsg.sec';

export function printConsumer(run: PrintedConsumer): string {
  const elapsedMs = run.rebalanceMs + run.fetchMs;
  const mib = (run.records * run.recordBytes) / 1024 / 1024;
  const perS = (amount: number, ms: number): string => ((amount / ms) * 1000).toFixed(4);
  const row = [
    clock(run.endedAtMs - elapsedMs),
    clock(run.endedAtMs),
    mib.toFixed(4),
    perS(mib, elapsedMs),
    run.records,
    perS(run.records, elapsedMs),
    run.rebalanceMs,
    run.fetchMs,
    perS(mib, run.fetchMs),
    perS(run.records, run.fetchMs),
  ].join(', ');
  const idle =
    run.idleMs === undefined
      ? []
      : [
          `WARNING: Exiting before consuming the expected number of records: timeout (${run.idleMs} ms) exceeded. You can use the --timeout option to increase the timeout.`,
        ];
  const stamp = (atMs: number): string =>
    `${(atMs / 1000).toFixed(6)} ${(1000 + (atMs % 1e6) / 1000).toFixed(2)}`;
  const lines = [
    [run.endedAtMs - elapsedMs, HEADER],
    ...idle.map((line) => [run.endedAtMs, line]),
    [run.endedAtMs, row],
  ];
  return `${lines.map(([atMs, text]) => `${stamp(Number(atMs))} ${text}`).join('\n')}\n`;
}

/** The tool's own format: local time without a zone. */
function clock(atMs: number): string {
  return new Date(atMs).toISOString().replace('T', ' ').replace('Z', '').replace('.', ':');
}
