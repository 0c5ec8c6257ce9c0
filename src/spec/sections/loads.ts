import { z } from 'zod';
import { count, duration, kafkaConfig, name, rate, size, whole } from '../values.ts';
import { recordBytesOf } from '../payload-size.ts';
import { payload } from './payload.ts';

const onOff = z.boolean({ error: 'Expected true or false.' });
const hosts = z
  .array(z.string(), { error: 'Expected a list of client hosts, e.g. [c1].' })
  .min(1, { error: 'An empty list: name at least one host.' })
  .optional();

/** Of a file that has not been read nothing is known; no plan is made of it. */
const SHORTEST_LINE_BYTES = 1;

const fill = z
  .strictObject({
    records: count()
      .optional()
      .describe('exactly one of records and bytes: so many records are in the topic before a load starts,'),
    bytes: size().optional().describe('or as many as hold so many payload bytes'),
    payload: payload.prefault({}).describe('what these records hold; as the section payload'),
    each: z
      .enum(['experiment', 'attempt'], { error: 'Expected experiment or attempt.' })
      .default('attempt')
      .describe(
        'attempt: filled anew for each attempt; experiment: filled once and kept, so that no load may write to it',
      ),
    cache: z
      .enum(['asis', 'hot', 'cold'], { error: 'Expected asis, hot or cold.' })
      .default('asis')
      .describe(
        'the page cache before a load: asis (as it is), hot (everything read once), cold (dropped on every broker)',
      ),
  })
  .superRefine(({ records, bytes }, context) => {
    if ((records === undefined) !== (bytes === undefined)) return;
    const given = records !== undefined;
    context.addIssue({
      code: 'custom',
      ...(given ? { path: ['bytes'] } : {}),
      message: given
        ? 'A fill has exactly one of records and bytes; take one out (in a named level with null).'
        : 'A fill needs one of records and bytes, e.g. bytes: 2GiB.',
      params: { code: given ? 'contradiction' : 'missing' },
    });
  })
  .transform(({ records, bytes = 0, ...rest }) => ({
    ...rest,
    records: records ?? Math.max(1, Math.ceil(bytes / (recordBytesOf(rest.payload) ?? SHORTEST_LINE_BYTES))),
  }));

export const topic = z.strictObject({
  partitions: whole(1, 1_000).default(6).describe('partitions of the topic'),
  replication: whole(1, 9).default(3).describe('copies of each partition; at most lab.brokers.count'),
  config: kafkaConfig('topic').prefault({}).describe('topic properties, by their Kafka names'),
  fill: fill.optional().describe('records that are in the topic beforehand, to be read by consumers'),
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
        : `A ${what} has ${least === 1 ? 'exactly' : 'at most'} one of records, for and bytes; this one has ${given.join(' and ')}. Take one out (in a named level with null).`;
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
    topic: name('topic').default('main').describe('the topic it writes to'),
    records: count().optional().describe('exactly one of records, for and bytes: so many records,'),
    for: duration(1_000)
      .optional()
      .describe(
        'or as many as take so long. The perf tool takes only a count: at a fixed rate it is rate × time; without one it comes from block 0, for each scenario by itself and the same in every block,',
      ),
    bytes: size().optional().describe('or as many as hold so many payload bytes'),
    rate: rate()
      .prefault('max')
      .describe('how fast, over all its processes: max, 5k/s (records) or 50MiB/s (payload bytes)'),
    processes: whole(0, 64)
      .default(1)
      .describe(
        'perf tools side by side, called p-1, p-2, …; records and rate are totals over them; 0 leaves the load out',
      ),
    on: hosts.describe('client hosts, e.g. [c1], taken in turn; left out = all of them'),
    config: kafkaConfig('producer').prefault({}).describe('producer properties, by their Kafka names'),
    enabled: onOff.default(true).describe('false leaves it out (of one scenario, when a factor says so)'),
    transactional: duration(1)
      .optional()
      .describe('makes it transactional, with a commit after each such time'),
  })
  .superRefine(oneAmount('producer', 1));

export const consumer = z
  .strictObject({
    topic: name('topic').default('main').describe('the topic it reads'),
    from: z
      .enum(['earliest', 'latest'], { error: 'Expected earliest or latest.' })
      .default('earliest')
      .describe('where it starts: at what the topic holds, or at what comes after its start'),
    records: count()
      .optional()
      .describe(
        "at most one of records, for and bytes: so many records (none of the three: everything that is in the topic, and what the trial's producers add to it),",
      ),
    for: duration(1_000).optional().describe('or as many as take so long, counted from block 0,'),
    bytes: size().optional().describe('or as many as hold so many payload bytes'),
    idle: duration(1_000)
      .prefault('10s')
      .describe('so long without a record ends the load and voids the trial'),
    groups: whole(0, 16)
      .default(1)
      .describe('consumer groups, each of which reads everything; 0 leaves the load out'),
    processes: whole(0, 64)
      .default(1)
      .describe(
        'members of each group, which share its partitions; each asks for 90 % of an equal share. 0 leaves the load out',
      ),
    on: hosts.describe('client hosts, e.g. [c2], taken in turn; left out = all of them'),
    config: kafkaConfig('consumer').prefault({}).describe('consumer properties, by their Kafka names'),
    enabled: onOff.default(true).describe('false leaves it out (of one scenario, when a factor says so)'),
  })
  .superRefine(oneAmount('consumer', 0));
