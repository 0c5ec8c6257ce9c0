import { closeSync, openSync, writeSync } from 'node:fs';

/** What a long output is full of: interval lines, the same with a capsule's stamps, or the text of log lines on stderr. */
export type LogKind = 'intervals' | 'stamped' | 'text';

const CHUNK_CHARS = 1 << 20;
const START_S = 1_796_000_000;

/** The summary of a run, as ProducerPerformance 4.x prints it last. */
export function finalLine(records: number, elapsedS: number): string {
  const rate = records / elapsedS;
  return `${records} records sent, ${rate.toFixed(6)} records/sec (${(rate / 2048).toFixed(2)} MB/sec), 12.34 ms avg latency, 652.00 ms max latency, 9 ms 50th, 41 ms 95th, 87 ms 99th, 201 ms 99.9th.\n`;
}

/** Writes a log of at least so many bytes; returns the count in its last line (0 for `text`, which has none). */
export function makeLog(file: string, kind: LogKind, sizeBytes: number): number {
  const out = openSync(file, 'w');
  try {
    return kind === 'text' ? writeText(out, sizeBytes) : writeIntervals(out, sizeBytes, kind === 'stamped');
  } finally {
    closeSync(out);
  }
}

function writeIntervals(out: number, sizeBytes: number, stamped: boolean): number {
  let records = 0;
  let line = 0;
  const stamp = () => (stamped ? `${START_S + line}.123456 ${(512 + line).toFixed(2)} ` : '');
  const last = fill(out, sizeBytes, () => {
    const sent = 20_000 + ((line * 7_919) % 10_000);
    records += sent;
    const text = `${stamp()}${sent} records sent, ${(sent * 0.999).toFixed(1)} records/sec (${(sent / 2048).toFixed(2)} MB/sec), ${(3 + (line % 97) / 10).toFixed(1)} ms avg latency, ${(40 + (line % 613)).toFixed(1)} ms max latency.\n`;
    line += 1;
    return text;
  });
  // The last interval is never printed: the count is a little more than the lines add up to.
  records += 11_000;
  writeSync(out, `${last}${stamp()}${finalLine(records, line + 0.5)}`);
  return records;
}

function writeText(out: number, sizeBytes: number): number {
  let line = 0;
  const rest = fill(out, sizeBytes, () => {
    line += 1;
    return textLine(line);
  });
  writeSync(out, rest);
  return 0;
}

/** Of ten lines five are failed sends, four are log lines, one is of a stack trace. */
function textLine(line: number): string {
  const partition = `main-${line % 6}`;
  if (line % 2 === 0)
    return `org.apache.kafka.common.errors.TimeoutException: Expiring ${line % 500} record(s) for ${partition}:${45_000 + (line % 999)} ms has passed since batch creation\n`;
  if (line % 10 === 5)
    return `\tat org.apache.kafka.clients.producer.internals.ProducerBatch.done(ProducerBatch.java:${line % 400})\n`;
  const time = `2026-11-30 16:${String(line % 60).padStart(2, '0')}:07,${String(line % 1000).padStart(3, '0')}`;
  return `[${time}] WARN [Producer clientId=perf-producer-client] Got error produce response with correlation id ${line} on topic-partition ${partition}, retrying (${line % 5} attempts left). Error: NOT_LEADER_OR_FOLLOWER (org.apache.kafka.clients.producer.internals.Sender)\n`;
}

/** Writes lines until there are so many bytes (all are ASCII); returns what is not written yet. */
function fill(out: number, sizeBytes: number, next: () => string): string {
  let written = 0;
  let chunk = '';
  while (written + chunk.length < sizeBytes) {
    chunk += next();
    if (chunk.length >= CHUNK_CHARS) {
      written += writeSync(out, chunk);
      chunk = '';
    }
  }
  return chunk;
}
