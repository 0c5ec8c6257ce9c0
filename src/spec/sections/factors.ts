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
const levelChoice = z.record(z.string(), scalar, { error: 'Expected a map of factor: level.' });
const levelChoices = z.record(z.string(), z.union([scalar, z.array(scalar).min(1)]), {
  error: 'Expected a map of factor: level, or factor: [levels].',
});

/** The most levels of one factor. */
const MOST_LEVELS = 32;

export const factor = z
  .strictObject({
    set: z.string({ error: 'Expected a path such as producers.*.config.acks.' }).optional(),
    levels: z.union([z.array(levelValue), z.record(name('level'), settings)], {
      error: 'Expected a list of values, or a map of named levels.',
    }),
    /** How a broker setting is applied; absent = restart. */
    apply: z.enum(['restart', 'dynamic'], { error: 'Expected restart or dynamic.' }).optional(),
    /** The factor exists only where the named factors, which stand before it, have one of these levels. */
    when: levelChoices.optional(),
    /** A series: after block 0, levels beyond the first that does not achieve its asked rate are left out. */
    while: z
      .strictObject(
        { achieved: z.strictObject({ min: share(1) }) },
        {
          error: 'Expected { achieved: { min: 99.5% } }.',
        },
      )
      .optional(),
  })
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
const except = z.array(levelChoice, { error: 'Expected a list of maps factor: level.' }).default([]);

/** One line of scenarios: a rule that makes several, or one combination written out. */
export const scenario = z.union([
  z.strictObject({ vary: factorNames, except }),
  z.strictObject({ cross: factorNames, except }),
  z.strictObject({ zip: factorNames, except }),
  levelChoice,
]);

export const contrast = z.tuple([z.string(), z.string()], {
  error: 'A contrast is a pair of scenarios, e.g. [acks=1, baseline].',
});
