import { z } from 'zod';
import { payloadTooSmall } from './payload-size.ts';
import {
  byteRate,
  count,
  duration,
  kafkaConfig,
  later,
  line,
  name,
  named,
  rate,
  share,
  size,
  whole,
} from './values.ts';

/*
 * The language of specs, declared once: validation, defaults and types come from here. In the output times
 * are milliseconds, sizes bytes, shares fractions of 1, and Kafka properties native text. What the language
 * has but this version does not run is declared with `later`, so that its place is kept.
 */

const brokers = z.strictObject({
  count: whole(1, 9).default(3),
  /** Becomes a Maven version: nothing but digits and dots. */
  kafka: z
    .string()
    .regex(/^\d{1,2}\.\d{1,2}\.\d{1,2}$/, { error: 'Expected a Kafka version such as 4.3.1.' })
    .default('4.3.1'),
  heap: size(256 * 1024 ** 2).prefault('512MiB'),
  jit: z.enum(['full', 'c1'], { error: 'Expected full or c1.' }).default('full'),
  config: kafkaConfig('broker').prefault({}),
  image: later('A broker image'),
  resources: later('Broker resources'),
});

const clients = z.strictObject({
  count: whole(1, 16).default(1),
  apart: z.enum(['none', 'node'], { error: 'Expected none or node.' }).default('none'),
  /** Below 256 MiB the perf tool may run out of memory (facts: Kafka's tools). */
  heap: size(64 * 1024 ** 2).prefault('512MiB'),
});

const lab = z.strictObject({
  target: z
    .string()
    .default('local')
    .refine((t) => t === 'local', {
      error: (issue) =>
        issue.input === 'kubernetes' || issue.input === 'existing'
          ? `lab.target: ${issue.input} is part of the language, but not supported yet in this version; use local.`
          : 'Expected local.',
    })
    .transform((): 'local' => 'local'),
  brokers: brokers.prefault({}),
  clients: clients.prefault({}),
  pin: z.union([z.boolean(), z.literal('auto')], { error: 'Expected true, false or auto.' }).default('auto'),
  namespace: later('A namespace'),
  storageClass: later('A storage class'),
  nodes: later('A choice of nodes'),
  bootstrap: later('An existing cluster'),
});

const json = z
  .strictObject({
    lines: whole(1, 1_000_000).default(20_000),
    size: size().prefault('1008B'),
    padding: share().prefault('0%'),
    seed: whole(0, 2 ** 31 - 1).default(1),
  })
  .superRefine((payload, context) => {
    const message = payloadTooSmall(payload.size, payload.padding);
    if (message !== null) context.addIssue({ code: 'custom', path: ['size'], message });
    // Each client host keeps the file, and the perf tool holds it in its heap.
    if (payload.size * payload.lines > 1024 ** 3)
      context.addIssue({
        code: 'custom',
        path: ['lines'],
        message: 'lines × size is more than 1 GiB; use fewer lines.',
      });
  });

const payload = z.strictObject({
  json: json.prefault({}),
  random: later('A random payload'),
  file: later('A payload file'),
});

const topic = z.strictObject({
  partitions: whole(1, 1_000).default(6),
  replication: whole(1, 9).default(3),
  config: kafkaConfig('topic').prefault({}),
  fill: later('Filling a topic'),
});

const producer = z
  .strictObject({
    topic: name('topic').default('main'),
    records: count().optional(),
    for: duration(1_000).optional(),
    bytes: size().optional(),
    rate: rate().prefault('max'),
    processes: whole(1, 64).default(1),
    /** Client hosts; absent = all of them, in turn. */
    on: z
      .array(z.string(), { error: 'Expected a list of client hosts, e.g. [c1].' })
      .min(1, { error: 'An empty list: name at least one host.' })
      .optional(),
    config: kafkaConfig('producer').prefault({}),
    enabled: z.boolean({ error: 'Expected true or false.' }).default(true),
    transactional: later('A transactional producer'),
  })
  .superRefine((load, context) => {
    const given = (['records', 'for', 'bytes'] as const).filter((key) => load[key] !== undefined);
    if (given.length === 1) return;
    const message =
      given.length === 0
        ? 'A producer needs one of records, for or bytes, e.g. for: 30s.'
        : `A producer has exactly one of records, for and bytes; this one has ${given.join(' and ')}.`;
    context.addIssue({
      code: 'custom',
      ...(given[1] ? { path: [given[1]] } : {}),
      message,
      params: { code: given[1] ? 'contradiction' : 'missing' },
    });
  });

const scalar = z.union([z.string(), z.number(), z.boolean()], {
  error: 'A level is text, a number or true/false.',
});
const settings = z.record(z.string(), z.unknown(), {
  error: 'A named level is a map of path: value; {} means as written.',
});
const levelValue = z.union([scalar, z.array(scalar)], {
  error: 'A level is text, a number, true/false or a list of them.',
});

