import { describe, expect, it } from 'vitest';
import type { CacheEvidence, ConsumerEvidence, Evidence } from '../../src/measure/evidence.ts';
import { measureTrial } from '../../src/measure/trial-rate.ts';
import { verdict } from '../../src/measure/verdict.ts';
import { evidence, goodLoad, partitions } from './evidence.ts';
import { readConsumer } from './helpers.ts';
import { printConsumer, type PrintedConsumer } from './lines-of-consumer.ts';

const RUN: PrintedConsumer = {
  records: 900_000,
  recordBytes: 1000,
  rebalanceMs: 400,
  fetchMs: 30_000,
  endedAtMs: 1_796_038_829_000,
};

function consumer(
  run: Partial<PrintedConsumer> = {},
  over: Partial<ConsumerEvidence> = {},
): ConsumerEvidence {
  const { askedRecordsPerS: _, recordBytes: __, transactional: ___, ...base } = goodLoad();
  const output = readConsumer(printConsumer({ ...RUN, ...run }), true);
  return {
    ...base,
    kind: 'consumer',
    name: 'c',
    topic: 'archive',
    asked: 900_000,
    output,
    maxPollRecords: 500,
    exit: null,
    ...over,
  };
}

/** A trial that only reads a filled topic. */
function reading(load: ConsumerEvidence, over: Partial<Evidence> = {}): Evidence {
  const measured = {
    kind: 'consumer' as const,
    name: 'c',
    output: load.output,
    feeders: [],
    endedAtMs: null,
  };
  return evidence({
    loads: [
      {
        ...load,
        exit: { code: 0, by: 'itself', startedAtMs: RUN.endedAtMs - 31_000, endedAtMs: RUN.endedAtMs },
      },
    ],
    topics: [{ topic: 'archive', inLog: 0, filled: 1_000_000, before: partitions(), after: partitions() }],
    measurement: measureTrial([measured], { rampMs: 3_000 }),
    ...over,
  });
}

const codes = (e: Evidence): string[] => verdict(e).reasons.map((r) => r.code);
const flags = (e: Evidence): string[] => verdict(e).flags.map((f) => f.code);

describe('a trial that reads a filled topic', () => {
  it('is valid without any flag', () => {
    expect(codes(reading(consumer()))).toEqual([]);
    expect(flags(reading(consumer()))).toEqual([]);
  });

  it('is void when the topic does not hold what was filled in', () => {
    const topic = { topic: 'archive', filled: 1_000_000, before: partitions(), after: partitions() };
    expect(codes(reading(consumer(), { topics: [{ ...topic, inLog: -5 }] }))).toEqual(['offsets-lost']);
    expect(codes(reading(consumer(), { topics: [{ ...topic, inLog: 5 }] }))).toEqual(['duplicates']);
  });

  it('is void when a replica of it was out of sync, as for producers', () => {
    const after = partitions((one) => ({ ...one, isr: [1, 2] }));
    const topics = [{ topic: 'archive', inLog: 0, filled: 1_000_000, before: partitions(), after }];
    expect(codes(reading(consumer(), { topics }))).toEqual(['isr-shrunk']);
  });

  it('is void when it fetched for less than the shortest window', () => {
    expect(codes(reading(consumer({ fetchMs: 6_000 })))).toEqual(['window-too-short']);
  });

  it('gives up: void, and nothing is said of a window', () => {
    expect(codes(reading(consumer({ records: 800_000, idleMs: 8_000 })))).toEqual([
      'idle-timeout',
      'consumer-short',
    ]);
  });

  it('a short fetch and a long rebalance are flags: the fetch-time rate holds', () => {
    expect(flags(reading(consumer({ fetchMs: 15_000 })))).toEqual(['fetch-short']);
    expect(flags(reading(consumer({ rebalanceMs: 6_000 })))).toEqual(['rebalance-long']);
  });

  it.each<[CacheEvidence['asked'], number | null, string[]]>([
    ['cold', 0.95, []],
    ['cold', 0.4, ['cache-not-cold']],
    ['hot', 0.02, []],
    ['hot', 0.4, ['cache-not-hot']],
    ['hot', null, ['cache-unknown']],
  ])('a %s cache of which %s came from the disk: %j', (asked, diskReadShare, found) => {
    const cache =
      diskReadShare === null ? null : diskReadShare > 0.8 ? 'cold' : diskReadShare > 0.1 ? 'partial' : 'hot';
    const caches: CacheEvidence[] = [{ topic: 'archive', asked, reading: { diskReadShare, cache } }];
    expect(flags(reading(consumer(), { caches }))).toEqual(found);
  });
});

it('a metric over loads that a scenario does not have voids nothing', () => {
  const plain = evidence();
  const none = { ...plain.measurement, of: [], rate: null, why: 'the trial has no such load' };
  expect(codes({ ...plain, measurement: none })).toEqual([]);
});
