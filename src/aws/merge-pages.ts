import { type MetricSeries, spacingOf, type TimeSpan } from '../measure/cloudwatch.ts';
import type { MetricQuery } from './metric-queries.ts';

/** One result of one page of GetMetricData. */
export interface PageResult {
  readonly queryId: string;
  /** `Complete`, `PartialData`, `InternalError`, `Forbidden`. */
  readonly status: string;
  readonly startsMs: readonly number[];
  readonly values: readonly number[];
}

/**
 * Puts the pages of a read together: one query comes on several pages, with points that may overlap and in any order.
 * The last status of a query counts (PartialData, then Complete); the last value of a bin does too.
 *
 * @param pages in the order in which they came.
 * @param window points outside are left out: what CloudWatch rounds to must not count twice.
 * @returns one series a query, points oldest first; no points where no page had one.
 */
export function mergePages(
  queries: readonly MetricQuery[],
  pages: readonly (readonly PageResult[])[],
  { fromMs, toMs }: TimeSpan,
): readonly MetricSeries[] {
  const results = pages.flat();
  return queries.map(({ queryId, ...query }) => {
    const mine = results.filter((result) => result.queryId === queryId);
    const values = new Map(
      mine.flatMap(({ startsMs, values }) =>
        startsMs.flatMap((startMs, i) => {
          const value = values[i];
          return value === undefined || startMs < fromMs || startMs >= toMs
            ? []
            : [[startMs, value] as const];
        }),
      ),
    );
    const points = [...values].sort(([a], [b]) => a - b).map(([startMs, value]) => ({ startMs, value }));
    return { ...query, spacingS: spacingOf(points), completeness: completeness(mine.at(-1)?.status), points };
  });
}

function completeness(status: string | undefined): MetricSeries['completeness'] {
  if (status === 'Complete') return 'complete';
  return status === 'Forbidden' ? 'forbidden' : 'partial';
}

/** Whether two reads say the same of every series. */
export function agree(one: readonly MetricSeries[], other: readonly MetricSeries[]): boolean {
  const said = (series: readonly MetricSeries[]) =>
    JSON.stringify(series.map(({ id, metric, completeness, points }) => [id, metric, completeness, points]));
  return said(one) === said(other);
}

/** Whether every volume has a point in the last whole minute before the end: nothing younger is to come. */
export function reachesEnd(series: readonly MetricSeries[], endMs: number): boolean {
  const lastStartMs = Math.floor(endMs / 60_000) * 60_000 - 60_000;
  const writes = series.filter(({ metric }) => metric === 'VolumeWriteBytes');
  return writes.length > 0 && writes.every(({ points }) => (points.at(-1)?.startMs ?? 0) >= lastStartMs);
}
