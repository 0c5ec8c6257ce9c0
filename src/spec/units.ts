/** A value read from its text, or what is wrong with it and what to write instead. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

const TIMES: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const SIZES: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };
/** Decimal and Java spellings that people write for sizes; each has one right form. */
const WRONG_SIZES: Readonly<Record<string, string>> = {
  k: 'KiB',
  kb: 'KiB',
  kib: 'KiB',
  m: 'MiB',
  mb: 'MiB',
  mib: 'MiB',
  g: 'GiB',
  gb: 'GiB',
  gib: 'GiB',
  b: 'B',
  byte: 'B',
  bytes: 'B',
};
const WRONG_TIMES: Readonly<Record<string, string>> = {
  sec: 's',
  secs: 's',
  second: 's',
  seconds: 's',
  min: 'm',
  mins: 'm',
  minute: 'm',
  minutes: 'm',
  hr: 'h',
  hour: 'h',
  hours: 'h',
  msec: 'ms',
  millis: 'ms',
};
const NUMBER_UNIT = /^(\d[\d_]*(?:\.\d+)?)\s*([A-Za-z]*)$/;

function bad<T>(message: string): Read<T> {
  return { ok: false, message };
}

function numberAndUnit(text: string): { number: number; digits: string; unit: string } | null {
  const match = NUMBER_UNIT.exec(text.trim());
  if (!match) return null;
  const digits = match[1] ?? '';
  return { number: Number(digits.replaceAll('_', '')), digits, unit: match[2] ?? '' };
}

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `"${text.length > 40 ? `${text.slice(0, 40)}…` : text}"`;
}

/** `5,000`: in some countries that is five. */
function commas(text: string | number): Read<never> | null {
  const written = String(text).trim();
  if (!/^\d{1,3}(,\d{3})+(?!\d)/.test(written)) return null;
  return bad(
    `${show(text)} has commas between its digits; "${written.replaceAll(/(?<=\d),(?=\d{3})/g, '')}"?`,
  );
}

function whole<T extends number>(value: number, what: string): Read<T> {
  if (!Number.isSafeInteger(value))
    return bad(`${what} does not come to a whole number that fits; write it in a smaller or larger unit.`);
  return { ok: true, value: value as T };
}

/** `30s`, `500ms`, `2m`, `8h` → milliseconds. A bare number is refused: it does not say what it counts. */
export function readDuration(text: string | number): Read<number> {
  const parts = numberAndUnit(String(text));
  if (!parts) return commas(text) ?? bad(`${show(text)} is not a time; write e.g. 30s, 500ms, 2m or 8h.`);
  const factor = Object.hasOwn(TIMES, parts.unit) ? TIMES[parts.unit] : undefined;
  if (factor !== undefined) return whole(Math.round(parts.number * factor), show(text));
  if (parts.unit === '') return bad(`A time needs a unit: "${parts.digits}s" or "${parts.digits}ms"?`);
  const meant =
    WRONG_TIMES[parts.unit.toLowerCase()] ??
    (Object.hasOwn(TIMES, parts.unit.toLowerCase()) ? parts.unit.toLowerCase() : undefined);
  return bad(
    `${show(text)} has an unknown unit of time; ${meant ? `"${parts.digits}${meant}"?` : 'units are ms, s, m and h.'}`,
  );
}

/** `64KiB`, `1GiB`, `1008B` → bytes. Decimal units are refused because they are read both ways. */
export function readSize(text: string | number): Read<number> {
  const parts = numberAndUnit(String(text));
  if (!parts)
    return commas(text) ?? bad(`${show(text)} is not a size; write e.g. 1008B, 64KiB, 32MiB or 1GiB.`);
  const factor = Object.hasOwn(SIZES, parts.unit) ? SIZES[parts.unit] : undefined;
  if (factor !== undefined) return whole(parts.number * factor, show(text));
  if (parts.unit === '') return bad(`A size needs a unit: "${parts.digits}B" or "${parts.digits}KiB"?`);
  const meant = WRONG_SIZES[parts.unit.toLowerCase()];
  return bad(
    `${show(text)} has an unknown unit of size; ${meant ? `"${parts.digits}${meant}"?` : 'units are B, KiB, MiB and GiB.'}`,
  );
}

/** `10M`, `20k`, `1_000_000` or a bare number → a whole count. `k` and `M` are decimal. */
export function readCount(text: string | number): Read<number> {
  if (typeof text === 'number') {
    return Number.isSafeInteger(text) && text >= 0
      ? { ok: true, value: text }
      : bad(`${text} is not a whole count.`);
  }
  const parts = numberAndUnit(text);
  const factor = parts === null ? undefined : { '': 1, k: 1e3, M: 1e6 }[parts.unit];
  if (!parts || factor === undefined) {
    const meant = parts && { K: 'k', m: 'M' }[parts.unit];
    return (
      commas(text) ??
      bad(
        `${show(text)} is not a count; ${meant ? `"${parts.digits}${meant}"?` : 'write e.g. 500000, 1_000_000, 20k or 10M.'}`,
      )
    );
  }
  // Rounded because 1.1 × 10⁶ is not exact in binary.
  const value = Math.round(parts.number * factor);
  return Math.abs(value - parts.number * factor) < 1e-3
    ? whole(value, show(text))
    : bad(`${show(text)} is not a whole count.`);
}

