import type { ProducerLine } from './producer-line.ts';
import { looksTorn, producerLine } from './producer-line.ts';

/** A part of a physical line: both streams in one file lose the newline between what they print. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'result';
      readonly line: ProducerLine;
      /** Other text stands right before its first digit, so digits of it may have been lost there or added. */
      readonly behindText: boolean;
      /** Words of somebody else stand before it: it is spoken of, not printed by the tool. */
      readonly quoted: boolean;
    };

const RESULT =
  /(?<!\d)\d{1,20} (?:steady state )?records sent, \S+ records\/sec \(\S+ MB\/sec\), \S+ ms avg latency, \S+ (?:ms )?max latency(?:, \d+ ms 50th, \d+ ms 95th, \d+ ms 99th, \d+ ms 99\.9th)?\.?/g;
/** A log line, a quotation mark, `key:` or `key=`: somebody speaks of the result. */
const SPOKEN = /\b(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\b|(?:\w:|(?<!\d)["'`=])\s*$/;
const TOOL_TEXT = /Number of |Reading payloads|Warmup first|In steady state/;

/** Cuts a line into whole result lines of the producer's tool and the text around them. */
export function producerPieces(text: string): Piece[] {
  if (!text.includes(' records sent, ')) return [{ kind: 'text', text }];
  const pieces: Piece[] = [];
  let from = 0;
  for (const found of text.matchAll(RESULT)) {
    const line = producerLine(found[0]);
    if (line === null) continue;
    const before = text.slice(from, found.index);
    if (before !== '') pieces.push({ kind: 'text', text: before });
    const glued = before === '' || (/[\p{L}.)\]]$/u.test(before) && !/\d\.$/.test(before));
    const quoted = !glued && isSpokenOf(before);
    // Behind a torn line, or the rest of a grouped number, nobody knows whose digits these are: as text they count as torn.
    if (glued || quoted) pieces.push({ kind: 'result', line, behindText: before !== '', quoted });
    else pieces.push({ kind: 'text', text: found[0] });
    from = found.index + found[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

function isSpokenOf(before: string): boolean {
  return SPOKEN.test(before) && !looksTorn(before) && !TOOL_TEXT.test(before);
}

const DATE = '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d:\\d{3}';
const SEAM = new RegExp(
  `(?<=\\S)(?=WARNING: Exiting before)|(?<=[\\w.)])(?=start\\.time, end\\.time,|time, threadId,)` +
    `|(?<=\\S)(?=${DATE}\\s*,\\s*(?:${DATE}|\\d+)\\s*,)` +
    `|(?<=[\\w.)])(?=org\\.apache\\.kafka\\.common\\.errors\\.\\w+: |Exception in thread ")|(?<=\\S)(?=\\[\\d{4}-\\d\\d-\\d\\d[ T])`,
);

/** Cuts other text where a row, header, warning, failure or log line starts right behind something else. */
export function textPieces(text: string): string[] {
  return text.split(SEAM);
}
