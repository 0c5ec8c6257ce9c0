import { describe, expect, it } from 'vitest';
import { adviceOnMachine } from '../../src/design/advice-machine.ts';
import { type Changes, config, factor, limited, planOf, said, search } from './advice-support.ts';

const codec = factor('producers.p.config.compression.type', ['none', 'lz4']);
const acks = factor('producers.*.config.acks', ['all', 1]);
const replay = (fill: Changes, more: Changes = {}): Changes => ({
  topics: { live: {}, archive: { fill: { records: '3M', ...fill } } },
  producers: { p: { topic: 'live', for: '30s' } },
  consumers: { c: { topic: 'archive' } },
  window: { over: 'overlap' },
  metric: 'consumeRate',
  ...more,
});

/** Code, a spec that gets it with a text that must be in it, and a near one that does not. */
const TABLE: readonly (readonly [code: string, fires: Changes, says: string, quiet: Changes])[] = [
  ['nothing-to-compare', { scenarios: [{ batch: '4KiB' }] }, 'one scenario', {}],
  ['cannot-reach-alpha', { design: { blocks: 3 } }, 'design.blocks: 6', { design: { blocks: 6 } }],
  [
    'odd-blocks',
    { design: { blocks: 7 } },
    'is first 4 times and the other 3 times. Write design.blocks: 8',
    { design: { blocks: 8 } },
  ],
  [
    'odd-blocks',
    { design: { blocks: 9 } },
    'design.blocks: 10',
    { ...factor('topics.main.partitions', [1, 3, 6]), design: { blocks: 9 } },
  ],
  [
    'confounded',
    acks,
    'producers.p.config.enable.idempotence: false',
    { ...acks, ...config({ 'enable.idempotence': false }) },
  ],
  [
    'incomparable',
    replay(
      {},
      {
        metric: 'rate',
        factors: { traffic: { levels: { write: { 'consumers.c.enabled': false }, both: {} } } },
      },
    ),
    'metric: produceRate',
    replay(
      {},
      {
        metric: 'produceRate',
        factors: { traffic: { levels: { write: { 'consumers.c.enabled': false }, both: {} } } },
      },
    ),
  ],
  [
    'precision-out-of-reach',
    { design: { until: { halfWidth: '3%' } } },
    'as on a shared one; until.max is 20',
    { design: { until: { halfWidth: '12%' } } },
  ],
  [
    'expectation-out-of-reach',
    { expect: [{ of: '64KiB', min: '50MiB/s', max: '52MiB/s' }] },
    'leave one of min and max out',
    { expect: [{ of: '64KiB', min: '50MiB/s', max: '90MiB/s' }] },
  ],
  [
    'deadline-too-short',
    { design: { deadline: '2m' } },
    'design.deadline: 1h',
    { design: { deadline: '4h' } },
  ],
  [
    'acks-0-durability',
    { ...config({ acks: 0 }), question: 'Which batch size keeps records safe?' },
    'speaks of "safe"',
    { ...config({ acks: 0 }), question: 'How fast can it be?' },
  ],
  [
    'acks-0-durability',
    { ...config({ acks: 0 }), name: 'durable-batches' },
    'producers.p.config.acks: all',
    { ...config({ acks: 1 }), name: 'durable-batches' },
  ],
  [
    'min-isr-equals-copies',
    { topics: { main: { config: { 'min.insync.replicas': 3 } } } },
    'topics.main.config.min.insync.replicas: 2',
    { topics: { main: { config: { 'min.insync.replicas': 2 } } } },
  ],
  [
    'min-isr-equals-copies',
    { lab: { brokers: { config: { 'min.insync.replicas': 3 } } } },
    'one broker that is down',
    { topics: { main: { replication: 1, config: { 'min.insync.replicas': 1 } } } },
  ],
  [
    'flush-each',
    { topics: { main: { config: { 'flush.messages': 1 } } } },
    'topics.main.config.flush.messages: 1',
    { topics: { main: { config: { 'flush.messages': 10_000 } } } },
  ],
  [
    'flush-each',
    factor('topics.main.config.flush.messages', [1_000_000, 1]),
    'copies are',
    factor('topics.main.config.flush.messages', [1_000_000, 10]),
  ],
  [
    'idempotence-off',
    config({ acks: 1 }),
    'enable.idempotence: false',
    config({ acks: 1, 'enable.idempotence': false }),
  ],
  ['latency-unlimited', { metric: 'p99' }, 'producers.p.rate: 5k/s', { ...limited, metric: 'p99' }],
  [
    'latency-unlimited',
    { question: 'What does batch.size do to latency?' },
    'speaks of "latency"',
    { ...limited, question: 'What does batch.size do to latency?' },
  ],
  [
    'latency-of-several',
    { metric: 'p99', producers: { p: { for: '30s', rate: '5k/s', processes: 2 } } },
    'p99 has no value there',
    { ...limited, metric: 'p99' },
  ],
  [
    'latency-unequal-rates',
    { ...limited, ...factor('producers.p.rate', ['5k/s', '6k/s']), metric: 'p99' },
    'Write metric: achieved',
    { ...limited, metric: 'p99' },
  ],
  ['rate-is-fixed', limited, 'metric: p99', { ...limited, metric: 'p50' }],
  ['achieved-unlimited', { metric: 'achieved' }, 'producers.p.rate', { ...limited, metric: 'achieved' }],
  ['achieved-unlimited', series(['5k/s', 'max']), 'series of factor "speed"', series(['5k/s', '10k/s'])],
  ['padded-codec', { ...codec, payload: { json: { padding: '63%' } } }, '63 %', codec],
  [
    'padded-codec',
    { ...codec, payload: { json: { padding: '63%' } } },
    'padding: 0%',
    { payload: { json: { padding: '63%' } } },
  ],
  [
    'repeated-lines',
    { ...codec, ...config({ 'batch.size': '1MiB' }), payload: { json: { lines: 1000 } } },
    'payload.json.lines: 53000',
    { ...codec, ...config({ 'batch.size': '16KiB' }), payload: { json: { lines: 1000 } } },
  ],
  [
    'random-codec',
    { ...codec, payload: { random: {} } },
    'payload: { json: { size: 1024B } }',
    { payload: { random: {} } },
  ],
  [
    'cold-unproven',
    replay({}, { question: 'How fast is a cold replay?' }),
    'topics.archive.fill.cache: cold',
    replay({ cache: 'cold' }, { question: 'How fast is a cold replay?' }),
  ],
  [
    'cold-unproven',
    replay({ cache: 'hot' }, { question: 'How fast is a replay from disk?' }),
    '8.45 GiB in all copies',
    replay({ cache: 'hot' }),
  ],
  ['cache-not-controlled', replay({}), 'topics.archive.fill.cache: hot', replay({ cache: 'hot' })],
  ['implied-count', {}, 'from block 0', { producers: { p: { records: '1M' } } }],
  ['no-written-budget', {}, '60GiB', { design: { budget: { written: '60GiB' } } }],
  [
    'side-by-side',
    { producers: { p: { for: '30s', processes: 2 } } },
    'window.over: overlap',
    { producers: { p: { for: '30s', processes: 2 } }, window: { over: 'overlap' } },
  ],
  ['mixed-rate', replay({}, { metric: 'rate' }), 'produceRate or consumeRate', replay({})],
  [
    'one-partition',
    { topics: { main: { partitions: 1 } } },
    'topics.main.partitions: 6',
    factor('topics.main.partitions', [1, 6]),
  ],
  [
    'linger-0',
    config({ 'linger.ms': 0 }),
    'batch.size',
    { ...factor('topics.main.partitions', [1, 6]), ...config({ 'linger.ms': 0 }) },
  ],
  [
    'buffer-beyond-heap',
    config({ 'buffer.memory': 400 * 1024 ** 2 }),
    'lab.clients.heap: 1600MiB',
    { ...config({ 'buffer.memory': 400 * 1024 ** 2 }), lab: { clients: { heap: '1GiB' } } },
  ],
  [
    'bound-upside-down',
    { expect: [{ of: '64KiB', max: '60MiB/s' }] },
    'write min:',
    { expect: [{ of: '64KiB', min: '60MiB/s' }] },
  ],
  [
    'bound-upside-down',
    { ...limited, expect: [{ metric: 'p99', of: '64KiB', min: '50ms' }] },
    'write max:',
    { ...limited, expect: [{ metric: 'p99', of: '64KiB', max: '50ms' }] },
  ],
  [
    'search-too-narrow',
    search({ from: '20k/s', to: '21k/s' }),
    'wider',
    search({ from: '20k/s', to: '100k/s' }),
  ],
  [
    'until-wider-than-margin',
    { design: { until: { halfWidth: '10%' } } },
    'halfWidth: 5%',
    { design: { until: { halfWidth: '10%' } }, smallestEffectOfInterest: '10%' },
  ],
  [
    'retention-too-short',
    { topics: { main: { config: { 'retention.ms': '1m' } } } },
    'topics.main.config.retention.ms',
    { topics: { main: { config: { 'retention.ms': '2h' } } } },
  ],
  [
    'retention-too-short',
    { lab: { brokers: { config: { 'log.retention.minutes': 1 } } } },
    'lab.brokers.config.log.retention.minutes',
    { lab: { brokers: { config: { 'log.retention.hours': 2 } } } },
  ],
  [
    'retention-too-small',
    { producers: { p: { records: '10M' } }, topics: { main: { config: { 'retention.bytes': '100MiB' } } } },
    '100 MiB of each partition',
    { producers: { p: { records: '10M' } }, topics: { main: { config: { 'retention.bytes': '10GiB' } } } },
  ],
  ['other-kafka', { lab: { brokers: { kafka: '4.2.0' } } }, '4.2.0', {}],
  ['c1-only', { lab: { brokers: { jit: 'c1' } } }, 'C1', {}],
  [
    'broker-compression',
    { topics: { main: { config: { 'compression.type': 'zstd' } } } },
    'topics.main.config.compression.type: zstd',
    { topics: { main: { config: { 'compression.type': 'producer' } } } },
  ],
  ['few-labs', { design: { labs: 3 } }, 'design.labs: 6', { design: { labs: 6 } }],
  [
    'few-plots',
    { ...factor('lab.brokers.config.num.io.threads', [8, 16]), design: { blocks: 4 } },
    'design.blocks: 6',
    factor('lab.brokers.config.num.io.threads', [8, 16]),
  ],
  [
    'local-costs-nothing',
    { design: { budget: { usd: 5 } } },
    'design.budget.written',
    { design: { budget: { written: '60GiB' } } },
  ],
  [
    'unused-host',
    { lab: { clients: { count: 2 } }, ...config({}, { on: ['c1'] }) },
    'lab.clients.count: 1',
    { lab: { clients: { count: 2 } }, ...config({}, { processes: 2 }) },
  ],
  ['unused-topic', { topics: { main: {}, spare: {} } }, 'topics.spare', {}],
  [
    'unused-factor',
    {
      factors: {
        f: { set: 'topics.main.partitions', levels: [1, 2] },
        g: { set: 'producers.p.config.linger.ms', levels: [0, 5] },
      },
      scenarios: [{ vary: ['f'] }],
    },
    '{ vary: [g] }',
    {
      factors: {
        f: { set: 'topics.main.partitions', levels: [1, 2] },
        g: { set: 'producers.p.config.linger.ms', levels: [0, 5] },
      },
    },
  ],
  [
    'unused-level',
    { ...factor('topics.main.partitions', [1, 3, 6]), scenarios: [{ f: 1 }, { f: 6 }] },
    'level 3 of factor "f"',
    factor('topics.main.partitions', [1, 3, 6]),
  ],
  [
    'unused-load',
    { producers: { p: { for: '30s' }, q: { for: '30s', enabled: false } } },
    'producers.q',
    {
      producers: { p: { for: '30s' }, q: { for: '30s', enabled: false } },
      factors: { q: { set: 'producers.q.enabled', levels: [false, true] } },
    },
  ],
  ['smoke', { smoke: true }, 'not a measurement', {}],
];

