export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** UTF-16 by its mark, or by the zero bytes of plain text without one (PowerShell's `>` writes it); else UTF-8. */
export function encodingOf(head: Uint8Array): Encoding {
  const [a, b, c, d] = head;
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  if (a === 0xfe && b === 0xff) return 'utf-16be';
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be';
  return 'utf-8';
}

/** Passes UTF-8 bytes on as they are and other encodings as text; `push` takes the stream cut anywhere. */
export function transcoder(to: (chunk: Uint8Array | string) => void): {
  push(chunk: Uint8Array): void;
  end(): Encoding;
} {
  let head = new Uint8Array(0);
  let encoding: Encoding | null = null;
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  const pass = (chunk: Uint8Array): void => {
    to(decoder === null ? chunk : decoder.decode(chunk, { stream: true }));
  };
  const decide = (): void => {
    encoding = encodingOf(head);
    if (encoding !== 'utf-8') decoder = new TextDecoder(encoding);
    pass(head);
  };
  return {
    push(chunk) {
      if (encoding !== null) return pass(chunk);
      const joined = new Uint8Array(head.length + chunk.length);
      joined.set(head);
      joined.set(chunk, head.length);
      head = joined;
      if (head.length >= 4) decide();
    },
    end() {
      if (encoding === null) decide();
      return encoding ?? 'utf-8';
    },
  };
}
