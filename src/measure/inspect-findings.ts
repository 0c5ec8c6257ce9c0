import type { ConsumerOutput } from './consumer.ts';
import type { ToolHints } from './inspect-hints.ts';
import type { ProducerOutput } from './producer.ts';
import type { ToolErrors } from './stderr.ts';
import type { Encoding } from './text-encoding.ts';
import type { WindowTotals } from './window-totals.ts';

/** Lines of one kind: how many, and the first as an example (at most 200 characters). */
export interface Examples {
  readonly lines: number;
  readonly first: string | null;
}

/** Everything that was found in one file, before anything is judged. Memory is flat whatever the file's length. */
export interface Findings {
  readonly sizeBytes: number;
  readonly encoding: Encoding;
  /** Lines that hold more than white space. */
  readonly lines: number;
  readonly producer: ProducerOutput;
  readonly consumer: ConsumerOutput;
  readonly windows: WindowTotals;
  /** Failed sends and crashes that stand in the file. */
  readonly errors: ToolErrors;
  /** Counts of the final lines of a producer, in order, the first few. */
  readonly finalCounts: readonly number[];
  /** Interval lines, whole or torn, behind a final line: they are another run's. */
  readonly windowsAfterFinal: number;
  /** The only final line stands right behind other text, so its first digits are not certain. */
  readonly finalBehindText: boolean;
  /** Pieces of a final line or row that is not whole. */
  readonly tornFinal: Examples;
  /** Pieces of interval lines, or of lines that may have been either. */
  readonly torn: Examples;
  /** The first line is the rest of a line whose head is not in the file. */
  readonly headCut: boolean;
  /** Result lines in a form that no version of Kafka prints. */
  readonly foreign: Examples;
  /** Whole result lines inside somebody else's text. */
  readonly quoted: Examples;
  /** Who wrote result lines, by the prefixes of a log collector: '' without one. The first few. */
  readonly sources: readonly string[];
  readonly gluedLines: number;
  readonly hints: ToolHints;
}

/** Counts lines of one kind and keeps the first. */
export function examples(): { add(text: string): void; result(): Examples } {
  let lines = 0;
  let first: string | null = null;
  return {
    add(text) {
      lines += 1;
      first ??= text.slice(0, 200);
    },
    result: () => ({ lines, first }),
  };
}
