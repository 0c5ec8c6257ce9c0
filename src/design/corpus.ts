import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { paddingBytes, payloadTooSmall } from '../spec/payload-size.ts';
import type { JsonPayload, RandomPayload } from './plan.ts';
import { type Draws, draws, shuffled } from './random.ts';
import { HOSTS, LEVELS, METHODS, PATHS, SERVICES, WORDS } from './corpus-words.ts';

/**
 * The file of records that a load reads: lines of exactly `recordBytes` each, separated by newlines, with none after
 * the last. ASCII, drawn from the seed; the same bytes on every machine.
 *
 * Throws when a record has no room for a log line; the spec check says so long before.
 */
export function corpus(payload: JsonPayload | RandomPayload): Uint8Array {
  const lines = payload.kind === 'json' ? logLines(payload) : randomLines(payload);
  const variant = payload.variant ?? 0;
  const ordered =
    variant === 0 ? lines : shuffled(lines, draws(String(payload.seed), `corpus variant ${variant}`));
  return utf8ToBytes(ordered.join('\n'));
}

function logLines(payload: JsonPayload): readonly string[] {
  const problem = payloadTooSmall(payload.recordBytes, payload.padding);
  if (problem !== null) throw new RangeError(problem);
  const from = draws(String(payload.seed), 'corpus');
  return Array.from({ length: payload.lines }, (_, i) => logLine(payload, i, from));
}

const PRINTABLE = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));

/** Printable ASCII, each character as likely as any other: 6.57 bits a byte. */
function randomLines(payload: RandomPayload): readonly string[] {
  const from = draws(String(payload.seed), 'random corpus');
  return Array.from({ length: payload.lines }, () =>
    Array.from({ length: payload.recordBytes }, () => pick(PRINTABLE, from)).join(''),
  );
}

/** What identifies the bytes of a corpus: SHA-256 as 64 hex digits. */
export function corpusSha256(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** One line: the fields that always stand, as many others as fit, then a message that fills up to the byte. */
function logLine(payload: JsonPayload, index: number, from: Draws): string {
  const pad = paddingBytes(payload.recordBytes, payload.padding);
  const tail = pad === 0 ? '"}' : `","pad":"${'x'.repeat(pad)}"}`;
  let head = `{"ts":"${timestamp(index, from)}","level":"${pick(LEVELS, from)}","service":"${pick(SERVICES, from)}"`;
  const message = ',"msg":"';
  for (const field of optionalFields(from)) {
    // Room for a message of some words stays, so that no line is made of identifiers only.
    if (head.length + field.length + message.length + tail.length + 16 <= payload.recordBytes) head += field;
  }
  return `${head}${message}${sentence(payload.recordBytes - head.length - message.length - tail.length, from)}${tail}`;
}

/** All are drawn for every line, whether they fit or not, so that a size changes how much is said and not what. */
function optionalFields(from: Draws): readonly string[] {
  return [
    `,"host":"${pick(HOSTS, from)}"`,
    `,"trace":"${hex(32, from)}"`,
    `,"status":${pick([200, 200, 200, 201, 204, 304, 400, 404, 409, 500, 503], from)}`,
    `,"method":"${pick(METHODS, from)}","path":"${pick(PATHS, from)}/${from.int(1, 999_999)}"`,
    `,"durationMs":${from.int(0, 40) * from.int(1, 60)}`,
    `,"span":"${hex(16, from)}"`,
    `,"user":${from.int(1_000, 9_999_999)}`,
    `,"ip":"10.${from.int(0, 255)}.${from.int(0, 255)}.${from.int(1, 254)}"`,
    `,"bytes":${from.int(120, 90_000)}`,
    `,"thread":"worker-${from.int(1, 32)}"`,
  ];
}

/** Words and numbers up to an exact length; the last word is cut where it must be. */
function sentence(length: number, from: Draws): string {
  let text = '';
  while (text.length < length) {
    const kind = from.int(0, 11);
    const word = kind === 0 ? String(from.int(0, 99_999)) : kind === 1 ? hex(8, from) : pick(WORDS, from);
    text += text === '' ? word : ` ${word}`;
  }
  return text.slice(0, length);
}

/** Log lines of one day, about 40 ms apart. */
function timestamp(index: number, from: Draws): string {
  const ms = (index * 40 + from.int(0, 39)) % 86_400_000;
  const two = (n: number) => String(n).padStart(2, '0');
  return `2026-01-15T${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}Z`;
}

function hex(length: number, from: Draws): string {
  let text = '';
  while (text.length < length) text += from.int(0, 0xff_ff_ff).toString(16).padStart(6, '0');
  return text.slice(0, length);
}

function pick<T>(items: readonly T[], from: Draws): T {
  return items[from.int(0, items.length - 1)] as T;
}
