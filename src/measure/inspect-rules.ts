import type { InspectCode } from './inspect-codes.ts';
import type { Findings } from './inspect-findings.ts';
import type { ProducerSummary } from './producer-line.ts';
import type { ToolErrors } from './stderr.ts';
import { causeOf } from './stderr.ts';
import { n, seconds } from './words.ts';

export interface InspectReason {
  readonly code: InspectCode;
  readonly message: string;
}

export type InspectTool = 'producer' | 'consumer' | 'unknown';

/** What is judged: one file's findings, with what the user knows besides. */
export interface InspectCase {
  readonly found: Findings;
  readonly tool: InspectTool;
  /** The one count that the file claims; null without one, or when it cannot be believed. */
  readonly finalCount: number | null;
  readonly asked: number | null;
  /** The tool's stderr when it was captured apart; null otherwise. */
  readonly stderr: ToolErrors | null;
}

/** The tool whose output this is; that of an unreadable file is told from its pieces and names. */
export function toolOf(found: Findings): InspectTool {
  const { producer, consumer, windows } = found;
  const sent = producer.finalLines + windows.lines > 0 || producer.toolSteadyState !== null;
  const read =
    consumer.headers + consumer.finalRows + consumer.detailedRows > 0 || consumer.idleTimeoutMs !== null;
  if (read && consumer.table === 'producer-0.8') return sent ? 'unknown' : 'producer';
  if (sent !== read) return sent ? 'producer' : 'consumer';
  if (sent || found.foreign.lines > 0) return 'unknown';
  if (found.torn.lines > 0 || found.headCut || producer.payloadLines !== null) return 'producer';
  if (consumer.unreadable.lines > 0) return 'consumer';
  return found.hints.named ?? (found.errors.failedCallbacks > 0 ? 'producer' : 'unknown');
}

/** How many results the file claims to hold: 1 in every sound file. */
export function resultsOf(found: Findings): number {
  return found.producer.finalLines + found.consumer.finalRows;
}

/** Why the file's one result may belong to another run, or be cut; no count can be believed then. */
export function unbelievable(found: Findings, asked: number | null): InspectReason[] {
  return [...foreignRules(found), ...ambiguousRules(found), ...malformedRules(found, asked)];
}

function foreignRules(found: Findings): InspectReason[] {
  if (found.foreign.lines === 0) return [];
  return [{ code: 'foreign', message: `no version of Kafka prints lines like "${found.foreign.first}"` }];
}

function ambiguousRules(found: Findings): InspectReason[] {
  const { producer, consumer, windows } = found;
  const ambiguous = (message: string): InspectReason[] => [{ code: 'ambiguous', message }];
  const results = resultsOf(found);
  if (results > 1) {
    const counts = found.finalCounts.length > 1 ? ` (${found.finalCounts.map(n).join(', ')} …)` : '';
    return ambiguous(
      `${results} final results stand in this file${counts}: which one is meant cannot be told, and a sum would hold for no one run; give each run a file of its own`,
    );
  }
  if (found.sources.length > 1) {
    const names = found.sources.map((source) => (source === '' ? 'no prefix' : source));
    return ambiguous(`results of several sources are mixed: ${names.join(', ')}`);
  }
  if (consumer.headers > 1)
    return ambiguous(`${consumer.headers} headers stand in this file: more than one consumer wrote it`);
  const reads = consumer.headers + consumer.finalRows + consumer.detailedRows > 0;
  if (reads && producer.finalLines + windows.lines > 0)
    return ambiguous('a producer and a consumer wrote this file');
  if (found.windowsAfterFinal > 0 && producer.toolWarmupRecords === null) {
    return ambiguous(
      `${n(found.windowsAfterFinal)} interval lines stand behind the final line: another run wrote them`,
    );
  }
  return [];
}

function malformedRules(found: Findings, asked: number | null): InspectReason[] {
  const malformed = (message: string): InspectReason[] => [{ code: 'malformed', message }];
  const cut = found.tornFinal.first ?? found.consumer.unreadable.first;
  if (cut !== null) return malformed(`a result line is not whole: "${cut}"`);
  // Without any result the torn lines are all there is; with one they are windows, and a note.
  if (resultsOf(found) === 0 && found.torn.first !== null)
    return malformed(`result lines are not whole: "${found.torn.first}"`);
  const count = found.producer.final?.records;
  if (count === undefined || !found.finalBehindText || count === asked) return [];
  // A number that lost its head is below what its own windows hold; one that gained digits is above what was asked.
  const { lines, records } = found.windows;
  if (lines > 0 && count >= records && count <= (asked ?? count)) return [];
  return malformed(
    `the final line stands right behind other text, so the first digits of ${n(count)} are not certain${asked === null ? '; --asked N can confirm them' : ''}`,
  );
}

/** What one sound result says against the run: causes first. */
export function runRules(one: InspectCase): InspectReason[] {
  return [...endRules(one), ...countRules(one), ...callbackRules(one), ...timeRules(one)];
}

