import { z } from 'zod';
import { count, duration, kafkaConfig, name, rate, size, whole } from '../values.ts';
import { payload } from './payload.ts';

const onOff = z.boolean({ error: 'Expected true or false.' });
/** Client hosts; absent = all of them, in turn. */
const hosts = z
  .array(z.string(), { error: 'Expected a list of client hosts, e.g. [c1].' })
  .min(1, { error: 'An empty list: name at least one host.' })
  .optional();

const fill = z.strictObject({
  records: count(),
  payload: payload.prefault({}),
  /** `experiment`: filled once, kept across trials; `attempt`: filled anew for each. */
  each: z.enum(['experiment', 'attempt'], { error: 'Expected experiment or attempt.' }).default('attempt'),
  /** The page cache before a load: as it is, everything read once (hot), or dropped (cold). */
  cache: z.enum(['asis', 'hot', 'cold'], { error: 'Expected asis, hot or cold.' }).default('asis'),
});

export const topic = z.strictObject({
  partitions: whole(1, 1_000).default(6),
  replication: whole(1, 9).default(3),
  config: kafkaConfig('topic').prefault({}),
  fill: fill.optional(),
});

interface Amounts {
  readonly records?: number | undefined;
  readonly for?: number | undefined;
  readonly bytes?: number | undefined;
}

/** Exactly one of records, for and bytes; a consumer may also have none: everything that is in its topic. */
function oneAmount(what: string, least: 0 | 1) {
  return (load: Amounts, context: z.core.$RefinementCtx): void => {
    const given = (['records', 'for', 'bytes'] as const).filter((key) => load[key] !== undefined);
    if (given.length === 1 || given.length === least) return;
    const message =
      given.length === 0
        ? `A ${what} needs one of records, for or bytes, e.g. for: 30s.`
        : `A ${what} has ${least === 1 ? 'exactly' : 'at most'} one of records, for and bytes; this one has ${given.join(' and ')}.`;
    context.addIssue({
      code: 'custom',
      ...(given[1] ? { path: [given[1]] } : {}),
      message,
      params: { code: given[1] ? 'contradiction' : 'missing' },
      input: load,
    });
  };
}

export const producer = z
  .strictObject({
    topic: name('topic').default('main'),
    records: count().optional(),
    for: duration(1_000).optional(),
    bytes: size().optional(),
    rate: rate().prefault('max'),
    /** records and rate are totals over the processes; 0 leaves the load out. */
    processes: whole(0, 64).default(1),
    on: hosts,
    config: kafkaConfig('producer').prefault({}),
    enabled: onOff.default(true),
    /** Length of each transaction. */
    transactional: duration(1).optional(),
  })
  .superRefine(oneAmount('producer', 1));

export const consumer = z
  .strictObject({
    topic: name('topic').default('main'),
    from: z.enum(['earliest', 'latest'], { error: 'Expected earliest or latest.' }).default('earliest'),
    /** None of the three: everything that is in the topic, and what the trial's producers add. */
    records: count().optional(),
    for: duration(1_000).optional(),
    bytes: size().optional(),
    /** So long without a record ends the load, and voids the trial. */
    idle: duration(1_000).prefault('10s'),
    /** Consumer groups, each of which reads everything; 0 leaves the load out. */
    groups: whole(0, 16).default(1),
    /** Members of each group, which share its partitions; 0 leaves the load out. */
    processes: whole(0, 64).default(1),
    on: hosts,
    config: kafkaConfig('consumer').prefault({}),
    enabled: onOff.default(true),
  })
  .superRefine(oneAmount('consumer', 0));
