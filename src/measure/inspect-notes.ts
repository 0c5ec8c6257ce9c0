import { MAX_REBALANCE_SHARE } from './consumer-rules.ts';
import type { NoteCode } from './inspect-codes.ts';
import type { InspectCase } from './inspect-rules.ts';
import { answersNobody } from './inspect-values.ts';
import { n, percent } from './words.ts';

export interface InspectNote {
  readonly code: NoteCode;
  readonly message: string;
}

/** A limited load reached its rate when it came this close to it. */
const RATE_REACHED = 0.995;

/** What a reader of the numbers should know; nothing here makes a file invalid. */
export function notesOf(one: InspectCase, askedRecordsPerS: number | null): InspectNote[] {
  return [
    ...resultNotes(one),
    ...rateNotes(one, askedRecordsPerS),
    ...consumerNotes(one),
    ...textNotes(one),
  ].map(([code, message]) => ({ code, message }));
}

type Notes = readonly (readonly [NoteCode, string])[];

function when(condition: boolean, code: NoteCode, message: () => string): Notes {
  return condition ? [[code, message()]] : [];
}

function resultNotes({ found, finalCount, asked }: InspectCase): Notes {
  const { producer, windows } = found;
  const final = finalCount === null ? null : producer.final;
  const acksZero = final !== null && answersNobody(found);
  return [
    ...when(
      finalCount !== null && asked === null,
      'count-not-checked',
      () => 'how many records were asked is not in the output; --asked N checks the count',
    ),
    ...when(
      windows.lines > 0,
      'windows',
      () => 'interval lines are not summed: the last, partial window is never printed',
    ),
    ...when(
      producer.toolWarmupRecords !== null,
      'warm-up',
      () =>
        `two summaries: the count is that of the first; the "steady state" one begins at the send of record ${n(producer.toolWarmupRecords ?? 0)} and is charged with the warm-up's backlog`,
    ),
    ...when(
      acksZero,
      'acks-0',
      () =>
        'at acks=0 no broker answers: the latencies are not meaningful, and nothing shows that the records arrived',
    ),
    ...when(
      final !== null && !acksZero && final.records > 0,
      'whole-load-latency',
      () => 'latencies are those of the whole load, ramp-up and waiting in the client included',
    ),
    ...when(
      found.hints.retries > 0,
      'retries',
      () => `${n(found.hints.retries)} lines speak of retries; they are part of the latencies`,
    ),
  ];
}

function rateNotes({ found, finalCount }: InspectCase, asked: number | null): Notes {
  const { producer, consumer } = found;
  const rate = producer.final?.recordsPerS ?? null;
  const tiny = producer.final?.mibPerS ?? consumer.final?.totalMibPerS ?? null;
  return [
    ...when(
      asked !== null && rate !== null && rate < asked * RATE_REACHED,
      'rate-not-reached',
      () =>
        `${rate} of ${n(asked ?? 0)} records/s were reached: the latencies are those of a smaller load than was asked`,
    ),
    ...when(
      (finalCount ?? 0) > 0 && tiny === 0,
      'rounded-to-zero',
      () =>
        'the MB/sec were printed as 0: too small for the decimals of the tool; count × record size ÷ time says them',
    ),
    ...when(
      producer.decimals === 'comma' || consumer.decimals === 'comma',
      'comma-decimals',
      () => 'the tool printed decimal commas; they are read as such',
    ),
  ];
}

function consumerNotes({ found, finalCount, asked, tool }: InspectCase): Notes {
  const { final, idleTimeoutMs, seenAtLeast, headers, finalRows, table } = found.consumer;
  const elapsed = final?.elapsedMs ?? 0;
  const share =
    final === null || final.rebalanceMs === null || elapsed <= 0 ? 0 : final.rebalanceMs / elapsed;
  const excess = tool === 'consumer' && finalCount !== null && asked !== null ? finalCount - asked : 0;
  return [
    ...when(
      excess > 0,
      'overread',
      () =>
        `${n(excess)} records more than asked: a consumer stops after a whole poll (500 records by default)`,
    ),
    ...when(
      final?.absent !== null && final?.absent !== undefined,
      'bad-rebalance',
      () => `the rebalance and fetch values are impossible and left out: ${final?.absent}`,
    ),
    ...when(
      idleTimeoutMs !== null,
      'idle-in-rate',
      () => 'the idle wait is inside the elapsed and the fetch time: no rate can be believed',
    ),
    ...when(
      idleTimeoutMs === null && share > MAX_REBALANCE_SHARE,
      'rebalance-share',
      () =>
        `${percent(share)} of the time was the rebalance: the fetch rates speak of reading, the others of starting`,
    ),
    ...when(
      seenAtLeast !== null,
      'at-least',
      () =>
        `detailed rows count up: at least ${n(seenAtLeast ?? 0)} records were read, the rest is not printed`,
    ),
    ...when(
      headers === 0 && finalRows > 0,
      'no-header',
      () => `no header: the columns are those of a ${table} by the row's own arithmetic`,
    ),
  ];
}

function textNotes({ found }: InspectCase): Notes {
  const pieces = found.torn.lines + (found.headCut ? 1 : 0);
  return [
    ...when(pieces > 0, 'torn-lines', () => `${n(pieces)} result lines are not whole and were left out`),
    ...when(
      found.gluedLines > 0,
      'glued-lines',
      () => 'lines that had lost a newline between them were taken apart',
    ),
    ...when(
      found.quoted.lines > 0,
      'quoted',
      () => `a result line inside other text was not taken for one: "${found.quoted.first}"`,
    ),
    ...when(found.encoding !== 'utf-8', 'encoding', () => `read as ${found.encoding}`),
  ];
}
