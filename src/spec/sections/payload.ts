import { z } from 'zod';
import { payloadTooSmall } from '../payload-size.ts';
import { count, line, share, size, whole } from '../values.ts';

/** Each client host keeps the file, and the perf tool holds it in its heap. */
const MOST_BYTES = 1024 ** 3;

const tooMany = (payload: { lines: number; size: number }): string | null =>
  payload.size * payload.lines > MOST_BYTES ? 'lines × size is more than 1 GiB; use fewer lines.' : null;

const seed = whole(0, 2 ** 31 - 1)
  .default(1)
  .describe('the same seed gives the same bytes on every machine');
const lines = whole(1, 1_000_000).default(20_000).describe('different records; loads draw from them');

const json = z
  .strictObject({
    lines,
    size: size().prefault('1008B').describe('bytes of each record, exactly; a log line needs at least 96B'),
    padding: share(1).prefault('0%').describe('share of each record that is the letter x'),
    seed,
  })
  .superRefine((payload, context) => {
    const small = payloadTooSmall(payload.size, payload.padding);
    const at = payloadTooSmall(payload.size, 0) === null ? 'padding' : 'size';
    if (small !== null) context.addIssue({ code: 'custom', path: [at], message: small });
    const many = tooMany(payload);
    if (many !== null) context.addIssue({ code: 'custom', path: ['lines'], message: many });
  });

const random = z
  .strictObject({ size: size().prefault('1KiB').describe('bytes of each record, exactly'), lines, seed })
  .superRefine((payload, context) => {
    const many = tooMany(payload);
    if (many !== null) context.addIssue({ code: 'custom', path: ['lines'], message: many });
  });

/** The path that the user writes; the CLI keeps the file by its hash and puts the second form in its place. */
const file = z.union(
  [
    line(1_000),
    z.strictObject({
      name: line(200).describe('what `assay resolve` writes in place of a path: the name of the file,'),
      sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/, { error: 'Expected a SHA-256 as 64 hex digits.' })
        .describe('the hash it is kept by,'),
      bytes: count(1).describe('its bytes,'),
      lines: count(1).describe('and its lines'),
    }),
  ],
  { error: 'Expected the path of a file with one record a line.' },
);

/** What records hold; exactly one kind, log lines as JSON unless said otherwise. */
export const payload = z
  .strictObject({
    json: json.optional().describe('log lines as JSON; what is used when nothing else is said'),
    random: random.optional().describe('printable characters at random, which no codec makes much smaller'),
    file: file.optional().describe('path of a file of your own with one record a line; kept by its hash'),
  })
  .superRefine((given, context) => {
    const kinds = Object.entries(given).flatMap(([kind, value]) => (value === undefined ? [] : [kind]));
    if (kinds.length < 2) return;
    context.addIssue({
      code: 'custom',
      path: [kinds[1] ?? ''],
      message: `A payload is one of json, random and file; this one is ${kinds.join(' and ')}.`,
      params: { code: 'contradiction' },
    });
  })
  .transform((given) =>
    given.json === undefined && given.random === undefined && given.file === undefined
      ? { json: json.parse({}) }
      : given,
  );
