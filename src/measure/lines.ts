/** Longer lines are cut here: no instrument prints them, and a reader's memory must stay flat. */
export const MAX_LINE_CHARS = 65_536;

export interface LineSplitter {
  /** Takes any piece of a stream (bytes are UTF-8, cut anywhere) and gives the lines that it completes. */
  push(chunk: Uint8Array | string): string[];
  /** What stands after the last newline; '' when the stream ended with one. */
  rest(): string;
}

/**
 * Splits a stream into lines whatever way it was cut into pieces: the lines depend on the bytes alone.
 * Ends of line are LF or CRLF. Lines above MAX_LINE_CHARS are cut, not kept.
 */
export function lineSplitter(): LineSplitter {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let held = '';
  const keep = (text: string): void => {
    if (held.length < MAX_LINE_CHARS) held = (held + text).slice(0, MAX_LINE_CHARS);
  };
  return {
    push(chunk) {
      const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
      const lines: string[] = [];
      let from = 0;
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', from)) {
        keep(text.slice(from, at));
        lines.push(held.endsWith('\r') ? held.slice(0, -1) : held);
        held = '';
        from = at + 1;
      }
      keep(from === 0 ? text : text.slice(from));
      return lines;
    },
    rest: () => held,
  };
}