function series(levels: readonly string[]): Changes {
  const speed = { set: 'producers.p.rate', levels, while: { achieved: { min: '99.5%' } } };
  return { factors: { speed } };
}

describe('advice', () => {
  it.each(TABLE)(
    '%s is given where it fits, in the words of the spec, and not elsewhere',
    (code, fires, says, quiet) => {
      expect(said(fires, code)).toContain(says);
      expect(said(quiet, code)).toBe('');
    },
  );

  it('is little for a spec that does most things right', () => {
    const plan = planOf({ design: { budget: { written: '10GiB' } } });
    expect(plan.advice.map((a) => a.code)).toEqual(['margin-out-of-reach', 'implied-count']);
    expect(planOf({ ...limited, metric: 'p99', design: { blocks: 8 } }).advice.map((a) => a.code)).toEqual([
      'whole-ms',
    ]);
  });

  it('of a rehearsal is that it is one', () => {
    expect(planOf({ smoke: true, design: { blocks: 2 } }).advice.map((a) => a.code)).toEqual(['smoke']);
  });

  it('says one thing once, in whole words', () => {
    for (const [, fires] of TABLE) {
      const messages = planOf(fires).advice.map((a) => a.message);
      expect(new Set(messages).size).toBe(messages.length);
      expect(messages.join('\n')).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
    }
  });
});

