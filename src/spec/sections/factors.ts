import { z } from 'zod';
import { name, share } from '../values.ts';

const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: 'A level is text, a number or true/false.',
});
const settings = z.record(z.string(), z.unknown(), {
  error: 'A named level is a map of path: value; {} means as written.',
});
const section = z.record(z.string(), z.union([scalar, z.null()]), {
  error: 'A level that sets several things is a map of key: value.',
});
const levelValue = z.union([scalar, z.array(scalar), section], {
  error: 'A level is text, a number, true/false, a list of them, or a map of key: value.',
});
const levelChoice = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean()], {
    error: 'Expected one level of this factor. (A rule begins with vary, cross or zip, e.g. vary: [acks].)',
  }),
  { error: 'Expected a map of factor: level.' },
);
const levelChoices = z.record(z.string(), z.union([scalar, z.array(scalar).min(1)]), {
  error: 'Expected a map of factor: level, or factor: [levels].',
});

/** The most levels of one factor. */
const MOST_LEVELS = 32;

/** What to write where something else stands in place of a factor. */
function factorForm(input: unknown): string {
  const levels =
    Array.isArray(input) &&
    input.length > 0 &&
    input.length <= 8 &&
    !input.some((one) => typeof one === 'object')
      ? input.map(String).join(', ')
      : 'none, lz4';
  return `A factor says which setting varies; write { set: PATH, levels: [${levels}] }, with the path of a setting such as producers.p.config.compression.type.`;
}

export const factor = z
  .strictObject(
    {
      set: z
        .string({ error: 'Expected a path such as producers.*.config.acks.' })
        .optional()
        .describe('with levels as a list: the one path that they set'),
      levels: z
        .union([z.array(levelValue), z.record(name('level'), settings)], {
          error: 'Expected a list of values, or a map of named levels.',
        })
        .describe(
          'a list of values; or a map of named levels, each a map of path: value, which may couple settings ({} = as written, null takes a setting away). The first is the baseline',
        ),
      apply: z
        .enum(['restart', 'dynamic'], { error: 'Expected restart or dynamic.' })
        .optional()
        .describe(
          'of a broker setting (lab.brokers.…): restart (what is done when left out) or dynamic, altered in running brokers',
        ),
      when: levelChoices
        .optional()
        .describe(
          'the factor exists only where these factors, which stand before it, have one of these levels, e.g. { codec: zstd }',
        ),
      while: z
        .strictObject(
          {
            achieved: z
              .strictObject({ min: share(1).describe('share of the asked rate, e.g. 99.5%') })
              .describe('steady rate ÷ asked rate'),
          },
          {
            error: 'Expected { achieved: { min: 99.5% } }.',
          },
        )
        .optional()
        .describe('a series: after block 0, levels beyond the first that falls short are left out'),
    },
    { error: ({ input }) => factorForm(input) },
  )
  .superRefine((f, context) => {
    const list = Array.isArray(f.levels);
    const say = (path: string[], message: string, code = 'wrong-value'): void => {
      context.addIssue({ code: 'custom', path, message, params: { code } });
    };
    if (list && f.set === undefined)
      say([], 'A list of levels needs the path that they set, e.g. set: producers.*.config.acks.', 'missing');
    if (!list && f.set !== undefined)
      say(
        ['set'],
        'Named levels carry their own paths; leave set out, or make levels a list of values.',
        'contradiction',
      );
    const levels = Object.keys(f.levels).length;
    if (levels < 2) say(['levels'], 'A factor needs at least two levels.');
    if (levels > MOST_LEVELS) say(['levels'], `At most ${MOST_LEVELS} levels are supported.`);
  });

const factorNames = z
  .array(z.string(), { error: 'Expected a list of factor names.' })
  .min(1, { error: 'An empty list: name at least one factor.' });
const except = z
  .array(levelChoice, { error: 'Expected a list of maps factor: level.' })
  .default([])
  .describe('combinations to leave out, e.g. [{ acks: 1, parts: p12 }]');

/** One line of scenarios: a rule that makes several, or one combination written out. */
export const scenario = z.union(
  [
    z.strictObject({
      vary: factorNames.describe(
        'the baseline, and each other level of these factors with the rest at baseline',
      ),
      except,
    }),
    z.strictObject({ cross: factorNames.describe('all combinations of these factors'), except }),
    z.strictObject({
      zip: factorNames.describe('their first levels together, their second levels together, and so on'),
      except,
    }),
    levelChoice,
  ],
  { error: 'Expected a rule such as vary: [acks], or the levels of one scenario such as acks: 1.' },
);

const reference = z.string({ error: 'Expected the name of a scenario; a number needs quotes, e.g. "1".' });

export const contrast = z.tuple([reference, reference], {
  error: 'A contrast is a pair of scenarios, e.g. [acks=1, baseline].',
});
