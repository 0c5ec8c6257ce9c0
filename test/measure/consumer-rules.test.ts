import { describe, expect, it } from 'vitest';
import { totalRateHolds } from '../../src/measure/consumer-rules.ts';
import type { ConsumerEvidence } from '../../src/measure/evidence.ts';
import { verdict } from '../../src/measure/verdict.ts';
import { evidence, goodLoad } from './evidence.ts';
import { kafkaCase, readConsumer } from './helpers.ts';

describe('consumers', () => {
  const consumer = (name: string, asked: number, over: Partial<ConsumerEvidence> = {}): ConsumerEvidence => {
    const {
      kind: _,
      output: __,
      askedRecordsPerS: ___,
      recordBytes: ____,
      transactional: _____,
      ...base
    } = goodLoad();
    return {
      ...base,
      kind: 'consumer',
      name: 'c',
      asked,
      output: readConsumer(kafkaCase(`${name}.stdout`)),
      maxPollRecords: 500,
      ...over,
    };
  };
  const only = (load: ConsumerEvidence): string[] =>
    verdict(evidence({ loads: [load] })).reasons.map((found) => found.code);

  it('an overshoot below one poll is right, more is not', () => {
    expect(only(consumer('cons-success', 100_000))).toEqual([]);
    expect(only(consumer('cons-success', 100_000, { maxPollRecords: 300 }))).toEqual(['count-over']);
  });
  it('idle timeout and shortfall', () => {
    expect(only(consumer('cons-timeout-fewer-records', 50_000))).toEqual(['idle-timeout', 'consumer-short']);
  });
  it('detailed mode has no summary', () => {
    const found = verdict(evidence({ loads: [consumer('cons-detailed', 300_000)] }));
    expect(found.reasons).toMatchObject([
      { code: 'no-summary', message: 'c: no summary rows were printed; at least 215,041 records were read' },
    ]);
  });
  it('a total rate does not hold when the rebalance took half of the run', () => {
    expect(totalRateHolds(consumer('cons-success', 100_000))).toBe('the rebalance took 49.6 % of the run');
  });
});
