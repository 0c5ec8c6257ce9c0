import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Billed,
  budgetHolds,
  costFor,
  costOf,
  HOURS_A_MONTH,
  type PriceTable,
  usdPerHour,
  usdText,
} from '../../src/design/cost.ts';

/** Seoul, as the reference report has them. */
const PRICES: PriceTable = {
  date: '2026-09',
  usdPerHourByInstanceType: { 'm5.xlarge': 0.236, 'm5.large': 0.118 },
  usdPerGbMonthByVolumeType: { gp3: 0.0912, gp2: 0.114 },
  usdPerIopsMonth: 0.0057,
  usdPerMiBpsMonth: 0.0456,
};
const MINUTE = 60_000;
const brokers: Billed = { kind: 'instance', count: 3, type: 'm5.xlarge' };
const volumes: Billed = {
  kind: 'volume',
  count: 3,
  type: 'gp3',
  sizeGiB: 100,
  iops: 3_000,
  throughputMiBps: 125,
};

describe('the arithmetic of the reference', () => {
  const run = costOf(
    [
      { ...brokers, fromMs: 0, toMs: 50 * MINUTE },
      { ...volumes, fromMs: 5 * MINUTE, toMs: 44 * MINUTE },
    ],
    PRICES,
    99 * MINUTE,
  );

  test('three brokers for 50 minutes: $0.590', () => {
    expect(run.items[0]).toMatchObject({ what: '3 × m5.xlarge' });
    expect(run.items[0]?.usd).toBeCloseTo(0.59, 10);
  });
  test('three volumes of 100 GiB for 39 minutes: $0.02436', () => {
    expect(run.items[1]).toMatchObject({ what: '3 × 100 GiB gp3' });
    expect(run.items[1]?.usd?.toFixed(5)).toBe('0.02436');
  });
  test('both: about $0.614', () => {
    expect(run.usd.toFixed(3)).toBe('0.614');
    expect(usdText(run.usd)).toBe('$0.614');
  });
  test('a month: $544.20', () => {
    expect(usdText(costFor([brokers, volumes], PRICES, HOURS_A_MONTH).usd)).toBe('$544.20');
  });
});

describe('what a volume costs', () => {
  test('IOPS and throughput beyond what gp3 has are paid for', () => {
    const fast: Billed = { ...volumes, count: 1, iops: 6_000, throughputMiBps: 250 };
    const month = (usdPerHour(fast, PRICES) ?? 0) * HOURS_A_MONTH;
    expect(month).toBeCloseTo(100 * 0.0912 + 3_000 * 0.0057 + 125 * 0.0456, 10);
    expect(costFor([fast], PRICES, 1).items[0]?.what).toBe('1 × 100 GiB gp3, 6000 IOPS, 250 MiB/s');
  });
  test.each([
    ['a type that the table lacks', { ...volumes, type: 'st1' }],
    ['IOPS of io2', { ...volumes, type: 'io2', iops: 9_000 }],
    ['an instance that the table lacks', { ...brokers, type: 'm7i.xlarge' }],
  ] as const)('%s has no price, and is named: never taken for nothing silently', (_, billed) => {
    const cost = costFor([brokers, billed], PRICES, 2);
    expect(cost.items[1]?.usd).toBeNull();
    expect(cost.unpriced).toHaveLength(1);
    expect(cost.usd).toBeCloseTo(3 * 0.236 * 2, 10);
  });
  test('extra IOPS without a price for them have none', () => {
    const prices = { ...PRICES, usdPerIopsMonth: null };
    expect(usdPerHour({ ...volumes, iops: 3_001 }, prices)).toBeNull();
    expect(usdPerHour(volumes, prices)).not.toBeNull();
  });
});

describe('costOf', () => {
  test('grows while a thing is there, and stays when it is gone', () => {
    const spans = [{ ...brokers, fromMs: 0, toMs: null }];
    expect(costOf(spans, PRICES, 60 * MINUTE).usd).toBeCloseTo(0.708, 10);
    expect(costOf(spans, PRICES, 120 * MINUTE).usd).toBeCloseTo(1.416, 10);
    expect(costOf(spans, PRICES, -5).usd).toBe(0);
  });
  test('is the same for a time as a whole and in two parts', () => {
    fc.assert(
      fc.property(fc.nat(1e8), fc.nat(1e8), (one, two) => {
        const whole = costOf([{ ...volumes, fromMs: 0, toMs: one + two }], PRICES, 0).usd;
        const parts = costOf(
          [
            { ...volumes, fromMs: 0, toMs: one },
            { ...volumes, fromMs: one, toMs: one + two },
          ],
          PRICES,
          0,
        ).usd;
        expect(parts).toBeCloseTo(whole, 9);
      }),
    );
  });
});

describe('the budget at a block boundary', () => {
  const accrued = costOf([{ ...brokers, fromMs: 0, toMs: null }], PRICES, 60 * MINUTE);
  const ask = (limitUsd: number | null, nextBlockMs = 20 * MINUTE) =>
    budgetHolds({ limitUsd, accrued, usdPerHour: 0.75, nextBlockMs, afterwardsMs: 10 * MINUTE });

  test('holds while the next block and the end fit', () => {
    expect(ask(1.1)).toEqual({
      enough: true,
      message:
        'about $0.708 so far, $0.375 for the next block and the end: within the $1.10 of design.budget.usd',
    });
    expect(ask(1.08).enough).toBe(false);
    expect(ask(1.1, 30 * MINUTE).message).toContain('above the $1.10');
  });
  test('without a limit it always holds', () => {
    expect(ask(null)).toMatchObject({ enough: true });
  });
  test('says what it is blind to', () => {
    const blind = costFor([{ ...brokers, type: 'x9.huge' }], PRICES, 1);
    const { message } = budgetHolds({
      limitUsd: 5,
      accrued: blind,
      usdPerHour: 0,
      nextBlockMs: 0,
      afterwardsMs: 0,
    });
    expect(message).toContain('without a price: 3 × x9.huge');
  });
});

test.each([
  [0, '$0'],
  [0.02436, '$0.0244'],
  [0.59, '$0.590'],
  [1.1, '$1.10'],
  [544.2, '$544.20'],
  [12345.678, '$12345.68'],
])('%d dollars are written %s', (usd, text) => {
  expect(usdText(usd)).toBe(text);
});
