import type { Position } from './issue.ts';

/** Columns of a line that are shown around a mistake. */
const SHOWN = 120;

/** Finds line, column and excerpt of an offset in a text. */
export function textPositions(text: string, file: string): (offset: number) => Position {
  const starts = [0];
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1);
  return (offset) => {
    const index = lastAtMost(starts, Math.max(0, Math.min(offset, text.length)));
    const start = starts[index] ?? 0;
    const column = Math.max(0, Math.min(offset, text.length) - start) + 1;
    const line = text.slice(start, (starts[index + 1] ?? text.length + 1) - 1).replace(/\r$/, '');
    return { file, line: index + 1, column, excerpt: excerptOf(line, column) };
  };
}

/** A line and a caret below one of its columns; a long line is cut so that the caret stays on the screen. */
export function excerptOf(line: string, column: number): string {
  const from = column > 100 ? column - 60 : 0;
  const shown = line.replaceAll('\t', ' ').slice(from, from + SHOWN);
  return `${shown}\n${' '.repeat(column - 1 - from)}^`;
}

/** Index of the last number that is not above `limit`; the numbers rise. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