describe('many confounded contrasts', () => {
  const crossed = {
    factors: {
      codec: { set: 'producers.p.config.compression.type', levels: ['none', 'lz4', 'zstd'] },
      parts: { set: 'topics.main.partitions', levels: [6, 12, 24] },
    },
    scenarios: [{ cross: ['codec', 'parts'] }],
  };

  it('are one remark, with pairs of this spec that differ in one thing', () => {
    const remarks = said(crossed, 'confounded').split('\n');
    expect(remarks).toHaveLength(1);
    expect(remarks[0]).toContain('4 of 8 contrasts');
    const pair = /contrasts: (\[\[.*\]\])/.exec(remarks[0] ?? '')?.[1] ?? '[]';
    const contrasts = JSON.parse(pair) as unknown[];
    expect(contrasts).toHaveLength(2);
    expect(said({ ...crossed, contrasts }, 'confounded')).toBe('');
  });
});

describe('advice on a machine', () => {
  const machine = { cores: 2, memoryBytes: 8 * 1024 ** 3, freeDiskBytes: 100 * 1024 ** 3 };
  const codes = (changes: Changes, on = machine) => adviceOnMachine(planOf(changes), on).map((a) => a.code);

  it('warns of more perf tools than cores', () => {
    const three = { producers: { p: { for: '30s', processes: 3 } } };
    expect(codes(three)).toEqual(['client-bound']);
    expect(codes(three, { ...machine, cores: 4 })).toEqual([]);
  });

  it('names the keys that make too many of them', () => {
    const message = (changes: Changes) => adviceOnMachine(planOf(changes), machine)[0]?.message;
    const readers = replay({ records: '30M' }, { consumers: { c: { topic: 'archive', groups: 2 } } });
    expect(message(readers)).toContain('Lower consumers.c.groups or processes.');
    expect(message({ producers: { p: { for: '30s', processes: 3 } } })).toContain(
      'Lower producers.p.processes.',
    );
  });

  it('warns of a disk that cannot hold what lies on it at one time', () => {
    expect(codes({}, { ...machine, freeDiskBytes: 1024 ** 3 })).toEqual(['disk-too-small']);
  });

  it('warns of a replay that fits into memory, unless it is read cold', () => {
    expect(codes(replay({ records: '1M' }))).toEqual(['replay-fits-memory']);
    expect(codes(replay({ records: '1M', cache: 'cold' }))).toEqual([]);
    expect(codes(replay({ records: '30M' }))).toEqual([]);
  });
});
