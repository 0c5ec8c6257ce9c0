import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Larger pieces are no faster, and the garbage collector lets them lie: 50 MiB more for a long log. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Gives a file (or stdin for `-`) piece by piece, unpacked when it is gzip, whatever its name. A piece is valid until
 * `to` returns: files are read into one buffer.
 */
export async function readOutput(file: string, to: (chunk: Uint8Array) => void): Promise<{ cut: boolean }> {
  if (file !== '-' && isPlainFile(file)) {
    readPlain(file, to);
    return { cut: false };
  }
  const input: Readable =
    file === '-' ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const chunks = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let head = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await chunks.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const source = chain(head, chunks);
  if (!isGzip(head)) {
    for await (const chunk of source) to(chunk);
    return { cut: false };
  }
  return unpack(source, to);
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** A file on a disk that is not packed; pipes and devices give their bytes once only, so they are not looked into. */
function isPlainFile(file: string): boolean {
  const fd = openSync(file, 'r');
  try {
    if (!fstatSync(fd).isFile()) return false;
    const head = new Uint8Array(2);
    readSync(fd, head, 0, 2, 0);
    return !isGzip(head);
  } finally {
    closeSync(fd);
  }
}

/** Without a queue between: a stream's costs more than what is done with the pieces. */
function readPlain(file: string, to: (chunk: Uint8Array) => void): void {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    for (let length = readSync(fd, buffer); length > 0; length = readSync(fd, buffer))
      to(buffer.subarray(0, length));
  } finally {
    closeSync(fd);
  }
}

async function* chain(head: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** What a gzip file holds up to where it is cut or damaged. */
async function unpack(
  source: AsyncIterable<Buffer>,
  to: (chunk: Uint8Array) => void,
): Promise<{ cut: boolean }> {
  const { Readable } = await import('node:stream');
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const from = Readable.from(source);
  from.on('error', (error) => gunzip.destroy(error));
  from.pipe(gunzip);
  try {
    for await (const chunk of gunzip) to(chunk as Buffer);
    return { cut: false };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'Z_BUF_ERROR' || code === 'Z_DATA_ERROR') return { cut: true };
    throw error;
  }
}

/** What is wrong with files that are to be read: all of it, before one is read. */
export function unreadableFiles(files: readonly string[]): string[] {
  const problems = files.flatMap((file) => problemOf(file) ?? []);
  if (files.filter((file) => file === '-').length > 1) problems.push('-: stdin can be read once only.');
  return problems;
}

function problemOf(file: string): string | null {
  if (file === '-') return null;
  if (file === '')
    return 'The name of a file is empty; name the captured output of a perf tool, or - for stdin.';
  try {
    return statSync(file).isDirectory() ? `${file}: it is a folder; name the files in it.` : null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = {
      ENOENT: 'there is no such file',
      EACCES: 'it may not be read',
      ENOTDIR: 'a part of the path is a file',
    };
    return `${file}: ${why[code as keyof typeof why] ?? message}; name the captured output of a perf tool, or - for stdin.`;
  }
}
