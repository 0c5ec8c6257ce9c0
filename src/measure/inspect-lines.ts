import { plainText, unprefixed } from './clean-line.ts';
import type { ConsumerOutput } from './consumer.ts';
import { consumerParser } from './consumer.ts';
import type { Piece } from './glue.ts';
import { producerPieces, textPieces } from './glue.ts';
import type { ProducerOutput } from './producer.ts';
import { producerParser } from './producer.ts';
import type { ProducerLine } from './producer-line.ts';
import { looksTorn, producerLine } from './producer-line.ts';
import type { OutputReader } from './reader.ts';
import { streamReader } from './reader.ts';
import type { Encoding } from './text-encoding.ts';
import { transcoder } from './text-encoding.ts';
import type { ToolErrors } from './stderr.ts';
import { errorsParser, FAILED_CALLBACK } from './stderr.ts';
import type { WindowTotals } from './window-totals.ts';
import { windowTotals } from './window-totals.ts';

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
  readonly retries: number;
  /** A line says `acks=0`. */
  readonly acksZero: boolean;
  /** Which tool's name stands in other lines. */
  readonly named: 'producer' | 'consumer' | null;
  /** A message of the tool about its own arguments. */
  readonly usage: string | null;
}

const MAX_KEPT = 5;
/** What only a final line has: percentiles, six decimals in the rate, two in the latencies. */
const OF_FINAL =
  /ms (?:50|95|99)|\d(?:0th|5th|9th)|[.,]\d{3,6} ?rec|[.,]\d\d ms (?:avg|max)|steady state rec/;
const OF_ROW = /\d[.,]\d{4},\s+(?:\d+,\s+){0,2}-?\d+[.,]\d{4}/;
const OF_HEADER = /nMsg|data\.consumed/;
const HEADER_REST = /^[\w.]*(?:, [\w.]+)*$/;
const LOG_LINE = /\b(?:TRACE|DEBUG|INFO|WARN|ERROR|FATAL)\b/;
const WHOLE_RATE = /^\d+ records sent, \d+[.,](\d+) records\/sec \(\S+ (\w+\/sec)\)/;
/** What makes a log line, or the rest of a failure's line, more than that: something of the tool's is glued to it. */
const INTERESTING =
  /records sent|start\.time, end|time, threadId|Exiting before|common\.errors\.|OutOfMemoryError|Exception in thread/;
