import { z } from 'zod';
import { nativeValue, type PropertyKind } from './kafka-properties.ts';
import { refusal } from './refused-properties.ts';
import type { Written } from './written.ts';
import {
  type Read,
  readByteRate,
  readCount,
  readDuration,
  readRate,
  readShare,
  readSize,
  writtenShare,
  writtenSize,
  writtenTime,
} from './units.ts';

/** What is allowed of a value, in the smallest unit, both ends included. */
interface Bounds {
  readonly least?: number;
  readonly most?: number;
  /** How a bound is written in a spec. */
  readonly show?: (value: number) => string;
}

/** A zod type that reads a text with a unit, as src/spec/units.ts says. */
function unit<T>(
  read: (text: string | number) => Read<T>,
  wanted: string,
  written: Written,
  bounds: Bounds = {},
) {
  return z
    .union([z.string(), z.number()], { error: `Expected ${wanted}.` })
    .meta({ writtenAs: written })
    .transform((text, context): T => {
      const result = read(text);
      const outside = result.ok && typeof result.value === 'number' ? beyond(result.value, bounds) : null;
      if (result.ok && outside === null) return result.value;
      const message = result.ok ? `${JSON.stringify(text)} is ${outside}.` : result.message;
      context.addIssue({
        code: 'custom',
        message,
        params: { code: result.ok ? 'wrong-value' : 'wrong-unit' },
      });
      return z.NEVER;
    });
}

/** `too small; at least 256MiB`, or null. */
function beyond(value: number, { least, most, show = String }: Bounds): string | null {
  if (least !== undefined && value < least) return `too small; it must be at least ${show(least)}`;
  if (most !== undefined && value > most) return `too large; it may be at most ${show(most)}`;
  return null;
}

/** A Temporal server keeps no timer for longer, and no lab stands so long. */
const LONGEST_MS = 720 * 3_600_000;
/** 64 TiB. */
const LARGEST_BYTES = 64 * 1024 ** 4;

/** Text like `30s` → milliseconds. */
export const duration = (leastMs = 0, mostMs = LONGEST_MS) =>
  unit(readDuration, 'a time such as 30s, 500ms or 8h', 'time', {
    least: leastMs,
    most: mostMs,
    show: writtenTime,
  });
/** Text like `64KiB` → bytes. */
export const size = (leastBytes = 1) =>
  unit(readSize, 'a size such as 1008B, 64KiB or 1GiB', 'size', {
    least: leastBytes,
    most: LARGEST_BYTES,
    show: writtenSize,
  });
/** `10M` or a number → a count. */
export const count = (least = 1) => unit(readCount, 'a count such as 500000, 20k or 10M', 'count', { least });
/** `max`, `20k/s` or `50MiB/s`. */
export const rate = () => unit(readRate, 'a rate: max, 20k/s or 50MiB/s', 'rate');
/** `1MiB/s` → bytes per second. */
export const byteRate = () => unit(readByteRate, 'bytes per second, such as 1MiB/s', 'byteRate');
/** `5%` → 0.05, from `least` to `most` (1 = 100 %). */
export const share = (most: number, least = 0) =>
  unit(readShare, 'a share such as 5%', 'share', { least, most, show: writtenShare });

/** A whole number, written bare. */
export const whole = (least: number, most: number) =>
  z
    .number({ error: ({ input }) => `Expected a whole number from ${least} to ${most}${asText(input)}.` })
    .refine((n) => Number.isSafeInteger(n) && n >= least && n <= most, {
      error: `Expected a whole number from ${least} to ${most}.`,
      // One mistake is said once: what the section as a whole would say of it only follows.
      abort: true,
    })
    .meta({ type: 'integer', minimum: least, maximum: most });

/** `6` in quotes, or `1_000`, is no number in YAML 1.2. */
function asText(input: unknown): string {
  return typeof input === 'string' && /^\s*[\d_,]+\s*$/.test(input)
    ? `; write ${input.replaceAll(/[_,\s]/g, '')} without quotes, commas or underscores`
    : '';
}

/** A key of topics, producers, factors or named levels: becomes part of folder and topic names. */
export const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

/** A key of a map of named things. */
export const name = (what: string) =>
  z.string().regex(NAME, {
    error: `A ${what} name starts with a letter and has at most 40 letters, digits, dashes and underscores.`,
  });

/** A map of named things: at most `most`. */
export function named<T extends z.ZodType>(what: string, value: T, most: number) {
  return z
    .record(name(what), value, { error: `Expected a map of ${what} names.` })
    .refine((map) => Object.keys(map).length <= most, { error: `At most ${most} ${what}s are supported.` });
}

/** A map of named things with at least one of them. */
export function namedSome<T extends z.ZodType>(what: string, value: T, most: number) {
  return named(what, value, most).refine((map) => Object.keys(map).length > 0, {
    error: `At least one ${what} is needed.`,
  });
}

/** One line of text for people. */
export const line = (most: number) =>
  z
    .string({ error: 'Expected text.' })
    .trim()
    .min(1, { error: 'This text is empty.' })
    .max(most, { error: `This text is longer than ${most} characters.` })
    // Terminal and HTML both show it: no control characters, and one line is one line.
    .refine((text) => !/\p{Cc}/u.test(text), {
      error: 'This text has a line break or control character; write it on one line.',
    });

/** Kafka properties of one kind: names and values as text, units converted; unsafe ones refused. */
export function kafkaConfig(kind: PropertyKind) {
  const scalar = z.union([z.string(), z.number(), z.boolean()], {
    error: 'A property value is text, a number or true/false.',
  });
  return z
    .record(z.string(), scalar, { error: 'Expected a map of Kafka properties.' })
    .meta({ propertiesOf: kind })
    .transform((written, context) => {
      const native: Record<string, string> = {};
      // Sorted: the order of properties means nothing, and equal settings must look equal.
      for (const [property, value] of Object.entries(written).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const refused = refusal(kind, property, String(value));
        const read = refused === null ? nativeValue(kind, property, value) : null;
        if (read?.ok) native[property] = read.value;
        else {
          const message = refused ?? (read?.ok === false ? read.message : '');
          context.addIssue({
            code: 'custom',
            path: [property],
            message,
            params: { code: refused === null ? 'wrong-value' : 'refused' },
          });
        }
      }
      return native;
    });
}
