import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../src/spec/check.ts';
import { pathText } from '../../src/spec/issue.ts';
import { smallSpec } from './small-spec.ts';

/** `path: message` of every issue; empty for a spec that may be run. */
function mistakes(spec: unknown): string[] {
  const parsed = parseSpec(spec);
  return parsed.ok ? [] : parsed.issues.map((i) => `${i.code} ${pathText(i.path)}: ${i.message}`);
}
const producer = (p: object) => smallSpec({ producers: { p: { for: '30s', ...p } } });
const capacity = () => ({
  set: 'producers.p.rate',
  from: '20k/s',
  to: '300k/s',
  pass: { achieved: { min: '99.5%' } },
});
const factors = (f: object, more: object = {}) => smallSpec({ factors: f, ...more });

describe('defaults', () => {
  it('need only name, question and one factor', () => {
    const parsed = parseSpec(smallSpec());
    if (!parsed.ok) throw new Error(mistakes(smallSpec()).join('\n'));
    const { spec } = parsed;
    expect(spec.lab.brokers).toMatchObject({ count: 3, kafka: '4.3.1', heap: 512 * 1024 ** 2, jit: 'full' });
    expect(spec.producers).toMatchObject({
      p: { topic: 'main', for: 30_000, rate: { kind: 'max' }, processes: 1 },
    });
    expect(spec.topics).toMatchObject({ main: { partitions: 6, replication: 3 } });
    expect(spec.settle).toEqual({
      quiet: 5_000,
      limit: 60_000,
      method: 'wait',
      drain: 60_000,
      dirty: 64 * 1024 ** 2,
      deviceWrites: 1024 ** 2,
    });
    expect(spec.window).toEqual({ ramp: 'auto', over: 'own', min: 10_000 });
    expect(spec.smallestEffectOfInterest).toBe(0.05);
    expect(spec.design).toMatchObject({ seed: 'auto', warmup: 'auto', retries: 2, deadline: 8 * 3_600_000 });
  });

  it('say what is missing', () => {
    expect(mistakes({})).toEqual([
      'missing : A spec needs a name: a few words that name the experiment.',
      'missing : A spec needs a question: what should the experiment answer?',
      'missing : A spec needs at least one factor: a setting that varies, and its levels. (Or a search: the highest rate that passes.)',
    ]);
    expect(mistakes(undefined)[0]).toContain('undefined');
    expect(mistakes(null)[0]).toContain('a section of key: value lines');
  });
});

describe('the whole language', () => {
  it.each([
    ['a consumer beside the producer', smallSpec({ producers: { p: { for: '30s' } }, consumers: { c: {} } })],
    [
      'a search',
      smallSpec({
        search: { set: 'producers.p.rate', from: '20k/s', to: '300k/s', pass: { p99: { max: '50ms' } } },
      }),
    ],
    ['a search without factors', { ...smallSpec({ search: capacity() }), factors: {} }],
    ['a schedule', smallSpec({ schedule: { cron: '30 2 * * *', zone: 'Europe/Berlin' } })],
    ['an expectation', smallSpec({ expect: [{ of: '64KiB', versus: '4KiB', min: 1.2 }] })],
    ['a fill', smallSpec({ topics: { main: { fill: { records: '1M' } } } })],
    ['transactions', producer({ transactional: '1s' })],
    ['zipped factors', smallSpec({ scenarios: [{ zip: ['batch'] }] })],
    ['a stopping rule', smallSpec({ design: { until: { halfWidth: '3%' } } })],
    ['a budget', smallSpec({ design: { budget: { usd: 5 } } })],
    ['a lab that is kept', smallSpec({ teardown: { keep: '2h' } })],
    ['random records', smallSpec({ payload: { random: { size: '1KiB' } } })],
    ['broker settings', factors({ io: { set: 'lab.brokers.config.num.io.threads', levels: [4, 8] } })],
    ['another lab', smallSpec({ lab: { target: 'kubernetes', clients: { count: 2, apart: 'node' } } })],
  ])('takes %s', (_, spec) => expect(mistakes(spec)).toEqual([]));

  it('knows no other lab, and no extends once it is JSON', () => {
    expect(mistakes(smallSpec({ lab: { target: 'moon' } }))[0]).toContain('Expected local');
    expect(mistakes(smallSpec({ extends: ['./x.yaml'] }))[0]).toContain('assay resolve');
  });
});

