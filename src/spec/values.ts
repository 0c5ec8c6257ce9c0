import { z } from 'zod';
import { nativeValue, type PropertyKind } from './kafka-properties.ts';
import { refusal } from './refused-properties.ts';
import type { Written } from './written.ts';
import { type Read, readByteRate, readCount, readDuration, readRate, readShare, readSize } from './units.ts';

/** A zod type that reads a text with a unit, as src/spec/units.ts says. */
function unit<T>(read: (text: string | number) => Read<T>, wanted: string, written: Written, least?: number) {
  return z
    .union([z.string(), z.number()], { error: `Expected ${wanted}.` })
    .meta({ writtenAs: written })
    .transform((text, context): T => {
      const result = read(text);
      if (result.ok && (least === undefined || typeof result.value !== 'number' || result.value >= least))
        return result.value;
      const message = result.ok
        ? `${JSON.stringify(text)} is too small; it must be at least ${least} (in the smallest unit).`
        : result.message;
      context.addIssue({
        code: 'custom',
        message,
        params: { code: result.ok ? 'wrong-value' : 'wrong-unit' },
      });
      return z.NEVER;
    });
}

/** Text like `30s` → milliseconds. */
export const duration = (leastMs = 0) =>
  unit(readDuration, 'a time such as 30s, 500ms or 8h', 'time', leastMs);
/** Text like `64KiB` → bytes. */
export const size = (leastBytes = 1) =>
  unit(readSize, 'a size such as 1008B, 64KiB or 1GiB', 'size', leastBytes);
/** `10M` or a number → a count. */
export const count = (least = 1) => unit(readCount, 'a count such as 500000, 20k or 10M', 'count', least);
/** `max`, `20k/s` or `50MiB/s`. */
export const rate = () => unit(readRate, 'a rate: max, 20k/s or 50MiB/s', 'rate');
/** `1MiB/s` → bytes per second. */
export const byteRate = () => unit(readByteRate, 'bytes per second, such as 1MiB/s', 'byteRate');
/** `5%` → 0.05; above `most` (10 = 1,000 %) it is refused. */
export const share = (most = 10) =>
  unit(readShare, 'a share such as 5%', 'share').refine((value) => value <= most, {
    error: `Expected at most ${most * 100}%.`,
  });

/** A whole number, written bare. */
export const whole = (least: number, most: number) =>
  z
    .number({ error: `Expected a whole number from ${least} to ${most}.` })
    .refine((n) => Number.isSafeInteger(n) && n >= least && n <= most, {
      error: `Expected a whole number from ${least} to ${most}.`,
    })
    .meta({ type: 'integer', minimum: least, maximum: most });

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
