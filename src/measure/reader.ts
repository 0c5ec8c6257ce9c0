import { lineSplitter } from './lines.ts';
import type { Stamp } from './stamped.ts';
import { splitStamped } from './stamped.ts';

/** A parser that takes one line at a time; see producer.ts and consumer.ts. */
export interface LineParser<T> {
  line(text: string, stamp: Stamp | null): void;
  torn(text: string): void;
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
  return {
    push(chunk) {
      for (const text of splitter.push(chunk)) feed(text);
    },
    soFar: () => parser.output(),
    end() {
      const rest = splitter.rest();
      if (rest !== '') feed(rest.endsWith('\r') ? rest.slice(0, -1) : rest);
      return parser.output();
    },
  };
}