/** How fast a load may go: as fast as it can, records per second, or bytes of payload per second. */
export type Rate =
  | { readonly kind: 'max' }
  | { readonly kind: 'records'; readonly recordsPerS: number }
  | { readonly kind: 'bytes'; readonly bytesPerS: number };

/** `max`, `20k/s` (records) or `50MiB/s` (payload bytes). */
export function readRate(text: string | number): Read<Rate> {
  if (text === 'max') return { ok: true, value: { kind: 'max' } };
  const match = /^(.*?)\s*\/\s*s$/.exec(String(text).trim());
  if (!match) return notRate(text);
  const amount = match[1] ?? '';
  const size = readSize(amount);
  if (size.ok)
    return size.value > 0
      ? { ok: true, value: { kind: 'bytes', bytesPerS: size.value } }
      : bad('A rate must be above 0.');
  const count = readCount(amount);
  if (count.ok)
    return count.value > 0
      ? { ok: true, value: { kind: 'records', recordsPerS: count.value } }
      : bad('A rate must be above 0.');
  const unit = numberAndUnit(amount)?.unit ?? '';
  return /b$/i.test(unit) ? bad(size.message.replace(/"\?$/, '/s"?')) : notRate(text);
}

function above0(read: Read<number>): boolean {
  return read.ok && read.value > 0;
}

const RATE_WORDS = /\s*(?:records?|msgs?|messages?|rec|events?)?\s*(?:\/\s*(?:s|secs?|seconds?)|ps)?$/i;

/** What most likely was meant, where a number with another unit (or none) comes to a rate. */
function notRate(text: string | number): Read<never> {
  const written = String(text).trim();
  const amount = written.replace(RATE_WORDS, '');
  const plain = commas(amount) === null ? amount : amount.replaceAll(',', '');
  const why = plain === amount ? 'is not a rate' : 'has commas between its digits';
  if (above0(readCount(plain)) || above0(readSize(plain))) return bad(`${show(text)} ${why}; "${plain}/s"?`);
  return bad(`${show(text)} is not a rate; write max, 20k/s (records) or 50MiB/s.`);
}

/** `50MiB/s` → bytes per second; records are refused. */
export function readByteRate(text: string | number): Read<number> {
  const rate = readRate(text);
  if (!rate.ok) return rate;
  return rate.value.kind === 'bytes'
    ? { ok: true, value: rate.value.bytesPerS }
    : bad(`${show(text)} must be bytes per second, e.g. 1MiB/s.`);
}

/** `5%` → 0.05. A bare number is refused: 5 and 0.05 are both read as five per cent by somebody. */
export function readShare(text: string | number): Read<number> {
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(String(text).trim());
  if (!match) return bad(`${show(text)} is not a share; write it in per cent, e.g. ${shareMeant(text)}.`);
  return { ok: true, value: Number(match[1]) / 100 };
}

/** `0.05` was most likely meant as 5 %, and `5` too. */
function shareMeant(text: string | number): string {
  if (!/^\d+(\.\d+)?$/.test(String(text))) return '5%';
  const value = Number(text);
  return value > 0 && value < 1 ? `"${writtenShare(value)}"` : `"${text}%"`;
}

/** 90000 → `90s`: milliseconds as a spec writes them, in the largest unit that comes out whole. */
export function writtenTime(ms: number): string {
  return inUnits(ms, TIMES);
}

/** 65536 → `64KiB`. */
export function writtenSize(bytes: number): string {
  return inUnits(bytes, SIZES);
}

/** 0.05 → `5%`. */
export function writtenShare(value: number): string {
  return `${Number((value * 100).toPrecision(10))}%`;
}

function inUnits(value: number, units: Readonly<Record<string, number>>): string {
  const fits = Object.entries(units).filter(([, size]) => value >= size && value % size === 0);
  const [name, size] = fits.at(-1) ?? Object.entries(units)[0] ?? ['', 1];
  return `${value / size}${name}`;
}

/** A bound of an expectation with what it measures. */
export interface Bound {
  readonly kind: 'records/s' | 'bytes/s' | 'ms' | 'share' | 'ratio';
  readonly value: number;
}

/** `60MiB/s`, `20k/s`, `50ms`, `99.5%`, or a bare number, which is a ratio. */
export function readBound(text: string | number): Read<Bound> {
  const written = String(text).trim();
  const of = (kind: Bound['kind'], read: Read<number>): Read<Bound> =>
    read.ok ? { ok: true, value: { kind, value: read.value } } : read;
  if (/^\d+(\.\d+)?$/.test(written)) return of('ratio', { ok: true, value: Number(written) });
  if (written.endsWith('%')) return of('share', readShare(written));
  if (!/\/\s*s$/.test(written)) return of('ms', readDuration(written));
  const rate = readRate(written);
  if (!rate.ok) return rate;
  if (rate.value.kind === 'max') return bad('A bound is a number, e.g. 60MiB/s.');
  return rate.value.kind === 'records'
    ? of('records/s', { ok: true, value: rate.value.recordsPerS })
    : of('bytes/s', { ok: true, value: rate.value.bytesPerS });
}

/** The unit whose conversion a Kafka property name allows: only names ending in .ms, .bytes and .size (spec-language). */
export function propertyUnit(name: string): 'time' | 'size' | null {
  if (name.endsWith('.ms')) return 'time';
  return name.endsWith('.bytes') || name.endsWith('.size') ? 'size' : null;
}
