import type { MetricSeries, TimeSpan, VolumeMetric } from './cloudwatch.ts';

/** Reads or writes of a volume over the whole bins inside a trial's window. null = not known, never 0. */
export interface DirectionUse {
  /** Σ bytes ÷ time of the bins. */
  readonly bytesPerS: number | null;
  /** Σ operations ÷ time of the bins. */
  readonly opsPerS: number | null;
  /** Σ bytes ÷ Σ operations; null when there was none: then there is no size. */
  readonly meanOpBytes: number | null;
  /** Σ time of operations ÷ Σ operations; may exceed what a clock shows, since operations overlap. */
  readonly meanOpMs: number | null;
  /** Share of the window that these bins cover, 0 to 1. */
  readonly coverage: number;
}

/** What CloudWatch says of one volume in one trial. */
export interface VolumeUse {
  readonly volumeId: string;
  readonly read: DirectionUse;
  readonly write: DirectionUse;
  /** Mean of the bins' mean queue lengths. */
  readonly queueLength: number | null;
  /** Bins in which the volume was asked for more than it is provisioned for: bursts that a minute's sum hides. */
  readonly iopsExceededBins: number | null;
  readonly throughputExceededBins: number | null;
}

export interface TrialSpan extends TimeSpan {
  /** `b1/batch=64KiB/a1`. */
  readonly trial: string;
}

export interface TrialVolumes extends TrialSpan {
  readonly volumes: readonly VolumeUse[];
}

/**
 * What each volume did in each trial. Only bins that lie wholly inside the trial's window count: a 90 s trial touches
 * two or three bins that also hold what happened before and after it. Rates are Σ ÷ time, from Sum alone (an Average
 * is per operation on one hypervisor and per period on the other).
 *
 * @param series of a CloudWatchRecord; those of instances are left aside.
 */
export function volumeUse(
  series: readonly MetricSeries[],
  trials: readonly TrialSpan[],
): readonly TrialVolumes[] {
  const ofVolumes = series.filter(({ resource }) => resource === 'volume');
  const ids = [...new Set(ofVolumes.map(({ id }) => id))];
  return trials.map((trial) => ({
    ...trial,
    volumes: ids.map((id) =>
      useOf(id, new Map(ofVolumes.filter((s) => s.id === id).map((s) => [s.metric, s])), trial),
    ),
  }));
}

/**
 * The very bins that the written bytes of a volume in a trial come from, so that another instrument can be read over
 * the same time. Empty = there are none, and nothing to compare.
 */
export function writeBins(
  series: readonly MetricSeries[],
  volumeId: string,
  span: TimeSpan,
): readonly TimeSpan[] {
  const mine = series.filter(({ resource, id }) => resource === 'volume' && id === volumeId);
  const of = (name: VolumeMetric) =>
    binsInside(
      mine.find(({ metric }) => metric === name),
      span,
    );
  const [bytes, ops] = [of('VolumeWriteBytes'), of('VolumeWriteOps')];
  if (!bytes || !ops) return [];
  return sharedStarts(bytes, ops).map((fromMs) => ({ fromMs, toMs: fromMs + bytes.widthMs }));
}

type OfVolume = ReadonlyMap<string, MetricSeries>;

function useOf(volumeId: string, metrics: OfVolume, span: TimeSpan): VolumeUse {
  const values = (metric: VolumeMetric) => [
    ...(binsInside(metrics.get(metric), span)?.values.values() ?? []),
  ];
  const exceeded = (metric: VolumeMetric) => countOrNull(values(metric), (value) => value > 0);
  const queue = values('VolumeQueueLength');
  return {
    volumeId,
    read: direction(metrics, ['VolumeReadBytes', 'VolumeReadOps', 'VolumeTotalReadTime'], span),
    write: direction(metrics, ['VolumeWriteBytes', 'VolumeWriteOps', 'VolumeTotalWriteTime'], span),
    queueLength: queue.length === 0 ? null : total(queue) / queue.length,
    iopsExceededBins: exceeded('VolumeIOPSExceededCheck'),
    throughputExceededBins: exceeded('VolumeThroughputExceededCheck'),
  };
}

interface Bins {
  readonly widthMs: number;
  /** Start of the bin → value. */
  readonly values: ReadonlyMap<number, number>;
}

/** Bins that lie wholly in the span; null where the width of bins does not show. */
function binsInside(series: MetricSeries | undefined, { fromMs, toMs }: TimeSpan): Bins | null {
  if (series === undefined || series.spacingS === null) return null;
  const widthMs = series.spacingS * 1_000;
  const inside = series.points.filter(({ startMs }) => startMs >= fromMs && startMs + widthMs <= toMs);
  return { widthMs, values: new Map(inside.map(({ startMs, value }) => [startMs, value])) };
}

const UNKNOWN: DirectionUse = {
  bytesPerS: null,
  opsPerS: null,
  meanOpBytes: null,
  meanOpMs: null,
  coverage: 0,
};

/** Over the bins that have both bytes and operations, so that their quotient means something. */
function direction(
  metrics: OfVolume,
  [bytesName, opsName, timeName]: readonly [VolumeMetric, VolumeMetric, VolumeMetric],
  span: TimeSpan,
): DirectionUse {
  const [bytes, ops, time] = [bytesName, opsName, timeName].map((m) => binsInside(metrics.get(m), span));
  if (!bytes || !ops) return UNKNOWN;
  const shared = sharedStarts(bytes, ops);
  if (shared.length === 0) return UNKNOWN;
  const sum = ({ values }: Bins) => total(shared.map((start) => values.get(start) ?? 0));
  const seconds = (shared.length * bytes.widthMs) / 1_000;
  const [bytesSum, opsSum] = [sum(bytes), sum(ops)];
  const timed = time?.widthMs === ops.widthMs && shared.every((start) => time.values.has(start));
  return {
    bytesPerS: bytesSum / seconds,
    opsPerS: opsSum / seconds,
    meanOpBytes: opsSum === 0 ? null : bytesSum / opsSum,
    meanOpMs: opsSum === 0 || !timed ? null : (sum(time) * 1_000) / opsSum,
    coverage: (seconds * 1_000) / (span.toMs - span.fromMs),
  };
}

/** Starts of the bins that both have; none where they are not equally wide. */
function sharedStarts(bytes: Bins, ops: Bins): readonly number[] {
  if (bytes.widthMs !== ops.widthMs) return [];
  return [...bytes.values.keys()].filter((start) => ops.values.has(start));
}

function countOrNull(values: readonly number[], counts: (value: number) => boolean): number | null {
  return values.length === 0 ? null : values.filter(counts).length;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, v) => sum + v, 0);
}
