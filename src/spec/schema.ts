import { z } from 'zod';
import { design, settle, store, teardown, window } from './sections/design.ts';
import { contrast, factor, scenario } from './sections/factors.ts';
import { lab } from './sections/lab.ts';
import { consumer, producer, topic } from './sections/loads.ts';
import { payload } from './sections/payload.ts';
import { expectation, metric, schedule, search } from './sections/questions.ts';
import { line, named, namedSome, share } from './values.ts';

export { METRICS, type Metric } from './sections/questions.ts';

const listOf = <T extends z.ZodType>(what: string, item: T, empty: string) =>
  z.array(item, { error: `Expected a list of ${what}.` }).min(1, { error: `An empty list; ${empty}` });

/**
 * The whole language of specs, declared once: validation, defaults, types, the JSON schema and the reference
 * page come from here. In the output times are milliseconds, sizes bytes, shares fractions of 1, and Kafka
 * properties native text. Parse with `parseSpec` of check.ts, which adds what no single section can know.
 */
export const specSchema = z.strictObject({
  assay: z.literal(1, { error: 'Expected 1, the version of the language.' }).default(1),
  name: line(64),
  question: line(500),
  /** Resolved by whoever reads the file; nothing is left of it in the JSON that a workflow gets. */
  extends: z
    .array(line(1_000), { error: 'Expected a list of files, e.g. [./fragments/lab.yaml].' })
    .max(0, {
      error: 'extends is resolved when a spec is read from a file; submit what `assay resolve` prints.',
    })
    .optional(),
  lab: lab.prefault({}),
  payload: payload.prefault({}),
  topics: namedSome('topic', topic, 16).prefault({ main: {} }),
  producers: named('producer', producer, 16).prefault({}),
  consumers: named('consumer', consumer, 16).prefault({}),
  factors: named('factor', factor, 8).prefault({}),
  scenarios: listOf('scenarios', scenario, 'leave scenarios out to vary every factor alone.').optional(),
  contrasts: listOf(
    'pairs',
    contrast,
    'leave contrasts out to compare each scenario with the baseline.',
  ).optional(),
  metric,
  smallestEffectOfInterest: share(1).prefault('5%'),
  search: search.optional(),
  schedule: schedule.optional(),
  expect: listOf('expectations', expectation, 'leave expect out to expect nothing.').optional(),
  allowUnknown: z
    .array(z.string().regex(/^[A-Za-z0-9_.-]{1,200}$/, { error: 'Expected the name of a property.' }), {
      error: 'Expected a list of property names.',
    })
    .default([]),
  design: design.prefault({}),
  window: window.prefault({}),
  settle: settle.prefault({}),
  store: store.prefault({}),
  teardown,
  /** Runs in minutes at a tiny scale to see whether everything works; not a measurement. */
  smoke: z.boolean({ error: 'Expected true or false.' }).default(false),
  /** Scenarios that are run, of those that the spec makes; what `--only` writes. */
  only: listOf('scenarios', z.string(), 'leave only out to run every scenario.').optional(),
  /** What the command line changed, in words; kept with the results. */
  overrides: z.array(line(500), { error: 'Expected a list of texts.' }).max(100).default([]),
});

/** A spec with every default filled in: times in ms, sizes in bytes, shares as fractions, properties as native text. */
export type Spec = z.output<typeof specSchema>;
export type ProducerSpec = Spec['producers'][string];
export type ConsumerSpec = Spec['consumers'][string];
export type TopicSpec = Spec['topics'][string];
export type FactorSpec = Spec['factors'][string];
export type PayloadSpec = Spec['payload'];
