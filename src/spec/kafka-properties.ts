import { closest } from './did-you-mean.ts';
import {
  BROKER_PROPERTIES,
  CONSUMER_PROPERTIES,
  DYNAMIC_BROKER_PROPERTIES,
  PRODUCER_PROPERTIES,
  TOPIC_PROPERTIES,
} from './kafka-properties.generated.ts';
import { propertyUnit, type Read, readDuration, readSize } from './units.ts';

/** Whose properties a `config` holds. */
export type PropertyKind = 'producer' | 'consumer' | 'topic' | 'broker';

const TABLES: Readonly<Record<PropertyKind, Readonly<Record<string, string>>>> = {
  producer: PRODUCER_PROPERTIES,
  consumer: CONSUMER_PROPERTIES,
  topic: TOPIC_PROPERTIES,
  broker: BROKER_PROPERTIES,
};

/** The names Kafka declares for this kind. */
export function propertyNames(kind: PropertyKind): readonly string[] {
  return Object.keys(TABLES[kind]);
}

/** Kafka's declaration of a property, e.g. `int [0,...]`; undefined when it has none of that name. */
export function declaration(kind: PropertyKind, name: string): string | undefined {
  return Object.hasOwn(TABLES[kind], name) ? TABLES[kind][name] : undefined;
}

/** Whether a running broker takes a new value of this property. */
export function isDynamic(name: string): boolean {
  return Object.hasOwn(DYNAMIC_BROKER_PROPERTIES, name);
}

/** What to say about a name that Kafka does not know: a near name, or the kind that does know it. */
export function unknownProperty(kind: PropertyKind, name: string): string {
  const start = `Kafka has no ${kind} property "${name}" and would ignore it silently.`;
  const other = (Object.keys(TABLES) as PropertyKind[]).find((k) => declaration(k, name) !== undefined);
  const near = closest(name, propertyNames(kind));
  if (near !== null) return `${start} Did you mean "${near}"?`;
  if (other !== undefined) return `${start} It is a ${other} property.`;
  return `${start} If a plugin reads it, add it to allowUnknown.`;
}

const INTEGER_BITS: Readonly<Record<string, bigint>> = { short: 15n, int: 31n, long: 63n };

/**
 * A value as Kafka wants it: text, with units converted where the name allows them (.ms, .bytes, .size)
 * and `acks: -1` written as `all`; checked against Kafka's own declaration. Unknown names pass as they are.
 */
export function nativeValue(
  kind: PropertyKind,
  name: string,
  value: string | number | boolean,
): Read<string> {
  const type = declaration(kind, name)?.split(' ')[0];
  const text = withoutUnit(name, value, type !== undefined);
  if (!text.ok || type === undefined) return text;
  const written = text.value;
  if (name === 'acks' && written === '-1') return { ok: true, value: 'all' };
  if (type in INTEGER_BITS) return integer(kind, name, written, type);
  if (type === 'double' && !/^-?\d+(\.\d+)?([eE]-?\d+)?$/.test(written))
    return wrong(name, written, 'a number');
  if (type === 'boolean' && written !== 'true' && written !== 'false')
    return wrong(name, written, 'true or false');
  const words = allowedWords(kind, name);
  const parts = type === 'list' ? written.split(',').map((s) => s.trim()) : [written];
  const odd = words === null ? undefined : parts.find((part) => !words.includes(part));
  if (odd === undefined) return text;
  const said = wrong(name, odd, `one of ${words?.join(', ')}`);
  return said.ok ? said : { ok: false, message: `${said.message}${brokersCodec(kind, name, odd)}` };
}

function withoutUnit(name: string, value: string | number | boolean, known: boolean): Read<string> {
  if (
    typeof value === 'number' &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  ) {
    return { ok: false, message: `${value} is too large to be kept exactly; write it in quotes.` };
  }
  if (typeof value !== 'string' || !/^\d[\d_.]*\s*[A-Za-z]+$/.test(value))
    return { ok: true, value: String(value) };
  const unit = propertyUnit(name);
  const read = unit === 'time' ? readDuration(value) : readSize(value);
  if (unit !== null) return read.ok ? { ok: true, value: String(read.value) } : read;
  // A unit on a name that says none: whatever is converted silently would be a guess.
  return known && read.ok
    ? {
        ok: false,
        message: `Units are converted only in properties that end in .ms, .bytes or .size; write "${read.value}".`,
      }
    : { ok: true, value };
}

/** A codec of a topic is another thing than the one of a producer, in other words. */
function brokersCodec(kind: PropertyKind, name: string, word: string): string {
  if (name !== 'compression.type' || word !== 'none' || (kind !== 'topic' && kind !== 'broker')) return '';
  return ' The codec that a producer sends with is another setting: producers.*.config.compression.type: none.';
}

function integer(kind: PropertyKind, name: string, text: string, type: string): Read<string> {
  if (!/^-?\d{1,19}$/.test(text)) return wrong(name, text, 'a whole number');
  const value = BigInt(text);
  const limit = 2n ** (INTEGER_BITS[type] ?? 31n);
  if (value >= limit || value < -limit) return wrong(name, text, `a number below ${limit}`);
  const range = /\[(-?\d+),\.\.\.(?:,(-?\d+))?\]/.exec(declaration(kind, name) ?? '');
  if (range?.[1] !== undefined && value < BigInt(range[1])) return wrong(name, text, `at least ${range[1]}`);
  if (range?.[2] !== undefined && value > BigInt(range[2])) return wrong(name, text, `at most ${range[2]}`);
  return { ok: true, value: value.toString() };
}

function allowedWords(kind: PropertyKind, name: string): readonly string[] | null {
  const match = /^(?:string|list) \[([^\]]+)\]$/.exec(declaration(kind, name) ?? '');
  return match?.[1] === undefined ? null : match[1].split(', ');
}

function wrong(name: string, text: string, wanted: string): Read<string> {
  return { ok: false, message: `${name} must be ${wanted}, not "${text.slice(0, 60)}".` };
}
