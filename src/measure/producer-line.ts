import type { Decimals } from './decimals.ts';
import { count } from './decimals.ts';

/** Numbers of one line of the producer's perf tool. Its "MB" is MiB of uncompressed payload. */
export interface ProducerNumbers {
  readonly records: number;
  /** null where nothing was sent. */
  readonly recordsPerS: number | null;
  readonly mibPerS: number | null;
  readonly avgLatencyMs: number | null;
  readonly maxLatencyMs: number | null;
}

/** Whole load, or its part after the tool's own warm-up. Percentiles are sampled whole milliseconds; null with 0 records. */
export interface ProducerSummary extends ProducerNumbers {
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
}

export interface IntervalLine {
  readonly kind: 'interval';
  readonly decimals: Decimals;
  readonly numbers: ProducerNumbers;
}

export type ProducerLine =
  | IntervalLine
  | { readonly kind: 'final' | 'steady'; readonly decimals: Decimals; readonly numbers: ProducerSummary };

/**
 * The exact shapes, with the number of decimals that the tool prints (`%.1f` in intervals, `%f` and `%.2f` in
 * summaries): a shape that Kafka never printed is refused. Interval lines before 2.x lack the `ms` before `max`.
 */
function shapes(sign: string): { interval: RegExp; summary: RegExp } {
  const n = (digits: number): string => `(\\d+${sign}\\d{${digits}}|NaN|-?Infinity)`;
  const rates = (digits: number): string => `${n(digits)} records/sec \\(${n(2)} MB/sec\\)`;
  return {
    interval: new RegExp(
      `^(\\d+) records sent, ${rates(1)}, ${n(1)} ms avg latency, ${n(1)} (?:ms )?max latency\\.?$`,
    ),
    summary: new RegExp(
      `^(\\d+) (steady state )?records sent, ${rates(6)}, ${n(2)} ms avg latency, ${n(2)} ms max latency, ` +
        '(\\d+) ms 50th, (\\d+) ms 95th, (\\d+) ms 99th, (\\d+) ms 99\\.9th\\.?$',
    ),
  };
}

const POINT = shapes('\\.');
const COMMA = shapes(',');

/** Reads one whole line; null unless it is exactly an interval line, a final line or a steady-state line. */
export function producerLine(text: string): ProducerLine | null {
  if (!startsWithDigit(text)) return null;
  return read(text, POINT, 'point') ?? read(text, COMMA, 'comma');
}

function read(text: string, shape: typeof POINT, decimals: Decimals): ProducerLine | null {
  const interval = shape.interval.exec(text);
  if (interval !== null) {
    const numbers = rates(interval[1], interval, 2);
    return numbers === null ? null : { kind: 'interval', decimals, numbers };
  }
  const summary = shape.summary.exec(text);
  if (summary === null) return null;
  const base = rates(summary[1], summary, 3);
  if (base === null) return null;
  const percentile = (index: number): number | null => (base.records === 0 ? null : count(summary[index]));
  const numbers: ProducerSummary = {
    ...base,
    p50Ms: percentile(7),
    p95Ms: percentile(8),
    p99Ms: percentile(9),
    p999Ms: percentile(10),
  };
  return { kind: summary[2] === undefined ? 'final' : 'steady', decimals, numbers };
}

function rates(
  recordsText: string | undefined,
  found: RegExpExecArray,
  from: number,
): ProducerNumbers | null {
  const records = count(recordsText);
  if (records === null) return null;
  if (records === 0) {
    return { records, recordsPerS: null, mibPerS: null, avgLatencyMs: null, maxLatencyMs: null };
  }
  return {
    records,
    recordsPerS: number(found[from]),
    mibPerS: number(found[from + 1]),
    avgLatencyMs: number(found[from + 2]),
    maxLatencyMs: number(found[from + 3]),
  };
}

/** A decimal whose shape has been matched already; null for NaN and Infinity. */
function number(text = 'NaN'): number | null {
  const value = Number(text.includes(',') ? text.replace(',', '.') : text);
  return Number.isFinite(value) ? value : null;
}

/** The end of a whole line: where two were glued together because a newline was lost. */
const GLUE = /(?<=max latency\.|99\.9th\.)(?=\d)/;

/**
 * Several whole lines that were glued into one (their newlines lost), when they tile it without a remainder;
 * null otherwise: a line with a foreign piece inside is refused, never repaired.
 */
export function gluedLines(text: string): ProducerLine[] | null {
  if (!startsWithDigit(text)) return null;
  const parts = text.split(GLUE, 50);
  if (parts.length < 2) return null;
  const lines = parts.map(producerLine);
  return lines.every((line) => line !== null) ? lines : null;
}

const LOG_LINE = /\b(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\b/;
const PIECES = ['records sent', 'records/sec', 'avg latency', 'max latency', 'ms 99th', 'ms 99.9th'];

/** A piece of a result line (torn, interleaved or foreign) that must be counted as unreadable; log lines are not. */
export function looksTorn(text: string): boolean {
  if (startsWithDigit(text) && /^\d+ (?:steady state |records )/.test(text)) return true;
  return PIECES.some((piece) => text.includes(piece)) && !LOG_LINE.test(text);
}

function startsWithDigit(text: string): boolean {
  const first = text.charCodeAt(0);
  return first >= 48 && first <= 57;
}
