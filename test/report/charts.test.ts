import { expect, test } from 'vitest';
import { niceStep, valueRange } from '../../src/report/charts/draw.ts';
import { byBlock } from '../../src/report/charts/by-block.ts';
import { ratioAxis } from '../../src/report/charts/ratio-axis.ts';
import { trialSeries } from '../../src/report/charts/series.ts';
import { COMPLETED } from './fixture-cases.ts';
import { RECORD_BYTES } from './fixture-plan.ts';
import { trials } from './fixture-trials.ts';
import { modelOf } from './harness.ts';

test('an axis begins at 0 unless all values lie close together, and then says so', () => {
  expect(valueRange([20, 60])).toEqual({ min: 0, max: 80, cut: false });
  const near = valueRange([61, 63]);
  expect(near.cut).toBe(true);
  expect(near.min).toBeGreaterThan(50);
  expect(near.min).toBeLessThan(61);
  expect(near.max).toBeGreaterThan(63);
  expect([0.3, 1, 1.1, 2.1, 26, 70].map(niceStep)).toEqual([0.5, 1, 2, 2.5, 50, 100]);
});

test('the window lies on the clock of the load, and a stall is kept', () => {
  const first = trials(COMPLETED)[0];
  const series = first && trialSeries(first);
  expect(series?.window).toEqual({ fromS: 5, toS: 18 });
  expect(series?.points).toHaveLength(20);
  expect(series?.stalls).toHaveLength(1);
});

test('loads of one trial are summed at the same moment, each on its own start', () => {
  const one = trials(COMPLETED)[0];
  if (!one?.rate || !one.loads[0]) throw new Error('no load');
  const flat = (startedAtMs: number, records: number) => ({
    ...one.loads[0]!,
    startedAtMs,
    series: [0, 1, 2].map((i) => ({
      endMs: (i + 1) * 1000,
      lengthMs: 1000,
      records,
      avgLatencyMs: null,
      stall: false,
    })),
  });
  const both = trialSeries({ ...one, loads: [flat(10_000, 100), flat(12_000, 10)] });
  const perS = both?.points.map(([s, bytes]) => [s, Math.round(bytes / RECORD_BYTES)]);
  expect(perS).toEqual([
    [0.5, 100],
    [1.5, 100],
    [2.5, 110],
    [3.5, 10],
    [4.5, 10],
  ]);
});

test('the ratio axis shows 1, the margin, the interval and every block, inside the picture', async () => {
  const drawn = ratioAxis.draw(await modelOf(COMPLETED))?.body.text ?? '';
  expect(drawn.match(/class="block"/g)).toHaveLength(6);
  for (const name of ['margin', 'one', 'bar', 'point'])
    expect(drawn.match(new RegExp(`class="${name}"`, 'g'))).toHaveLength(1);
  for (const [, x] of drawn.matchAll(/\b(?:x|x1|x2|cx)="([\d.-]+)"/g)) {
    expect(Number(x)).toBeGreaterThanOrEqual(0);
    expect(Number(x)).toBeLessThanOrEqual(760);
  }
});

test('the chart by block says the rate of each valid trial in words', async () => {
  const drawn = byBlock.draw(await modelOf(COMPLETED))?.body.text ?? '';
  expect(drawn).toMatch(/<desc[^>]*>batch=4KiB, MiB\/s: [\d.]+ in block 1, .* in block 6\. batch=64KiB/);
});
