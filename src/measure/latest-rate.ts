import { producerLine } from './producer-line.ts';
import { splitStamped } from './stamped.ts';

/**
 * The rate (records/s) of the last whole interval line in the tail of a producer's stdout, stamped or not;
 * null when there is none. For live progress only: results come from windows.ts.
 */
export function latestRate(tail: string): number | null {
  const lines = tail.split('\n');
  // The last piece has no newline yet, and the first may have lost its head: neither is whole.
  for (let at = lines.length - 2; at >= 0; at -= 1) {
    const text = lines[at] ?? '';
    const stamped = splitStamped(text);
    if (stamped === null && at === 0) return null;
    const line = producerLine((stamped?.text ?? text).replace(/\r$/, ''));
    if (line?.kind === 'interval') return line.numbers.recordsPerS;
  }
  return null;
}