function endRules({ found, stderr, tool }: InspectCase): InspectReason[] {
  const reasons: InspectReason[] = [];
  const { errors } = found;
  if (resultsOf(found) === 0) {
    const cause = crash(errors) ?? (stderr === null ? null : crash(stderr)) ?? found.hints.usage;
    if (cause !== null) reasons.push({ code: 'tool-exit', message: `the tool failed: ${cause}` });
    if (cause !== null || tool !== 'unknown') reasons.push({ code: 'no-summary', message: noSummary(found) });
    else if (found.lines > 0 && found.foreign.lines === 0 && malformedRules(found, null).length === 0)
      reasons.push({ code: 'foreign', message: 'nothing in this file is a line of a Kafka perf tool' });
  }
  if (found.consumer.idleTimeoutMs !== null) {
    reasons.push({
      code: 'idle-timeout',
      message: `the consumer gave up after ${seconds(found.consumer.idleTimeoutMs)} without records`,
    });
  }
  return reasons;
}

/** An uncaught exception; failed sends alone end no tool. */
function crash(errors: ToolErrors): string | null {
  if (errors.outOfMemory === null && errors.causedBy === null && errors.exception === null) return null;
  return causeOf(errors);
}

function noSummary(found: Findings): string {
  const { windows, consumer } = found;
  if (consumer.table === 'consumer-detailed') {
    const least =
      consumer.seenAtLeast === null ? '' : `; at least ${n(consumer.seenAtLeast)} records were read`;
    return `--show-detailed-stats never prints a final row${least}`;
  }
  if (windows.lines > 0) {
    return `no final line after ${n(windows.lines)} interval lines; the last one is a window, not the result`;
  }
  return 'no final line was printed';
}

function countRules({ found, tool, finalCount, asked }: InspectCase): InspectReason[] {
  if (finalCount === null) return [];
  const short = tool === 'consumer' ? 'consumer-short' : 'count-short';
  if (asked === null) {
    if (finalCount > 0) return [];
    return [{ code: short, message: `not a single record was ${tool === 'consumer' ? 'read' : 'sent'}` }];
  }
  if (finalCount < asked) {
    const did = tool === 'consumer' ? 'were read' : 'succeeded';
    return [{ code: short, message: `${n(finalCount)} of ${n(asked)} records ${did}` }];
  }
  // A consumer stops after a whole poll, so it may read more.
  if (finalCount === asked || (found.producer.finalLines === 0 && tool === 'consumer')) return [];
  return [{ code: 'count-over', message: `${n(finalCount)} records are reported, ${n(asked)} were asked` }];
}

function callbackRules({ found, stderr }: InspectCase): InspectReason[] {
  const own = found.errors;
  const failed = own.failedCallbacks + (stderr?.failedCallbacks ?? 0);
  if (failed === 0) return [];
  const first = own.firstFailure ?? stderr?.firstFailure ?? '';
  return [{ code: 'callbacks-failed', message: `${n(failed)} sends failed: ${first}` }];
}

function timeRules({ found }: InspectCase): InspectReason[] {
  const message = found.consumer.final?.inconsistent ?? producerContradiction(found);
  return message === null ? [] : [{ code: 'times-inconsistent', message }];
}

/** Windows of one run are disjoint parts of it: nothing of them can exceed the whole. */
function producerContradiction({ producer, windows }: Findings): string | null {
  const { final } = producer;
  if (final === null) return null;
  const order = misordered(final);
  // With the tool's own warm-up two sets of windows overlap.
  if (order !== null || windows.lines === 0 || producer.toolWarmupRecords !== null) return order;
  if (windows.records > final.records)
    return `the interval lines hold ${n(windows.records)} records, the final line ${n(final.records)}`;
  if (
    final.maxLatencyMs !== null &&
    windows.maxLatencyMs !== null &&
    windows.maxLatencyMs > final.maxLatencyMs + 0.1
  )
    return `an interval line has a latency of ${n(windows.maxLatencyMs)} ms, the whole load at most ${n(final.maxLatencyMs)} ms`;
  const elapsedMs =
    final.recordsPerS === null || final.recordsPerS <= 0 ? null : (final.records / final.recordsPerS) * 1000;
  if (elapsedMs !== null && windows.atLeastMs > elapsedMs * 1.001 + 50)
    return `the interval lines last ${seconds(windows.atLeastMs)}, the whole load ${seconds(elapsedMs)}`;
  return null;
}

function misordered(final: ProducerSummary): string | null {
  const rising = [final.p50Ms, final.p95Ms, final.p99Ms, final.p999Ms, final.maxLatencyMs].filter(
    (v) => v !== null,
  );
  const falls = rising.some((value, i) => i > 0 && value < (rising[i - 1] ?? value));
  if (falls) return `the percentiles do not rise up to the maximum: ${rising.join(', ')} ms`;
  const { avgLatencyMs: avg, maxLatencyMs: max } = final;
  return avg !== null && max !== null && avg > max + 0.01
    ? `the average latency ${avg} ms is above the maximum ${max} ms`
    : null;
}
