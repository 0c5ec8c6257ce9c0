import { closeSync, copyFileSync, fstatSync, openSync, readSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Keeps a log that a running process appends to below a size: copies it to `<path>.1` and empties it. The writer
 * keeps its open file (it appends, so it goes on at the start); lines written between the two steps are lost,
 * which a log may suffer and a restart of the writer would not be worth.
 */
export function rotateLog(path: string, maxBytes: number = MAX_BYTES): void {
  try {
    if (statSync(path).size <= maxBytes) return;
    copyFileSync(path, `${path}.1`);
    truncateSync(path, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The last lines of a log that say something, for an error message; empty when there is no log. */
export function lastLines(path: string, lines: number): string[] {
  try {
    const file = openSync(path, 'r');
    try {
      const size = fstatSync(file).size;
      const tail = Buffer.alloc(Math.min(size, 16 * 1024));
      readSync(file, tail, 0, tail.length, size - tail.length);
      return tail
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .slice(-lines);
    } finally {
      closeSync(file);
    }
  } catch {
    return [];
  }
}
