import { looksTorn } from './producer-line.ts';
import { FAILED_CALLBACK } from './stderr.ts';

/** What only a final line has: percentiles, six decimals in the rate, two in the latencies. */
const OF_FINAL =
  /ms (?:50|95|99)|\d(?:0th|5th|9th)|[.,]\d{3,6} ?rec|[.,]\d\d ms (?:avg|max)|steady state rec/;
const PERCENTILES_ALONE = /^[\d.,thms ]+$/;
const OF_ROW = /\d[.,]\d{4},\s+(?:\d+,\s+){0,2}-?\d+[.,]\d{4}/;
const OF_HEADER = /nMsg|data\.consumed/;
const HEADER_REST = /^[\w.]*(?:, [\w.]+)*$/;
const LOG_LINE = /\b(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\b/;
const WHOLE_RATE = /^\d+ records sent, \d+[.,](\d+) records\/sec \(\S+ (\w+\/sec)\)/;
/** What makes a log line, or the rest of a failure's line, more than that: something of the tool's is glued to it. */
const INTERESTING =
  /records sent|start\.time, end|time, threadId|Exiting before|common\.errors\.|OutOfMemoryError|Exception in thread/;
/** A whole line of a stack trace: nothing can be glued to it unseen. */
const FRAME = /^\s+at [\w.$<>/@-]{1,300}\([\w.$: -]{1,200}\)(?: ~?\[[^\]]{0,200}\])?$/;
const GLUED_ROW = /\d\s*, \d{4}-\d\d-\d\d \d/;

/** A line that is no whole result: of somebody else's tool, a piece of a result, or any other text. */
export type OtherKind = 'foreign' | 'row-rest' | 'window-rest' | 'final-piece' | 'piece' | 'text';

/** Sorts a line that no reader of whole lines took. `…-rest`: its head is missing, as in the first line of a cut file. */
export function otherKind(text: string): OtherKind {
  if (isForeign(text)) return 'foreign';
  if (!LOG_LINE.test(text)) {
    if (OF_ROW.test(text)) return 'final-piece';
    if (OF_HEADER.test(text)) return HEADER_REST.test(text) ? 'row-rest' : 'final-piece';
  }
  if (!looksTorn(text)) return OF_FINAL.test(text) && PERCENTILES_ALONE.test(text) ? 'final-piece' : 'text';
  if (OF_FINAL.test(text)) return 'final-piece';
  return isRest(text) ? 'window-rest' : 'piece';
}

/** The rest of a producer's line whose count is missing. */
export function isRest(text: string): boolean {
  return looksTorn(text) && !/^\d+ (?:steady|records)/.test(text);
}

/** A whole line of somebody else's tool: another unit, or a rate with decimals that no version of Kafka prints. */
function isForeign(text: string): boolean {
  const found = WHOLE_RATE.exec(text);
  if (found === null) return /^\d+ records sent, .*\b[KMG]iB\/sec/.test(text);
  return found[2] !== 'MB/sec' || (found[1]?.length !== 1 && found[1]?.length !== 6);
}

/** A failed send, a log line or a line of a stack trace that nothing is glued to; null for all that needs a closer look. Quick: long logs are full of them. */
export function plainKind(text: string): 'failure' | 'log' | 'frame' | null {
  if (text.startsWith(FAILED_CALLBACK))
    return isInteresting(text.slice(FAILED_CALLBACK.length)) ? null : 'failure';
  if (isWhiteSpace(text.charCodeAt(0)) && FRAME.test(text)) return 'frame';
  if (!LOG_LINE.test(text) || isInteresting(text) || /^\s*\d+ /.test(text)) return null;
  return 'log';
}

function isInteresting(text: string): boolean {
  return INTERESTING.test(text) || (text.includes(', 2') && GLUED_ROW.test(text));
}

function isWhiteSpace(code: number): boolean {
  return code === 9 || code === 32;
}
