import { type Json, merged } from '../spec/levels.ts';

/** Stands on every page, file and list entry of a rehearsal (`--smoke`). */
export const NOT_A_MEASUREMENT = 'not a measurement';

/** The stamp as a field of stored JSON; absent in what was measured. */
export interface Stamped {
  readonly stamp?: typeof NOT_A_MEASUREMENT;
}

/** The stamp of a rehearsal, to be spread into what is stored; of a measurement nothing. */
export function stampOf({ smoke }: { readonly smoke?: boolean }): Stamped {
  return smoke === true ? { stamp: NOT_A_MEASUREMENT } : {};
}

/** Enough to see every part work, too few to measure anything. */
const RECORDS = 2_000;
const LINES = 1_000;
const PARTITIONS = 12;
const POLL = 50;
/** Beside many others a producer's JVM takes long to send its first record. */
const IDLE = '30s';

/** What a rehearsal has instead of the spec's own: small JVMs and no waiting. */
const BENCH = {
  lab: { brokers: { heap: '512MiB', jit: 'c1' }, clients: { apart: 'none', heap: '256MiB' } },
  window: { ramp: '0s' },
  settle: {
    quiet: '200ms',
    limit: '2s',
    method: 'wait',
    drain: '200ms',
    // Whatever else the machine does.
    dirty: '4GiB',
    deviceWrites: '4GiB/s',
  },
  teardown: 'always',
} as const;

/**
 * The same spec at a tiny scale, as JSON: few records, little of block 0, one block, no waiting. Whatever it
 * yields is no measurement. Applied after the levels of a scenario, so that a level cannot undo it.
 */
export function shrunk(json: Json): Json {
  const small = merged(json, BENCH);
  return {
    ...small,
    design: smallDesign(mapOf(json['design'])),
    ...entries(json, 'topics', smallTopic),
    ...entries(json, 'producers', (load) => smallProducer(load, json['search'] !== undefined)),
    ...entries(json, 'consumers', smallConsumer),
    ...(json['payload'] === undefined ? {} : { payload: smallPayload(mapOf(json['payload'])) }),
    ...(json['search'] === undefined ? {} : { search: smallSearch(mapOf(json['search'])) }),
  };
}

function mapOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function entries(json: Json, section: string, small: (entry: Json) => Json): Json {
  if (json[section] === undefined) return {};
  const all = Object.entries(mapOf(json[section])).map(([name, entry]) => [name, small(mapOf(entry))]);
  return { [section]: Object.fromEntries(all) };
}

/**
 * Rates that every machine keeps and a condition that every run meets: what is rehearsed is the way, not the answer.
 * Loads of two seconds have no steady rate, so `achieved` could not be judged.
 */
function smallSearch(search: Json): Json {
  return {
    ...search,
    from: '500/s',
    to: '1k/s',
    resolution: '50%',
    confirm: 3,
    pass: { p99: { max: '60s' } },
  };
}

/** Several labs stay two, so that a second one is really made. */
function smallDesign(design: Json): Json {
  const { until: _until, deplete, ...kept } = design;
  const labs = Math.min(2, Number(design['labs'] ?? 1));
  return {
    ...kept,
    labs,
    blocks: labs,
    retries: 0,
    warmup: { passes: 1, agree: '10%' },
    ...(deplete === undefined ? {} : { deplete: { ...mapOf(deplete), limit: '5s' } }),
  };
}

/** At most `most` of what is written as a count; anything else is left to the reader of the language. */
function atMost(value: unknown, most: number): unknown {
  const count = Number(value);
  return Number.isFinite(count) && count < most ? value : most;
}

function smallTopic(topic: Json): Json {
  const { fill, partitions } = topic;
  return {
    ...topic,
    ...(partitions === undefined ? {} : { partitions: atMost(partitions, PARTITIONS) }),
    ...(fill === undefined ? {} : { fill: smallFill(mapOf(fill)) }),
  };
}

function smallFill({ bytes: _bytes, ...fill }: Json): Json {
  return {
    ...fill,
    records: atMost(fill['records'], RECORDS),
    ...(fill['payload'] === undefined ? {} : { payload: smallPayload(mapOf(fill['payload'])) }),
  };
}

function smallPayload(payload: Json): Json {
  const small = (kind: string): Json =>
    payload[kind] === undefined
      ? {}
      : { [kind]: { ...mapOf(payload[kind]), lines: atMost(mapOf(payload[kind])['lines'], LINES) } };
  return { ...payload, ...small('json'), ...small('random') };
}

/** A search needs times; every other load gets a count. */
function smallProducer(load: Json, timed: boolean): Json {
  const { records, for: _for, bytes: _bytes, ...kept } = load;
  if (timed) return { ...kept, for: '2s' };
  const processes = Math.max(1, Number(load['processes'] ?? 1));
  return {
    ...kept,
    records: records === undefined ? RECORDS * processes : atMost(records, RECORDS * processes),
  };
}

/**
 * Everything that is in its topic. Members of a group ask for 90 % of an equal share: of so few records one poll of
 * 500 would take what the others wait for.
 */
function smallConsumer(load: Json): Json {
  const { records: _records, for: _for, bytes: _bytes, ...given } = load;
  const kept = { ...given, idle: IDLE };
  if (Number(load['processes'] ?? 1) < 2) return kept;
  const config = mapOf(load['config']);
  return { ...kept, config: { ...config, 'max.poll.records': atMost(config['max.poll.records'], POLL) } };
}
