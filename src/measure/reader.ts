import { intervalBytes } from './interval-bytes.ts';
import { lineSplitter } from './lines.ts';
import type { IntervalLine } from './producer-line.ts';
import type { Stamp } from './stamped.ts';
import { splitStamped } from './stamped.ts';

/** A parser that takes one line at a time; see producer.ts and consumer.ts. */
export interface LineParser<T> {
  line(text: string, stamp: Stamp | null): void;
  torn(text: string): void;
  /** A plain interval line that was read from its bytes already; absent in parsers that want its text. */
  readonly read?: (this: void, line: IntervalLine, stamp: Stamp | null) => void;
  output(): T;
}

export interface OutputReader<T> {
  /** Any piece of the stream, cut anywhere. */
  push(chunk: Uint8Array | string): void;
  /** What has been read so far, whole lines only: for live progress. */
  soFar(): T;
  /** What the whole stream says, the tail without newline included. Nothing may be pushed afterwards. */
  end(): T;
}

/**
 * Joins pieces into lines and feeds a parser. `stamped`: each line carries the capsule's two clocks; a line
 * without them has lost its head, so the digits it starts with may be the rest of a longer number.
 */
export function streamReader<T>(parser: LineParser<T>, stamped: boolean): OutputReader<T> {
  const splitter = lineSplitter();
  const feed = (text: string): void => {
    if (!stamped) return parser.line(text, null);
    const split = splitStamped(text);
    if (split === null) parser.torn(text);
    else parser.line(split.text, { wallMs: split.wallMs, uptimeMs: split.uptimeMs });
  };
  const push = (chunk: Uint8Array | string): void => {
    for (const text of splitter.push(chunk)) feed(text);
  };
  return {
    push: parser.read === undefined ? push : fastPush(push, parser.read, stamped),
    soFar: () => parser.output(),
    end() {
      const rest = splitter.rest();
      if (rest !== '') feed(rest.endsWith('\r') ? rest.slice(0, -1) : rest);
      return parser.output();
    },
  };
}

/** Takes plain interval lines out of the bytes, in their place, and gives everything between them to `push`. */
function fastPush(
  push: (chunk: Uint8Array | string) => void,
  read: (line: IntervalLine, stamp: Stamp | null) => void,
  stamped: boolean,
): (chunk: Uint8Array | string) => void {
  const fast = intervalBytes(stamped);
  let atLineStart = true;
  return (chunk) => {
    if (typeof chunk === 'string') {
      if (chunk !== '') atLineStart = chunk.endsWith('\n');
      return push(chunk);
    }
    let from = 0;
    let at = atLineStart ? 0 : chunk.indexOf(10) + 1 || chunk.length;
    while (at < chunk.length) {
      const end = fast.read(chunk, at);
      if (end > 0) {
        if (from < at) push(chunk.subarray(from, at));
        const { decimals, numbers, stamp } = fast.last();
        read({ kind: 'interval', decimals, numbers }, stamp);
        from = end;
        at = end;
      } else at = chunk.indexOf(10, at) + 1 || chunk.length;
    }
    if (from < chunk.length) push(chunk.subarray(from));
    if (chunk.length > 0) atLineStart = chunk.at(-1) === 10;
  };
}
