import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../src/spec/check.ts';
import { pathText } from '../../src/spec/issue.ts';
import { smallSpec } from './small-spec.ts';

/** `path: message` of every mistake of a spec with this producer and whatever else. */
function mistakes(config: object, more: object = {}, load: object = {}): string[] {
  const producers = { p: { for: '30s', config, ...load } };
  const factors = { f: { set: 'topics.main.partitions', levels: [1, 2] } };
  const parsed = parseSpec(smallSpec({ producers, factors, ...more }));
  return parsed.ok ? [] : parsed.issues.map((i) => `${pathText(i.path)}: ${i.message}`);
}
const topic = (config: object) => ({ topics: { main: { config } } });
const records = (size: string) => ({ payload: { json: { size, lines: 10 } } });

describe('what Kafka refuses is refused before a broker starts', () => {
  it.each([
    [
      'idempotence, not all acks',
      { acks: 1, 'enable.idempotence': true },
      'enable.idempotence: Kafka refuses',
    ],
    [
      'idempotence, too many in flight',
      { 'enable.idempotence': true, 'max.in.flight.requests.per.connection': 6 },
      'max.in.flight.requests.per.connection: Kafka refuses enable.idempotence: true with 6',
    ],
    ['idempotence, no retries', { 'enable.idempotence': true, retries: 0 }, 'retries: Kafka refuses'],
    [
      'a delivery that is over before a request is',
      { 'delivery.timeout.ms': '10s' },
      'delivery.timeout.ms: Kafka refuses delivery.timeout.ms 10000',
    ],
    [
      'a request longer than the delivery',
      { 'request.timeout.ms': '60s' },
      'request.timeout.ms: Kafka refuses',
    ],
    ['a linger longer than the delivery', { 'linger.ms': '60s' }, 'linger.ms: Kafka refuses'],
  ])('%s', (_, config, hint) => {
    expect(mistakes(config)).toEqual([expect.stringContaining(`producers.p.config.${hint}`)]);
  });

  it.each([
    ['not all acks', { acks: 1 }, 'acks: Kafka refuses a transactional producer with acks 1'],
    ['no idempotence', { 'enable.idempotence': false }, 'A transactional producer is idempotent'],
    ['no retries', { retries: 0 }, 'with retries 0'],
  ])('a transaction with %s', (_, config, hint) => {
    expect(mistakes(config, {}, { transactional: '1s' })).toEqual([expect.stringContaining(hint)]);
    expect(mistakes({}, {}, { transactional: '1s' })).toEqual([]);
  });

  it('records that do not fit a request, the buffer or the topic', () => {
    expect(mistakes({ 'buffer.memory': 1_024 }, records('1008B'))).toEqual([
      expect.stringContaining('do not fit the client'),
    ]);
    expect(mistakes({ 'max.request.size': '1KiB' }, records('1000B'))).toHaveLength(1);
    expect(mistakes({}, { ...topic({ 'max.message.bytes': 1_000 }), ...records('1000B') })).toEqual([
      expect.stringContaining('topics.main.config.max.message.bytes: Records of 1000 B are above'),
    ]);
    const room = { ...topic({ 'max.message.bytes': '4MiB' }), ...records('2MiB') };
    expect(mistakes({ 'max.request.size': '4MiB' }, room)).toEqual([]);
    // A codec may make them fit: only the topic knows then.
    expect(mistakes({ 'compression.type': 'zstd' }, { ...topic({ 'max.message.bytes': 1_000 }) })).toEqual(
      [],
    );
  });

  it('what the brokers set for every topic counts where a topic says nothing', () => {
    const lab = (bytes: number) => ({ lab: { brokers: { config: { 'message.max.bytes': bytes } } } });
    expect(mistakes({}, { ...lab(1_000), ...records('1000B') })).toHaveLength(1);
    expect(mistakes({}, { ...lab(2_000), ...records('1000B') })).toEqual([]);
  });

  it('a compacted topic, which takes no records without keys; said once for several producers', () => {
    const producers = { p: { for: '30s' }, q: { for: '30s' } };
    expect(mistakes({}, { ...topic({ 'cleanup.policy': 'compact' }), producers })).toEqual([
      expect.stringContaining('records without keys'),
    ]);
  });

  it('nothing of a producer that does not run', () => {
    const off = { enabled: false };
    const producers = {
      p: { for: '30s', config: { acks: 1, 'enable.idempotence': true }, ...off },
      q: { for: '30s' },
    };
    expect(mistakes({}, { producers })).toEqual([]);
  });
});

describe('one and the same record again and again', () => {
  const codec = { factors: { c: { set: 'producers.*.config.compression.type', levels: ['none', 'lz4'] } } };
  const file = { name: 'x', sha256: 'a'.repeat(64), bytes: 10, lines: 1 };
  it.each([
    ['json', { json: { lines: 1 } }, 'payload.json.lines'],
    ['random', { random: { lines: 1 } }, 'payload.random.lines'],
    ['a file', { file }, 'payload.file'],
  ])('answers no question about codecs: %s', (_, payload, path) => {
    expect(mistakes({}, { ...codec, payload })).toEqual([
      expect.stringMatching(new RegExp(`^${path}: Every record is the same`)),
    ]);
    expect(mistakes({}, { payload })).toEqual([]);
  });

  it('is found where a level brings it', () => {
    const level = { lines: { set: 'payload.json.lines', levels: [100, 1] } };
    expect(mistakes({}, { factors: { ...codec.factors, ...level } })).toEqual([
      expect.stringContaining('Every record is the same'),
    ]);
  });
});
