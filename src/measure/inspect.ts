import type { Findings } from './inspect-findings.ts';
import type { InspectNote } from './inspect-notes.ts';
import { notesOf } from './inspect-notes.ts';
import type { InspectCase, InspectReason, InspectTool } from './inspect-rules.ts';
import { resultsOf, runRules, toolOf, unbelievable } from './inspect-rules.ts';
import type { InspectLatency, InspectRates, InspectTimes } from './inspect-values.ts';
import {
  answersNobody,
  consumerRates,
  consumerTimes,
  latencyOfFinal,
  producerRates,
  producerTimes,
} from './inspect-values.ts';
import type { ToolErrors } from './stderr.ts';

/** Interval lines taken together. */
export interface InspectWindows {
  readonly lines: number;
  /** Less than the load's count: the last, partial window is never printed. */
  readonly records: number;
  readonly minRecordsPerS: number | null;
  readonly maxRecordsPerS: number | null;
}

/** What a perf tool's output really says. Plain JSON: absent values are null, never 0, NaN or -0. */
export interface Inspection {
  readonly file: string;
  readonly tool: InspectTool;
  /** Records of the one final line; null when there is none, or none that can be believed. */
  readonly finalCount: number | null;
  /** What the user says was asked; null = not said. */
  readonly asked: number | null;
  readonly verdict: 'valid' | 'invalid';
  /** Causes first; empty when valid. */
  readonly reasons: readonly InspectReason[];
  readonly rates: InspectRates | null;
  readonly times: InspectTimes | null;
  readonly latency: InspectLatency | null;
  readonly windows: InspectWindows | null;
  readonly notes: readonly InspectNote[];
}

/** What the user knows about a run besides its output. */
export interface InspectOptions {
  /** `--num-records` of the run. */
  readonly asked: number | null;
  /** `--throughput` of a limited run, in records/s. */
  readonly askedRecordsPerS: number | null;
  readonly stderr: ToolErrors | null;
  /** The packed file ends early or is damaged: what was read is not all. */
  readonly cut?: boolean;
}

/** Judges one file. */
export function inspect(file: string, found: Findings, options: InspectOptions): Inspection {
  const { asked, askedRecordsPerS, stderr } = options;
  const cut: InspectReason[] =
    options.cut === true ? [{ code: 'malformed', message: 'the packed file ends early or is damaged' }] : [];
  const doubts = [...cut, ...unbelievable(found, asked)];
  const printed = found.producer.final?.records ?? found.consumer.final?.records ?? null;
  const finalCount = doubts.length > 0 || resultsOf(found) !== 1 ? null : printed;
  const one: InspectCase = { found, tool: toolOf(found), finalCount, asked, stderr };
  const empty: InspectReason[] = found.lines === 0 ? [{ code: 'no-output', message: emptyText(found) }] : [];
  const reasons = [...empty, ...doubts, ...runRules(one)];
  return {
    file,
    tool: one.tool,
    finalCount,
    asked,
    verdict: reasons.length === 0 ? 'valid' : 'invalid',
    reasons,
    ...valuesOf(one, reasons),
    windows: windowsOf(found),
    notes: notesOf(one, askedRecordsPerS),
  };
}

function emptyText(found: Findings): string {
  return found.sizeBytes === 0 ? 'the file is empty' : 'the file holds white space only';
}

/** Values of a count that nobody believes, of contradicting times and of an idle wait are no values. */
function valuesOf(
  one: InspectCase,
  reasons: readonly InspectReason[],
): Pick<Inspection, 'rates' | 'times' | 'latency'> {
  const { producer, consumer } = one.found;
  const none = { rates: null, times: null, latency: null };
  if (one.finalCount === null || reasons.some(({ code }) => code === 'times-inconsistent')) return none;
  if (producer.final !== null) {
    return {
      rates: producerRates(producer.final),
      times: producerTimes(producer.final),
      latency: answersNobody(one.found) ? null : latencyOfFinal(producer.final),
    };
  }
  if (consumer.final === null) return none;
  const idle = consumer.idleTimeoutMs !== null;
  return {
    rates: idle ? null : consumerRates(consumer.final),
    times: consumerTimes(consumer.final),
    latency: null,
  };
}

function windowsOf({ windows }: Findings): InspectWindows | null {
  if (windows.lines === 0) return null;
  const { lines, records, minRecordsPerS, maxRecordsPerS } = windows;
  return { lines, records, minRecordsPerS, maxRecordsPerS };
}
