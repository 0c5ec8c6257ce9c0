import { plainText, unprefixed } from './clean-line.ts';
import { consumerParser } from './consumer.ts';
import type { Findings } from './inspect-findings.ts';
import { examples } from './inspect-findings.ts';
import { hintsWatch } from './inspect-hints.ts';
import type { OtherKind } from './inspect-shapes.ts';
import { isRest, otherKind, plainKind } from './inspect-shapes.ts';
import type { Piece } from './glue.ts';
import { producerPieces, textPieces } from './glue.ts';
import { producerParser } from './producer.ts';
import type { ProducerLine } from './producer-line.ts';
import { looksTorn, producerLine } from './producer-line.ts';
import type { OutputReader } from './reader.ts';
import { streamReader } from './reader.ts';
import { transcoder } from './text-encoding.ts';
import { errorsParser } from './stderr.ts';
import { windowTotals } from './window-totals.ts';

const MAX_KEPT = 5;
/** Lines at the start in which names of the tool are looked for. */
const HEAD_LINES = 500;
/** The rest of what the producer's parser reads: its preamble and its table of metrics. */
const PREAMBLE_OR_METRIC = /^[NWM]|:\{/;

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
  const hints = hintsWatch();

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
  /** Lines that are no whole results, but of results. */
  const piece = (text: string, kind: Exclude<OtherKind, 'text'>): void => {
    if (kind === 'foreign') return foreign.add(text);
    // Of a cut file the first line is the rest of one: nothing is known of it, and nothing is lost with it.
    if (seen.lines === 1 && kind !== 'piece' && (kind !== 'final-piece' || isRest(text))) seen.headCut = true;
    else if (kind === 'final-piece' || kind === 'row-rest') tornFinal.add(text);
    else torn.add(text);
    if (seen.finalLines > 0 && looksTorn(text) && !text.includes('steady')) seen.afterFinal += 1;
  };
  const other = (text: string, source: string | null): void => {
    if (text === '') return;
    if (consumer.take(text)) return from(source);
    const kind = otherKind(text);
    if (kind !== 'text') return piece(text, kind);
    hints.see(text);
    if (PREAMBLE_OR_METRIC.test(text)) producer.line(text, null);
    else errors.line(text);
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
  /** Takes what long logs are full of without a closer look. */
  const plainly = (text: string): boolean => {
    const kind = plainKind(text);
    if (kind === null) return false;
    if (kind === 'failure') errors.line(text);
    else if (kind === 'log') hints.plain(text);
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
        hints: hints.hints(),
      };
    },
  };
}