describe('mistakes', () => {
  it.each([
    [
      'an unknown key',
      smallSpec({ producrs: {} }),
      'producrs: Unknown key "producrs". Did you mean "producers"?',
    ],
    [
      'a misspelt property',
      producer({ config: { 'lingr.ms': 5 } }),
      'producers.p.config.lingr.ms: Kafka has no producer property',
    ],
    ['an unknown topic', producer({ topic: 'man' }), 'Did you mean "main"?'],
    ['an unknown host', producer({ on: ['c2'] }), 'producers.p.on[0]: There is no client host "c2"'],
    ['two amounts', producer({ records: 5 }), 'exactly one of records, for and bytes'],
    ['no amount', smallSpec({ producers: { p: { topic: 'main' } } }), 'needs one of records, for or bytes'],
    ['a bare number as time', smallSpec({ producers: { p: { for: 30 } } }), '"30s" or "30ms"?'],
    [
      'more copies than brokers',
      smallSpec({ lab: { brokers: { count: 1 } } }),
      '3 copies need 3 brokers, the lab has 1',
    ],
    [
      'min ISR above the copies',
      smallSpec({ topics: { main: { replication: 1, config: { 'min.insync.replicas': 2 } } } }),
      'min.insync.replicas 2 is above the 1 copies',
    ],
    [
      'idempotence against acks',
      producer({ config: { acks: 1, 'enable.idempotence': true } }),
      'Kafka refuses enable.idempotence',
    ],
    ['no room for a window', producer({ for: '11s' }), 'no room for a steady window of 10 s'],
    [
      'no room for a window at a fixed rate',
      smallSpec({ producers: { p: { records: 1000, rate: '1k/s' } } }),
      'producers.p.records: A load of 1 s',
    ],
    ['nothing to measure', producer({ enabled: false }), 'No load is enabled'],
    [
      'a record too small for a line',
      smallSpec({ payload: { json: { size: '100B', padding: '63%' } } }),
      'payload.json.padding: A JSON log line needs 96 B',
    ],
    [
      'a literal secret',
      producer({ config: { 'ssl.key.password': 'hunter2' } }),
      'refused producers.p.config.ssl.key.password',
    ],
    ['a hostile name', smallSpec({ topics: { '../x': {} } }), 'wrong-value topics.../x'],
    [
      'processes named like a producer',
      smallSpec({ producers: { p: { for: '30s', processes: 2 }, 'p-1': { for: '30s' } } }),
      'rename one',
    ],
  ])('%s', (_, spec, hint) => expect(mistakes(spec).join('\n')).toContain(hint));

  it('come all at once', () => {
    expect(
      mistakes({ name: '', question: 'x', lab: { brokers: { count: 0, heap: '1GB' } }, factors: {} }),
    ).toHaveLength(4);
  });
});

