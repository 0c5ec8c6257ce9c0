import { expect, test } from 'vitest';
import { type MetricSeries, spacingOf } from '../../src/measure/cloudwatch.ts';
import { volumeUse, writeBins } from '../../src/measure/volume-use.ts';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 8, 2, 2, 0);

function series(metric: MetricSeries['metric'], minutes: readonly number[]): MetricSeries {
  const points = minutes.map((m) => ({ startMs: T0 + m * MINUTE, value: 60 }));
  const common = { resource: 'volume', id: 'vol-1', statistic: 'Sum', periodS: 60 } as const;
  return { ...common, metric, completeness: 'complete', spacingS: spacingOf(points), points };
}

const span = { fromMs: T0 + 0.5 * MINUTE, toMs: T0 + 4.5 * MINUTE };

test('the bins that bytes and operations both have, wholly inside: those that the coverage counts', () => {
  const all = [series('VolumeWriteBytes', [0, 1, 2, 3, 4]), series('VolumeWriteOps', [1, 3, 4])];
  const bins = writeBins(all, 'vol-1', span);
  expect(bins.map(({ fromMs, toMs }) => [(fromMs - T0) / MINUTE, (toMs - T0) / MINUTE])).toEqual([
    [1, 2],
    [3, 4],
  ]);
  const [use] = volumeUse(all, [{ trial: 't', ...span }]);
  expect(use?.volumes[0]?.write.coverage).toBe((bins.length * MINUTE) / (span.toMs - span.fromMs));
});

test('no bins: another volume, one metric missing, bins of unlike width', () => {
  const bytes = series('VolumeWriteBytes', [0, 1, 2, 3]);
  expect(writeBins([bytes, series('VolumeWriteOps', [1, 2])], 'vol-2', span)).toEqual([]);
  expect(writeBins([bytes], 'vol-1', span)).toEqual([]);
  expect(writeBins([bytes, series('VolumeWriteOps', [0, 5])], 'vol-1', span)).toEqual([]);
});
