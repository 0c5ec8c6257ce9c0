import type { Decimals } from './decimals.ts';
import type { ProducerNumbers } from './producer-line.ts';
import type { Stamp } from './stamped.ts';

export interface IntervalBytes {
  /** Where the line behind `at` ends (after its newline) when it is a plain interval line; 0 otherwise. */
  read(bytes: Uint8Array, at: number): number;
  /** What the last successful `read` read. */
  last(): { readonly decimals: Decimals; readonly numbers: ProducerNumbers; readonly stamp: Stamp | null };
}

const ascii = (text: string): Uint8Array => new TextEncoder().encode(text);
const RECORDS = ascii(' records sent, ');
const RATE = ascii(' records/sec (');
const MB = ascii(' MB/sec), ');
const AVG = ascii(' ms avg latency, ');
const MS = ascii(' ms');
const MAX = ascii(' max latency.');
/** So many digits are exact in a double, so digits ÷ power of ten is the number that `Number(text)` gives. */
const MAX_DIGITS = 15;
const NEWLINE = 10;
const RETURN = 13;
const SPACE = 32;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;

/**
 * Reads the line that long logs are full of straight from its bytes, several times faster than the regular
 * expression of producer-line.ts, and gives up (0) on anything that is not exactly its common form: the regular
 * reader decides then. `stamped`: a capsule's two clocks stand before the line.
 */
export function intervalBytes(stamped: boolean): IntervalBytes {
  let bytes: Uint8Array = new Uint8Array(0);
  let at = 0;
  let sign = 0;
  const found = { records: 0, rate: 0, mib: 0, avg: 0, max: 0, wall: 0, up: 0 };

  const literal = (text: Uint8Array): boolean => {
    for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text[i]) return false;
    at += text.length;
    return true;
  };
  /** A whole number without leading zeros; -1 for anything else. */
  const whole = (): number => {
    const from = at;
    let value = 0;
    for (let digit = (bytes[at] ?? 0) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[at] ?? 0) - ZERO) {
      value = value * 10 + digit;
      at += 1;
    }
    const digits = at - from;
    return digits === 0 || digits > MAX_DIGITS || (digits > 1 && bytes[from] === ZERO) ? -1 : value;
  };
  /** Digits, the line's decimal sign, exactly so many digits; -1 for anything else. */
  const decimal = (places: number, scale: number, mark = sign): number => {
    const from = at;
    let value = 0;
    for (let digit = (bytes[at] ?? 0) - ZERO; digit >= 0 && digit <= 9; digit = (bytes[at] ?? 0) - ZERO) {
      value = value * 10 + digit;
      at += 1;
    }
    if (at === from || bytes[at] !== mark) return -1;
    at += 1;
    for (let place = 0; place < places; place += 1) {
      const digit = (bytes[at] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) return -1;
      value = value * 10 + digit;
      at += 1;
    }
    return at - from - 1 > MAX_DIGITS ? -1 : value / scale;
  };
  const stamp = (): boolean => {
    const from = at;
    // Sixteen digits of a wall clock in micros are still below 2^53.
    let micros = 0;
    for (; at < from + 17; at += 1) {
      const digit = (bytes[at] ?? 0) - ZERO;
      if (at === from + 10 ? digit !== POINT - ZERO : digit < 0 || digit > 9) return false;
      if (at !== from + 10) micros = micros * 10 + digit;
    }
    if (bytes[at] !== SPACE) return false;
    at += 1;
    found.wall = (micros / 1e6) * 1000;
    const uptime = decimal(2, 100, POINT);
    if (uptime < 0 || uptime >= 1e12 || bytes[at] !== SPACE) return false;
    at += 1;
    found.up = Math.round(uptime * 1000);
    return true;
  };
  const line = (): boolean => {
    if (stamped && !stamp()) return false;
    found.records = whole();
    // Zero records have no rate: the regular reader's matter.
    if (found.records <= 0 || !literal(RECORDS)) return false;
    sign = POINT;
    const from = at;
    found.rate = decimal(1, 10);
    if (found.rate < 0) {
      at = from;
      sign = COMMA;
      found.rate = decimal(1, 10);
    }
    if (found.rate < 0 || !literal(RATE)) return false;
    found.mib = decimal(2, 100);
    if (found.mib < 0 || !literal(MB)) return false;
    found.avg = decimal(1, 10);
    if (found.avg < 0 || !literal(AVG)) return false;
    found.max = decimal(1, 10);
    if (found.max < 0) return false;
    // Before 2.x there is no `ms` here.
    if (bytes[at + 1] === MS[1] && bytes[at + 2] === MS[2]) at += MS.length;
    if (!literal(MAX)) return false;
    if (bytes[at] === RETURN) at += 1;
    if (bytes[at] !== NEWLINE) return false;
    at += 1;
    return true;
  };

  return {
    read(chunk, from) {
      bytes = chunk;
      at = from;
      return line() ? at : 0;
    },
    last: () => ({
      decimals: sign === COMMA ? 'comma' : 'point',
      numbers: {
        records: found.records,
        recordsPerS: found.rate,
        mibPerS: found.mib,
        avgLatencyMs: found.avg,
        maxLatencyMs: found.max,
      },
      stamp: stamped ? { wallMs: found.wall, uptimeMs: found.up } : null,
    }),
  };
}