/** A consumer's row glued behind it. */
const GLUED_ROW = /\d\s*, \d{4}-\d\d-\d\d \d/;
/** Lines at the start in which names of the tool are looked for. */
const HEAD_LINES = 500;
/** The rest of what the producer's parser reads: its preamble and its table of metrics. */
const PREAMBLE_OR_METRIC = /^[NWM]|:\{/;
const ACKS_ZERO = /(?:^|[\s"',])acks ?= ?0\b/;
const PRODUCER_NAMES = /ProducerPerformance|producer-perf|producer-performance|perf-producer/;
const CONSUMER_NAMES = /ConsumerPerformance|consumer-perf|consumer-performance|perf-consumer/;
const USAGE =
  /^(?:usage: \w+-performance|\w+-performance: error: |Missing required argument|Error: Could not find or load main class)/;

/** Reads anybody's capture of a perf tool: bytes of any encoding, stdout alone or everything in one file. */
export function inspector(): { push(chunk: Uint8Array): void; end(): Findings } {
  const totals = windowTotals();
  const seen = {
    sizeBytes: 0,
    lines: 0,
    finals: [] as number[],
    finalLines: 0,
    afterFinal: 0,
    behindText: false,
    headCut: false,
    sources: new Set<string>(),
    glued: 0,
    retries: 0,
    acksZero: false,
    named: null as Findings['named'],
    usage: null as string | null,
  };
  const tornFinal = examples();
  const torn = examples();
  const foreign = examples();
  const quoted = examples();
  const producer = producerParser((numbers) => {
    totals.add(numbers);
    if (seen.finalLines > 0) seen.afterFinal += 1;
  });
  const consumer = consumerParser({ headless: true });
  const errors = errorsParser();

  let lastSource: string | null = null;
  const from = (source: string | null): void => {
    if (source === null || source === lastSource) return;
    lastSource = source;
    if (seen.sources.size < MAX_KEPT) seen.sources.add(source);
  };
  const result = (line: ProducerLine, source: string | null, behindText: boolean): void => {
    from(source);
    if (line.kind === 'final') {
      seen.finalLines += 1;
      seen.behindText = behindText;
      if (seen.finals.length < MAX_KEPT) seen.finals.push(line.numbers.records);
    }
    producer.read(line, null);
  };
  const other = (text: string, source: string | null): void => {
    if (text === '') return;
    if (consumer.take(text)) return from(source);
    if (isForeign(text)) return foreign.add(text);
    if (!LOG_LINE.test(text) && (OF_ROW.test(text) || OF_HEADER.test(text))) {
      if (seen.lines === 1 && HEADER_REST.test(text)) seen.headCut = true;
      else tornFinal.add(text);
      return;
    }
    if (looksTorn(text)) {
      if (seen.lines === 1 && !/^\d+ (?:steady|records)/.test(text)) seen.headCut = true;
      else if (OF_FINAL.test(text)) tornFinal.add(text);
      else torn.add(text);
      if (seen.finalLines > 0 && !text.includes('steady')) seen.afterFinal += 1;
      return;
    }
    if (OF_FINAL.test(text) && /^[\d.,thms ]+$/.test(text)) return tornFinal.add(text);
    hints(text);
    if (PREAMBLE_OR_METRIC.test(text)) producer.line(text, null);
    else errors.line(text);
  };
  const hints = (text: string): void => {
    if (text.includes('retrying')) seen.retries += 1;
    if (!seen.acksZero && text.includes('acks') && ACKS_ZERO.test(text)) seen.acksZero = true;
    if (seen.named === null && seen.lines <= HEAD_LINES) {
      if (PRODUCER_NAMES.test(text)) seen.named = 'producer';
      else if (CONSUMER_NAMES.test(text)) seen.named = 'consumer';
    }
    if (seen.usage === null && USAGE.test(text)) seen.usage = text.slice(0, 300);
  };
  const piecewise = (text: string, source: string): void => {
    const pieces = producerPieces(text).flatMap<Piece>((piece) =>
      piece.kind === 'text' ? textPieces(piece.text).map((part) => ({ kind: 'text', text: part })) : [piece],
    );
    if (pieces.length > 1) seen.glued += pieces.length - 1;
    for (const [index, piece] of pieces.entries()) {
      // A prefix belongs to what it stands before, not to what is glued behind that.
      const own = index === 0 ? source : null;
      if (piece.kind === 'text') other(piece.text.trim(), own);
      else if (piece.quoted) quoted.add(text);
      else result(piece.line, own, piece.behindText);
    }
  };
  /** Takes failures and log lines that nothing is glued to: of a long log that is nearly all. */
  const plainly = (text: string): boolean => {
    if (text.startsWith(FAILED_CALLBACK)) {
      if (INTERESTING.test(text.slice(FAILED_CALLBACK.length)) || gluedRow(text)) return false;
      errors.line(text);
    } else {
      if (!LOG_LINE.test(text) || INTERESTING.test(text) || gluedRow(text)) return false;
      if (/^\s*\d+ /.test(text)) return false;
      if (text.includes('retrying')) seen.retries += 1;
    }
    seen.lines += 1;
    return true;
  };
  const line = (raw: string): void => {
    if (seen.lines > HEAD_LINES && plainly(raw)) return;
    const text = plainText(raw);
    if (text.trim() === '') return;
    seen.lines += 1;
    const whole = producerLine(text);
    if (whole !== null) return result(whole, '', false);
    const bare = unprefixed(text);
    const stamped = producerLine(bare.text);
    if (stamped !== null) result(stamped, bare.source, false);
    else piecewise(bare.text, bare.source);
  };

  const reader: OutputReader<null> = streamReader(
    {
      line: (raw) => (raw.includes('\r') ? raw.split('\r').forEach(line) : line(raw)),
      torn: line,
      read: (interval) => {
        seen.lines += 1;
        result(interval, '', false);
      },
      output: () => null,
    },
    false,
  );
  const input = transcoder((chunk) => reader.push(chunk));
  return {
    push(chunk) {
      seen.sizeBytes += chunk.length;
      input.push(chunk);
    },
    end() {
      const encoding = input.end();
      reader.end();
      return {
        sizeBytes: seen.sizeBytes,
        encoding,
        lines: seen.lines,
        producer: producer.output(),
        consumer: consumer.output(),
        windows: totals.totals(),
        errors: errors.errors(),
        finalCounts: seen.finals,
        windowsAfterFinal: seen.afterFinal,
        finalBehindText: seen.behindText,
        tornFinal: tornFinal.result(),
        torn: torn.result(),
        headCut: seen.headCut,
        foreign: foreign.result(),
        quoted: quoted.result(),
        sources: [...seen.sources],
        gluedLines: seen.glued,
        retries: seen.retries,
        acksZero: seen.acksZero,
        named: seen.named,
        usage: seen.usage,
      };
    },
  };
}

function examples(): { add(text: string): void; result(): Examples } {
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

/** A whole line of somebody else's tool: another unit, or a rate with decimals that no version of Kafka prints. */
function isForeign(text: string): boolean {
  const found = WHOLE_RATE.exec(text);
  if (found === null) return /^\d+ records sent, .*\b[KMG]iB\/sec/.test(text);
  return found[2] !== 'MB/sec' || (found[1]?.length !== 1 && found[1]?.length !== 6);
}

function gluedRow(text: string): boolean {
  return text.includes(', 2') && GLUED_ROW.test(text);
}
