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
  assay: z
    .literal(1, { error: 'Expected 1, the version of the language.' })
    .default(1)
    .describe('version of the language'),
  name: line(64).describe('a few words that name the experiment; up to 64 characters'),
  question: line(500).describe('what the experiment answers; the report leads with it'),
  extends: z
    .array(line(1_000), { error: 'Expected a list of files, e.g. [./fragments/lab.yaml].' })
    .max(0, {
      error: 'extends is resolved when a spec is read from a file; submit what `assay resolve` prints.',
    })
    .optional()
    .describe('files that this one is laid over, in order, map by map; null removes'),
  lab: lab.prefault({}).describe('brokers and clients'),
  payload: payload.prefault({}).describe('what records hold: one of json, random and file'),
  topics: namedSome('topic', topic, 16)
    .prefault({ main: {} })
    .describe('topics by name; made anew for every attempt'),
  producers: named('producer', producer, 16)
    .prefault({})
    .describe('loads that write, by name; without producers and consumers: one, p, for 30 s'),
  consumers: named('consumer', consumer, 16).prefault({}).describe('loads that read, by name'),
  factors: named('factor', factor, 8).prefault({}).describe('what varies, by name'),
  scenarios: listOf('scenarios', scenario, 'leave scenarios out to vary every factor alone.')
    .optional()
    .describe('which combinations run; a list is a union. Left out = every factor alone'),
  contrasts: listOf('pairs', contrast, 'leave contrasts out to compare each scenario with the baseline.')
    .optional()
    .describe('pairs [a, b]: the effect is a ÷ b. Left out = each scenario against the baseline'),
  metric,
  smallestEffectOfInterest: share(1)
    .prefault('5%')
    .describe('the margin: a difference inside it counts as no difference that matters'),
  search: search.optional().describe('a capacity search: the highest rate that still passes'),
  schedule: schedule.optional().describe('when it runs by itself'),
  expect: listOf('expectations', expectation, 'leave expect out to expect nothing.')
    .optional()
    .describe(
      'what must hold. Pass: the whole interval is inside; fail: the whole interval is outside; else inconclusive',
    ),
  allowUnknown: z
    .array(z.string().regex(/^[A-Za-z0-9_.-]{1,200}$/, { error: 'Expected the name of a property.' }), {
      error: 'Expected a list of property names.',
    })
    .default([])
    .describe('property names of plugins, which Kafka itself does not declare'),
  design: design.prefault({}).describe('blocks, order and limits'),
  window: window.prefault({}).describe('the part of a load that is measured'),
  settle: settle.prefault({}).describe('how quiet the machines must be before a load'),
  store: store.prefault({}).describe('where results are kept'),
  teardown,
  smoke: z
    .boolean({ error: 'Expected true or false.' })
    .default(false)
    .describe('a rehearsal in minutes at a tiny scale, not a measurement; what --smoke writes'),
  only: listOf('scenarios', z.string(), 'leave only out to run every scenario.')
    .optional()
    .describe('run these scenarios only; what --only writes'),
  overrides: z
    .array(line(2_000), { error: 'Expected a list of texts.' })
    .max(100)
    .default([])
    .describe('what the command line changed, in words; kept with the results'),
});

/** A spec with every default filled in: times in ms, sizes in bytes, shares as fractions, properties as native text. */
export type Spec = z.output<typeof specSchema>;
export type ProducerSpec = Spec['producers'][string];
export type ConsumerSpec = Spec['consumers'][string];
export type TopicSpec = Spec['topics'][string];
export type FactorSpec = Spec['factors'][string];
export type PayloadSpec = Spec['payload'];