const factor = z
  .strictObject({
    set: z.string({ error: 'Expected a path such as producers.*.config.acks.' }).optional(),
    levels: z.union([z.array(levelValue), z.record(name('level'), settings)], {
      error: 'Expected a list of values, or a map of named levels.',
    }),
    apply: later('apply (restarting brokers for a broker setting)'),
  })
  .superRefine((f, context) => {
    const list = Array.isArray(f.levels);
    if (list && f.set === undefined)
      context.addIssue({
        code: 'custom',
        message: 'A list of levels needs the path that they set, e.g. set: producers.*.config.acks.',
        params: { code: 'missing' },
      });
    if (!list && f.set !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['set'],
        message: 'Named levels carry their own paths; leave set out, or make levels a list of values.',
        params: { code: 'contradiction' },
      });
    const levels = Object.keys(f.levels).length;
    if (levels < 2)
      context.addIssue({ code: 'custom', path: ['levels'], message: 'A factor needs at least two levels.' });
    if (levels > 32)
      context.addIssue({ code: 'custom', path: ['levels'], message: 'At most 32 levels are supported.' });
  });

const factorNames = z
  .array(z.string(), { error: 'Expected a list of factor names.' })
  .min(1, { error: 'An empty list: name at least one factor.' });
const levelChoice = z.record(z.string(), scalar, { error: 'Expected a map of factor: level.' });
const scenario = z.union([
  z.strictObject({ vary: factorNames }),
  z.strictObject({
    cross: factorNames,
    except: z.array(levelChoice, { error: 'Expected a list of maps factor: level.' }).default([]),
  }),
  z.strictObject({
    zip: z.never({ error: 'zip is part of the language, but not supported yet in this version.' }),
  }),
  levelChoice,
]);

const design = z.strictObject({
  blocks: whole(1, 200).optional(),
  seed: z
    .union([z.string().min(1).max(100), whole(0, Number.MAX_SAFE_INTEGER)], {
      error: 'Expected auto, run, a text or a whole number.',
    })
    .default('auto'),
  warmup: z
    .union(
      [
        z.literal('auto'),
        z.strictObject({ passes: whole(1, 10).default(3), agree: share().prefault('10%') }),
      ],
      { error: 'Expected auto, or { passes: 3, agree: 10% }.' },
    )
    .default('auto'),
  retries: whole(0, 10).default(2),
  deadline: duration(60_000).prefault('8h'),
  budget: z
    .strictObject({ written: size(1024 ** 2).optional(), usd: later('A budget in money') })
    .prefault({}),
  labs: later('Several labs in one experiment'),
  until: later('Stopping on precision'),
});

const autoDuration = z.union([z.literal('auto'), duration()], {
  error: 'Expected auto, or a time such as 5s.',
});
const window = z.strictObject({
  ramp: autoDuration.default('auto'),
  over: z.enum(['own', 'overlap'], { error: 'Expected own or overlap.' }).default('own'),
  min: duration(1_000).prefault('10s'),
});

const settle = z.strictObject({
  quiet: duration().prefault('5s'),
  limit: duration().prefault('60s'),
  method: z.enum(['wait', 'sync'], { error: 'Expected wait or sync.' }).default('wait'),
  drain: duration().prefault('60s'),
  /** Quiet = Dirty + Writeback below the lab's base + this. */
  dirty: size(0).prefault('64MiB'),
  deviceWrites: byteRate().prefault('1MiB/s'),
});

/** The whole language. Parse with `parseSpec` of check.ts, which adds what no single section can know. */
export const specSchema = z.strictObject({
  assay: z.literal(1, { error: 'Expected 1, the version of the language.' }).default(1),
  name: line(64),
  question: line(500),
  extends: later('extends'),
  lab: lab.prefault({}),
  payload: payload.prefault({}),
  topics: named('topic', topic, 16).prefault({ main: {} }),
  producers: named('producer', producer, 16).prefault({ p: { for: '30s' } }),
  consumers: later('A consumer'),
  factors: named('factor', factor, 8),
  scenarios: z
    .array(scenario, { error: 'Expected a list of scenarios.' })
    .min(1, { error: 'An empty list; leave scenarios out to vary every factor alone.' })
    .optional(),
  contrasts: z
    .array(
      z.tuple([z.string(), z.string()], {
        error: 'A contrast is a pair of scenarios, e.g. [acks=1, baseline].',
      }),
      { error: 'Expected a list of pairs.' },
    )
    .min(1, { error: 'An empty list; leave contrasts out to compare each scenario with the baseline.' })
    .optional(),
  metric: z
    .string()
    .default('rate')
    .refine((m) => m === 'rate', { error: 'Only rate is supported as the primary metric in this version.' })
    .transform((): 'rate' => 'rate'),
  smallestEffectOfInterest: share().prefault('5%'),
  search: later('A capacity search'),
  schedule: later('A schedule'),
  expect: later('An expectation'),
  allowUnknown: z
    .array(z.string().regex(/^[A-Za-z0-9_.-]{1,200}$/, { error: 'Expected the name of a property.' }), {
      error: 'Expected a list of property names.',
    })
    .default([]),
  design: design.prefault({}),
  window: window.prefault({}),
  settle: settle.prefault({}),
  store: z
    .strictObject({ folder: line(1_000).nullable().default(null), s3: later('A store in S3') })
    .prefault({}),
  teardown: z
    .union(
      [
        z.literal('always'),
        z.strictObject({
          keep: z.never({ error: 'keep is part of the language, but not supported yet in this version.' }),
        }),
      ],
      { error: 'Expected always.' },
    )
    .default('always'),
});

/** A spec with every default filled in: times in ms, sizes in bytes, shares as fractions, properties as native text. */
export type Spec = z.output<typeof specSchema>;
export type ProducerSpec = Spec['producers'][string];
export type TopicSpec = Spec['topics'][string];
export type FactorSpec = Spec['factors'][string];
