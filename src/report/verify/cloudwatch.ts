import {
  type CloudWatchRecord,
  type MetricSeries,
  spacingOf,
  type TimeSpan,
} from '../../measure/cloudwatch.ts';
import { FILES } from '../../store/experiment-files.ts';
import { spanOf } from '../../store/trial-span.ts';
import { labsOf } from '../kubernetes/labs.ts';
import type { Results } from '../results.ts';
import { compareJson, type Compared, type Difference, together } from './compare.ts';

/**
 * What of `cloudwatch.json` follows from something else: the width of its bins from its points, its window from the
 * trials, whose volumes and nodes it speaks of from the lab. What each volume did in each trial is derived from it with the
 * rendered files.
 */
export function cloudWatchAgain(results: Results): Compared {
  const { metrics } = results;
  if (metrics === null) return { numbers: 0, differences: [] };
  const spacing = ({ series }: CloudWatchRecord, of: (one: MetricSeries) => number | null) => ({
    series: series.map((one) => ({ spacingS: of(one) })),
  });
  return together([
    compareJson(
      FILES.metrics,
      spacing(metrics, ({ spacingS }) => spacingS),
      spacing(metrics, ({ points }) => spacingOf(points)),
    ),
    { numbers: 0, differences: [...outside(metrics, spanOf(results.trials)), ...points(metrics)] },
    { numbers: 0, differences: strangers(metrics, results) },
  ]);
}

function differ(where: string, stored: string, derived: string): Difference {
  return { path: FILES.metrics, where, stored, derived };
}

function outside({ window }: CloudWatchRecord, span: TimeSpan | null): readonly Difference[] {
  if (span === null || (window.fromMs <= span.fromMs && window.toMs >= span.toMs)) return [];
  const text = ({ fromMs, toMs }: TimeSpan): string => `${fromMs} to ${toMs}`;
  return [differ('window', text(window), `at least ${text(span)}: that is when trials ran`)];
}

/** Each bin once, in order, inside the window that was asked for. */
function points({ series, window }: CloudWatchRecord): readonly Difference[] {
  return series.flatMap((one, i) =>
    one.points.flatMap(({ startMs }, j) => {
      const before = one.points[j - 1]?.startMs ?? Number.NEGATIVE_INFINITY;
      const fits = startMs > before && startMs >= window.fromMs && startMs < window.toMs;
      const where = `series[${i}].points[${j}].startMs`;
      return fits
        ? []
        : [differ(where, String(startMs), 'a later bin than the one before, inside the window')];
    }),
  );
}

/** Series of what is no volume and no node of the lab. */
function strangers({ series }: CloudWatchRecord, results: Results): readonly Difference[] {
  const labs = labsOf(results);
  const ids = new Set([
    ...labs.flatMap(({ environment }) => (environment.volumes ?? []).map(({ volumeId }) => volumeId)),
    ...labs.flatMap(({ environment }) => (environment.pods ?? []).map(({ facts }) => facts['instance'])),
  ]);
  return series.flatMap(({ id }, i) =>
    ids.has(id) ? [] : [differ(`series[${i}].id`, id, 'a volume or node that environment.json knows')],
  );
}
