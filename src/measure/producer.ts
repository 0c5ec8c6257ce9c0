import type { Decimals } from './decimals.ts';
import { joinDecimals } from './decimals.ts';
import type { MetricsTable } from './metrics-table.ts';
import { metricsTableParser } from './metrics-table.ts';
import type { ProducerLine, ProducerNumbers, ProducerSummary } from './producer-line.ts';
import { gluedLines, looksTorn, producerLine } from './producer-line.ts';
import type { OutputReader } from './reader.ts';
import { streamReader } from './reader.ts';
import type { ClockCheck, Stamp } from './stamped.ts';
import { clockWatch } from './stamped.ts';
import type { ToolErrors } from './stderr.ts';
import { errorsParser } from './stderr.ts';

export interface ProducerInterval extends ProducerNumbers {
  /** When the line was read; null in captures without stamps. */
  readonly stamp: Stamp | null;
}

/** Everything that the output of one kafka-producer-perf-test run says. Absent values are null, never 0 or NaN. */
export interface ProducerOutput {
  /** The whole load. null without a final line, and when there are several: then none can be believed. */
  readonly final: ProducerSummary | null;
  /** How many final lines were printed: 1 in every sound run. */
  readonly finalLines: number;
  readonly finalStamp: Stamp | null;
  /** The tool's own "steady state" summary. Not used for rates: it charges the warm-up's backlog to itself. */
  readonly toolSteadyState: ProducerSummary | null;
  /** Records of the tool's own warm-up (`--warmup-records`); null without one. */
  readonly toolWarmupRecords: number | null;
  /** Lines of the payload file, as the preamble says: no count of sent records. */
  readonly payloadLines: number | null;
  readonly intervals: readonly ProducerInterval[];
  /** Interval lines beyond the limit of what is kept. */
  readonly intervalsDropped: number;
  readonly decimals: Decimals | null;
  /** Result lines that were torn, interleaved or of a foreign shape: refused, with the first as an example. */
  readonly unreadable: { readonly lines: number; readonly first: string | null };
  /** Result lines that had lost a newline between them and were read all the same. */
  readonly gluedLines: number;
  readonly metrics: MetricsTable;
  /** Failures that stand in this stream; with separate streams these are empty and stderr is read on its own. */
  readonly errors: ToolErrors;
  readonly clock: ClockCheck;
}

export interface ProducerParser {
  /** One line without its newline. */
  line(text: string, stamp?: Stamp | null): void;
  /** A line that lost its head (a stamped stream without a stamp): what is left of its numbers must not be read. */
  torn(text: string): void;
  /** A line that was read already. */
  read(line: ProducerLine, stamp: Stamp | null): void;
  output(): ProducerOutput;
}

const PREAMBLE = /^(?:Number of (?:records|messages) read: |Warmup first )(\d{1,15})(?:$| records\.)/;

/** 55 hours of lines a second. */
const MAX_INTERVALS = 200_000;

/**
 * Reads kafka-producer-perf-test's stdout line by line; memory grows by its interval lines only, and not at all when
 * they go to a `sink` instead.
 */
export function producerParser(sink?: (interval: ProducerNumbers) => void): ProducerParser {
  const metrics = metricsTableParser();
  const errors = errorsParser();
  const clock = clockWatch();
  const intervals: ProducerInterval[] = [];
  const seen = {
    final: null as ProducerSummary | null,
    finalLines: 0,
    finalStamp: null as Stamp | null,
    steady: null as ProducerSummary | null,
    warmup: null as number | null,
    payload: null as number | null,
    dropped: 0,
    decimals: null as Decimals | null,
    unreadable: 0,
    firstUnreadable: null as string | null,
    glued: 0,
  };

  const take = (line: ProducerLine, stamp: Stamp | null): void => {
    seen.decimals = joinDecimals(seen.decimals, line.decimals);
    if (line.kind === 'interval') {
      if (sink !== undefined) sink(line.numbers);
      else if (intervals.length < MAX_INTERVALS) intervals.push({ ...line.numbers, stamp });
      else seen.dropped += 1;
    } else if (line.kind === 'final') {
      seen.final = line.numbers;
      seen.finalLines += 1;
      seen.finalStamp = stamp;
    } else seen.steady = line.numbers;
  };

  const refuse = (text: string): void => {
    seen.unreadable += 1;
    seen.firstUnreadable ??= text.slice(0, 300);
  };

  const other = (text: string, stamp: Stamp | null): void => {
    if (metrics.line(text)) return;
    const preamble = text.startsWith('N') || text.startsWith('W') ? PREAMBLE.exec(text) : null;
    if (preamble !== null) {
      if (text.startsWith('W')) seen.warmup = Number(preamble[1]);
      else seen.payload = Number(preamble[1]);
      return;
    }
    const glued = gluedLines(text);
    if (glued !== null) {
      seen.glued += glued.length;
      for (const line of glued) take(line, stamp);
    } else if (looksTorn(text)) refuse(text);
    else errors.line(text);
  };

  return {
    line(text, stamp = null) {
      if (stamp !== null) clock.see(stamp);
      const line = producerLine(text);
      if (line === null) other(text, stamp);
      else take(line, stamp);
    },
    read(line, stamp) {
      if (stamp !== null) clock.see(stamp);
      take(line, stamp);
    },
    torn(text) {
      if (looksTorn(text)) refuse(text);
      else errors.line(text);
    },
    output: () => ({
      final: seen.finalLines === 1 ? seen.final : null,
      finalLines: seen.finalLines,
      finalStamp: seen.finalLines === 1 ? seen.finalStamp : null,
      toolSteadyState: seen.steady,
      toolWarmupRecords: seen.warmup,
      payloadLines: seen.payload,
      intervals: [...intervals],
      intervalsDropped: seen.dropped,
      decimals: seen.decimals,
      unreadable: { lines: seen.unreadable, first: seen.firstUnreadable },
      gluedLines: seen.glued,
      metrics: metrics.table(),
      errors: errors.errors(),
      clock: clock.result(),
    }),
  };
}

/** Reads a producer's stdout from pieces of bytes. `stamped`: each line carries the capsule's two clocks. */
export function producerReader(options: { readonly stamped: boolean }): OutputReader<ProducerOutput> {
  const parser = producerParser();
  return streamReader(parser, options.stamped);
}

/** Whole-load latencies in ms; null when they are not meaningful: nothing sent, or acks=0 (no broker answered). */
export function latencyOf(
  output: ProducerOutput,
  acks: string | null,
): {
  avg: number;
  max: number;
  p50: number;
  p95: number;
  p99: number;
  p999: number;
} | null {
  const final = output.final;
  if (final === null || acks === '0') return null;
  const { avgLatencyMs: avg, maxLatencyMs: max, p50Ms: p50, p95Ms: p95, p99Ms: p99, p999Ms: p999 } = final;
  if (avg === null || max === null || p50 === null || p95 === null || p99 === null || p999 === null)
    return null;
  return { avg, max, p50, p95, p99, p999 };
}
