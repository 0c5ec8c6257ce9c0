import { createHash, randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { TextDecoder } from 'node:util';
import { type Home, payloadFile } from '../lab/home.ts';
import { whyNot } from './spec-files.ts';

/** Each client host keeps the file, and the perf tool holds it in its heap. */
const MAX_BYTES = 1024 ** 3;
/** No broker takes a record that is longer. */
const MAX_LINE_BYTES = 16 * 1024 ** 2;
const CHUNK_BYTES = 4 * 1024 ** 2;
const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** A file of records, one a line, that has been read to its end. */
export interface PayloadFacts {
  readonly sha256: string;
  readonly bytes: number;
  readonly lines: number;
  /** Every line is the same. */
  readonly constant: boolean;
  /** The last line ends with a newline, as a file that was not cut off does. */
  readonly complete: boolean;
}

export type ReadPayload =
  | { readonly ok: true; readonly facts: PayloadFacts }
  | { readonly ok: false; readonly why: string };

/**
 * Reads a file of records as the perf tool will: UTF-8, one record a line. With `home` a copy is kept there by its hash,
 * so that what was read is what is sent.
 */
export function readPayload(file: string, home: Home | null): ReadPayload {
  let draft: string | null = null;
  try {
    const { size } = statSync(file);
    const refused = !statSync(file).isFile()
      ? 'it is not a regular file'
      : size === 0
        ? 'it is empty; it must hold one record a line'
        : size > MAX_BYTES
          ? `it has ${(size / MAX_BYTES).toFixed(1)} GiB, and at most 1 GiB is read into the memory of the perf tool; use a part of it`
          : null;
    if (refused !== null) return { ok: false, why: refused };
    draft = home === null ? null : newDraft(home);
    const read = readThrough(file, draft);
    if (read.ok && draft !== null && home !== null) renameSync(draft, payloadFile(home, read.facts.sha256));
    return read;
  } catch (error) {
    return { ok: false, why: whyNot(error as NodeJS.ErrnoException) };
  } finally {
    if (draft !== null) rmSync(draft, { force: true });
  }
}

function newDraft(home: Home): string {
  const draft = payloadFile(home, `.draft-${process.pid}-${randomUUID()}`);
  mkdirSync(dirname(draft), { recursive: true });
  return draft;
}

function readThrough(file: string, draft: string | null): ReadPayload {
  const from = openSync(file, 'r');
  const to = draft === null ? null : openSync(draft, 'wx');
  try {
    const chunk = Buffer.alloc(CHUNK_BYTES);
    const hash = createHash('sha256');
    const lines = new LineCheck();
    const text = new TextDecoder('utf-8', { fatal: true });
    let bytes = 0;
    for (let n = readSync(from, chunk); n > 0; n = readSync(from, chunk)) {
      const part = chunk.subarray(0, n);
      bytes += n;
      if (bytes > MAX_BYTES) return { ok: false, why: 'it grew above 1 GiB while it was read' };
      hash.update(part);
      if (to !== null) for (let at = 0; at < n; at += writeSync(to, part, at));
      if (!isText(text, part)) return { ok: false, why: notText(lines.count + 1) };
      const wrong = lines.add(part);
      if (wrong !== null) return { ok: false, why: wrong };
    }
    if (!isText(text, null)) return { ok: false, why: notText(lines.count + 1) };
    const wrong = lines.end();
    if (wrong !== null) return { ok: false, why: wrong };
    const { count, constant, complete } = lines;
    return { ok: true, facts: { sha256: hash.digest('hex'), bytes, lines: count, constant, complete } };
  } finally {
    closeSync(from);
    if (to !== null) closeSync(to);
  }
}

function isText(decoder: TextDecoder, part: Buffer | null): boolean {
  try {
    if (part === null) decoder.decode();
    else decoder.decode(part, { stream: true });
    return part === null || !part.includes(0);
  } catch {
    return false;
  }
}

function notText(line: number): string {
  return `it is not UTF-8 text (at or after line ${line}), and the perf tool reads and sends text; write the records as UTF-8, one a line`;
}

/** Looks at a file's lines as its parts come in. */
class LineCheck {
  /** Lines so far, the last one included when it is begun. */
  count = 0;
  constant = true;
  complete = true;
  private rest: Buffer = Buffer.alloc(0);
  private first: Buffer | null = null;

  /** What is wrong with the lines that this part completes; null = nothing. */
  add(part: Buffer): string | null {
    let start = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, start)) {
      const own = part.subarray(start, end);
      const wrong = this.line(this.rest.length === 0 ? own : Buffer.concat([this.rest, own]));
      if (wrong !== null) return wrong;
      this.rest = Buffer.alloc(0);
      start = end + 1;
    }
    // Copied: the part's memory is used again.
    this.rest = Buffer.concat([this.rest, part.subarray(start)]);
    return this.rest.length > MAX_LINE_BYTES ? tooLong(this.count + 1) : null;
  }

  end(): string | null {
    this.complete = this.rest.length === 0;
    return this.complete ? null : this.line(this.rest);
  }

  private line(line: Buffer): string | null {
    this.count += 1;
    if (line.at(-1) === RETURN)
      return `line ${this.count} ends with CRLF, and the carriage return would be sent as part of each record; convert it, e.g. with tr -d '\\r'`;
    if (line.length === 0)
      return `line ${this.count} is empty, and would be sent as a record of 0 bytes; remove empty lines, e.g. with grep .`;
    if (line.length > MAX_LINE_BYTES) return tooLong(this.count);
    if (this.constant && this.first !== null) this.constant = this.first.equals(line);
    this.first ??= Buffer.from(line);
    return null;
  }
}

function tooLong(line: number): string {
  return `line ${line} is longer than 16 MiB, and one line is one record`;
}