describe('factors', () => {
  it.each([
    [
      'a path that matches nothing',
      { f: { set: 'producers.q.config.acks', levels: [0, 1] } },
      'there is no producer "q"',
    ],
    [
      'a section that cannot vary',
      { f: { set: 'settle.quiet', levels: ['1s', '2s'] } },
      'Only topics, producers, consumers, payload and some of lab can vary',
    ],
    ['a misspelt section', { f: { set: 'topcs.main.partitions', levels: [1, 2] } }, 'Did you mean "topics"?'],
    [
      'a misspelt setting',
      { f: { set: 'topics.main.partition', levels: [1, 2] } },
      'Did you mean "partitions"?',
    ],
    [
      'a misspelt property, once',
      { f: { set: 'producers.*.config.batch.sze', levels: ['4KiB', '64KiB'] } },
      'factors.f.set: Kafka has no producer property "batch.sze"',
    ],
    [
      'a bad value of a level',
      { f: { set: 'producers.*.config.batch.size', levels: ['4KiB', '64KB'] } },
      'factors.f.levels[1]: Level "64KB" at producers.p.config.batch.size: "64KB" has an unknown unit of size; "64KiB"?',
    ],
    [
      'a bad path of a named level',
      { f: { levels: { a: {}, b: { 'topics.main.config.min.isr': 2 } } } },
      'factors.f.levels.b.topics.main.config.min.isr: ',
    ],
    ['one level', { f: { set: 'topics.main.partitions', levels: [1] } }, 'at least two levels'],
    [
      'a level twice',
      { f: { set: 'topics.main.partitions', levels: [1, 2, 1] } },
      'The level "1" stands twice',
    ],
    [
      'levels that mean the same',
      { f: { set: 'producers.p.config.batch.size', levels: ['4KiB', 4096] } },
      'have the very same settings',
    ],
    [
      'acks in two spellings',
      { f: { set: 'producers.p.config.acks', levels: ['all', -1] } },
      'The level "all" stands twice',
    ],
    [
      'two factors for one path',
      {
        f: { set: 'producers.*.config.acks', levels: [0, 1] },
        g: { set: 'producers.p.config.acks', levels: [1, 'all'] },
      },
      'The factors "f" and "g" both set producers.p.config.acks',
    ],
    ['no path', { f: { levels: [1, 2] } }, 'needs the path that they set'],
    ['a path too many', { f: { set: 'x', levels: { a: {}, b: {} } } }, 'Named levels carry their own paths'],
    [
      'a word of the language',
      { vary: { set: 'topics.main.partitions', levels: [1, 2] } },
      'a word of the scenario language',
    ],
  ])('%s', (_, f, hint) => {
    const found = mistakes(factors(f));
    expect(found.filter((m) => m.includes(hint))).toHaveLength(1);
  });

  it('reach settings that are not written down', () => {
    expect(mistakes(factors({ f: { set: 'payload.json.size', levels: ['500B', '1000B'] } }))).toEqual([]);
    expect(
      mistakes(
        factors({ f: { levels: { a: {}, b: { 'producers.p.for': null, 'producers.p.records': '1M' } } } }),
      ),
    ).toEqual([]);
  });

  it('put what only a combination brings at the level that brings it', () => {
    const found = mistakes(
      factors(
        { rf: { set: 'topics.main.replication', levels: [3, 1] } },
        { topics: { main: { config: { 'min.insync.replicas': 2 } } } },
      ),
    );
    expect(found).toEqual([
      expect.stringMatching(
        /^contradiction factors\.rf\.levels\[1\]: In scenario rf=1: min\.insync\.replicas 2 is above/,
      ),
    ]);
  });

  it('let a plugin property pass only when it is allowed, and never a class', () => {
    const config = { 'my.plugin.mode': 'fast' };
    expect(mistakes({ ...producer({ config }), allowUnknown: ['my.plugin.mode'] })).toEqual([]);
    expect(mistakes(producer({ config }))).toHaveLength(1);
    expect(
      mistakes({ ...producer({ config: { 'my.plugin.class': 'x' } }), allowUnknown: ['my.plugin.class'] }),
    ).toHaveLength(1);
  });
});

describe('scenarios and contrasts', () => {
  const two = {
    acks: { set: 'producers.*.config.acks', levels: ['all', 1] },
    parts: { set: 'topics.main.partitions', levels: [1, 12] },
  };
  it.each([
    [
      'an unknown factor',
      { scenarios: [{ vary: ['aks'] }] },
      'scenarios[0].vary[0]: There is no factor "aks". Did you mean "acks"?',
    ],
    [
      'an unknown level',
      { scenarios: [{ acks: 2 }] },
      'scenarios[0].acks: The factor "acks" has no level "2"',
    ],
    ['a misspelt word', { scenarios: [{ cros: 'acks' }] }, 'Did you mean "cross"?'],
    [
      'an unknown exception',
      { scenarios: [{ cross: ['acks'], except: [{ part: 1 }] }] },
      'There is no factor "part". Did you mean "parts"?',
    ],
    [
      'an unknown scenario',
      { contrasts: [['acks=2', 'baseline']] },
      'contrasts[0][0]: There is no scenario "acks=2"',
    ],
    [
      'a scenario against itself',
      { contrasts: [['baseline', 'acks=all,parts=1']] },
      'cannot be compared with itself',
    ],
    [
      'a contrast twice',
      {
        contrasts: [
          ['acks=1,parts=1', 'baseline'],
          ['baseline', 'acks=1,parts=1'],
        ],
      },
      'stands twice',
    ],
  ])('%s', (_, more, hint) => expect(mistakes(factors(two, more)).join('\n')).toContain(hint));

  it('find a scenario by the one level it changes', () => {
    expect(mistakes(factors(two, { contrasts: [['12', 'baseline']] }))).toEqual([]);
  });
});

it('refuses exceptions that leave no scenario', () => {
  const scenarios = [{ cross: ['batch'], except: [{ batch: '4KiB' }, { batch: '64KiB' }] }];
  expect(mistakes(smallSpec({ scenarios })).join()).toContain('No scenario is left');
});
