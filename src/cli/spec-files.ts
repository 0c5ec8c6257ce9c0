import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Just above what the reader of specs takes, so that it says so itself. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Text of a file, or why there is none: words that end a sentence beginning with the file's name. */
export type ReadText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

/**
 * The text of a spec from a file, or from stdin for `-`. UTF-8, or UTF-16 with a byte order mark; anything else is
 * no text. `regular` refuses devices and pipes.
 */
export function readText(file: string, { regular }: { readonly regular: boolean }): ReadText {
  try {
    // Asked before it is opened: a pipe without a writer would wait for one.
    if (regular && !statSync(file).isFile()) return { ok: false, why: 'it is not a regular file' };
    const fd = file === '-' ? 0 : openSync(file, 'r');
    try {
      return decoded(readAtMost(fd, MAX_BYTES));
    } finally {
      if (file !== '-') closeSync(fd);
    }
  } catch (error) {
    return { ok: false, why: whyNot(error as NodeJS.ErrnoException) };
  }
}

/** Why the system gave no file, in words. */
export function whyNot({ code, message }: NodeJS.ErrnoException): string {
  const why: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    ENOTDIR: 'there is no such file',
    EISDIR: 'it is a folder',
    EACCES: 'it may not be read',
    ENAMETOOLONG: 'no file has a name as long as this',
    ERR_INVALID_ARG_VALUE: 'no file has such a name',
    ELOOP: 'its links lead round in a circle',
    ENXIO: 'nobody writes to this pipe',
  };
  return why[code ?? ''] ?? message;
}

/** A device or a pipe may have no end: more than a spec may hold is never read. */
function readAtMost(fd: number, limit: number): Buffer {
  const bytes = Buffer.alloc(limit + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length <= limit; length += read) {
    read = readSync(fd, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
}

function decoded(bytes: Buffer): ReadText {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8';
  if (encoding === 'utf-8' && bytes.subarray(0, 4).includes(0))
    return { ok: false, why: 'it is not UTF-8 text (UTF-16 without a byte order mark?); save it as UTF-8' };
  try {
    // More than the limit may end within a character; what is refused as too long need not be exact.
    const stream = bytes.length > MAX_BYTES;
    return { ok: true, text: new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream }) };
  } catch {
    const line = encoding === 'utf-8' ? ` (line ${badLine(bytes)})` : '';
    const name = encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
    return { ok: false, why: `it is not ${name} text${line}; save it as UTF-8` };
  }
}

/** The first line, from 1, that is not UTF-8. */
function badLine(bytes: Buffer): number {
  const lines = bytes.toString('latin1').split('\n');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const at = lines.findIndex((line) => {
    try {
      decoder.decode(Buffer.from(line, 'latin1'));
      return false;
    } catch {
      return true;
    }
  });
  return Math.max(1, at + 1);
}
