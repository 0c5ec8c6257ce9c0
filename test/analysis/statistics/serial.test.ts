import { expect, test } from 'vitest';
import { median, sampleSd } from '../../../src/analysis/statistics/describe.ts';
import { mser1 } from '../../../src/analysis/statistics/mser.ts';
import { pairedT } from '../../../src/analysis/statistics/paired-t.ts';
import { lag1Correlation, lag1Limit, trend } from '../../../src/analysis/statistics/serial.ts';

test('lag-1 correlation of a ramp and of an alternation', () => {
  expect(lag1Correlation([1, 2, 3, 4, 5])).toBeCloseTo(0.4, 12);
  expect(lag1Correlation([1, -1, 1, -1, 1, -1])).toBeCloseTo(-5 / 6, 12);
  expect(lag1Correlation([2, 2, 2, 2])).toBeNull();
});

test("Anderson's limit is that of his table for n = 10 and falls with n", () => {
  expect(lag1Limit(10)).toBeCloseTo(0.406, 2);
  expect(lag1Limit(20)).toBeLessThan(lag1Limit(6));
});

// R: summary(lm(y ~ x)) with x = 1…5, y = 2, 4, 5, 4, 5 → slope 0.6, p = 0.124.
test('trend is the least-squares slope with its p', () => {
  const line = trend([1, 2, 3, 4, 5], [2, 4, 5, 4, 5]);
  expect(line?.slope).toBeCloseTo(0.6, 12);
  expect(line?.p).toBeCloseTo(0.124, 3);
  expect(trend([1, 2, 3], [1, 2, 3])).toBeNull();
});

// Student 1908, the sleep data (R's datasets::sleep): t = 4.0621, p = 0.002833.
test("Student's sleep data", () => {
  const result = pairedT([1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4]);
  expect(result.mean).toBeCloseTo(1.58, 12);
  expect((result.mean / result.sd) * Math.sqrt(10)).toBeCloseTo(4.0621, 4);
  expect(result.p).toBeCloseTo(0.002833, 6);
  expect(pairedT([0, 0, 0]).p).toBe(1);
  expect(pairedT([1, 1, 1]).p).toBe(0);
});

test('median and standard deviation', () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2.5);
  expect(sampleSd([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(2.13809, 5);
});

test('MSER-1 cuts the ramp and nothing of a flat series', () => {
  const noise = (i: number): number => 1 + 0.02 * Math.sin(i * 7.3);
  const ramp = Array.from({ length: 30 }, (_, i) => (i < 5 ? 0.2 + 0.15 * i : noise(i)));
  expect(mser1(ramp, 10)).toBe(5);
  expect(
    mser1(
      Array.from({ length: 30 }, () => 1),
      10,
    ),
  ).toBe(0);
});

test('MSER-1 keeps what must be kept, and says when it cannot choose', () => {
  const rising = Array.from({ length: 15 }, (_, i) => i);
  expect(mser1(rising, 10)).toBeLessThanOrEqual(5);
  expect(mser1(rising, 15)).toBeNull();
});

test('MSER-1 equals its definition', () => {
  const x = [3, 9, 4, 8, 7.5, 7, 8, 7.2, 7.9, 7.4, 7.6, 7.1, 7.7, 7.3];
  const error = (cut: number): number => {
    const rest = x.slice(cut);
    const centre = rest.reduce((s, v) => s + v, 0) / rest.length;
    return rest.reduce((s, v) => s + (v - centre) ** 2, 0) / rest.length ** 2;
  };
  const cuts = Array.from({ length: x.length - 4 }, (_, i) => i);
  const best = cuts.reduce((a, b) => (error(b) < error(a) ? b : a));
  expect(mser1(x, 5)).toBe(best);
});
