import { describe, expect, it } from 'vitest';
import { fillLimitMs } from '../../src/design/fill-limit.ts';
import { groupName, keptTopicName, topicNameOf, transactionalId } from '../../src/design/names.ts';
import type { FillPlan, TopicPlan } from '../../src/design/plan.ts';

const KEY = 'replay-0123abcd';
const TRIAL = { block: 3, pass: null, scenario: 'traffic=e4', attempt: 1 };
const FILL: FillPlan = { records: 1_000, payload: 'random', each: 'experiment', cache: 'asis' };
const TOPIC: TopicPlan = {
  name: 'archive',
  partitions: 6,
  replication: 3,
  config: { a: '1', b: '2' },
  fill: FILL,
};

describe('a kept topic', () => {
  const name = keptTopicName(KEY, TOPIC);

  it('has one name in every attempt; other topics have a fresh one', () => {
    const next = { ...TRIAL, attempt: 2 };
    expect(topicNameOf(KEY, TRIAL, TOPIC)).toBe(name);
    expect(topicNameOf(KEY, next, TOPIC)).toBe(name);
    const fresh = { ...TOPIC, fill: { ...FILL, each: 'attempt' as const } };
    expect(topicNameOf(KEY, TRIAL, fresh)).not.toBe(topicNameOf(KEY, next, fresh));
  });

  it('is the same one however its page cache is prepared and its settings are ordered', () => {
    expect(keptTopicName(KEY, { ...TOPIC, fill: { ...FILL, cache: 'cold' } })).toBe(name);
    expect(keptTopicName(KEY, { ...TOPIC, config: { b: '2', a: '1' } })).toBe(name);
  });

  it.each<[string, Partial<TopicPlan>]>([
    ['partitions', { partitions: 12 }],
    ['replication', { replication: 1 }],
    ['settings', { config: { a: '1', b: '3' } }],
    ['records', { fill: { ...FILL, records: 1_001 } }],
    ['payload', { fill: { ...FILL, payload: 'json' } }],
    ['name', { name: 'other' }],
  ])('is another one with other %s', (_, over) => {
    expect(keptTopicName(KEY, { ...TOPIC, ...over })).not.toBe(name);
  });

  it('has a name that Kafka takes', () => {
    const long = keptTopicName('x'.repeat(41), { ...TOPIC, name: 'A topic with a very long name indeed, é' });
    expect(long).toMatch(/^[a-zA-Z0-9._-]{1,249}$/);
  });
});

it('groups and transactional ids are fresh for each attempt', () => {
  const next = { ...TRIAL, attempt: 2 };
  expect(groupName(KEY, TRIAL, 'c')).not.toBe(groupName(KEY, next, 'c'));
  expect(groupName(KEY, TRIAL, 'c')).not.toBe(groupName(KEY, TRIAL, 'd'));
  expect(transactionalId(KEY, TRIAL, 'p')).not.toBe(transactionalId(KEY, next, 'p'));
});

it('a fill has a deadline by its bytes, and a scenario without one has none', () => {
  const scenario = { slug: 's', levels: {}, plot: 'x', loads: [], topics: [TOPIC] };
  const payload = { name: 'random', kind: 'random', lines: 10, recordBytes: 1024, seed: 1 } as const;
  const large = { ...TOPIC, fill: { ...FILL, records: 30_000_000 } };
  expect(fillLimitMs({ ...scenario, topics: [{ ...TOPIC, fill: null }] }, [payload])).toBeNull();
  expect(fillLimitMs(scenario, [payload])).toBeGreaterThanOrEqual(60_000);
  // 30 GB at 30 MiB/s take 1,000 s.
  expect(fillLimitMs({ ...scenario, topics: [large] }, [payload])).toBeGreaterThan(2 * 1_000_000);
});
