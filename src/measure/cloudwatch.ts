/** A stretch of time, start inclusive, end exclusive. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Metrics of a volume (AWS/EBS). */
export type VolumeMetric =
  | 'VolumeReadBytes'
  | 'VolumeWriteBytes'
  | 'VolumeReadOps'
  | 'VolumeWriteOps'
  | 'VolumeTotalReadTime'
  | 'VolumeTotalWriteTime'
  | 'VolumeIdleTime'
  | 'VolumeQueueLength'
  | 'VolumeIOPSExceededCheck'
  | 'VolumeThroughputExceededCheck'
  | 'BurstBalance';

/** Metrics of an instance (AWS/EC2). Network in and out have buckets of credits each: they are never added. */
export type InstanceMetric =
  | 'EBSIOBalance%'
  | 'EBSByteBalance%'
  | 'NetworkIn'
  | 'NetworkOut'
  | 'CPUUtilization'
  | 'CPUCreditBalance';

export type Statistic = 'Sum' | 'Average' | 'Minimum' | 'Maximum';

export interface MetricPoint {
  /** Start of the bin. */
  readonly startMs: number;
  readonly value: number;
}

/** One metric of one resource. No points = CloudWatch has none: not applicable or not measured, never 0. */
export interface MetricSeries {
  readonly resource: 'volume' | 'instance';
  /** `vol-…` or `i-…`. */
  readonly id: string;
  readonly metric: VolumeMetric | InstanceMetric;
  readonly statistic: Statistic;
  /** Width of a bin as it was asked for. */
  readonly periodS: number;
  /** Width of a bin as the points show it: basic monitoring and age make it coarser. null = it does not show. */
  readonly spacingS: number | null;
  /** `partial`: CloudWatch still said PartialData or InternalError when patience ended. */
  readonly completeness: 'complete' | 'partial' | 'forbidden';
  readonly points: readonly MetricPoint[];
}

/** `cloudwatch.json`: everything that CloudWatch said of the volumes and nodes of an experiment. */
export interface CloudWatchRecord {
  readonly format: 1;
  readonly region: string;
  /** Whole bins around the experiment. */
  readonly window: TimeSpan;
  /** Of the last read, ISO 8601. */
  readonly readAt: string;
  readonly reads: number;
  /** `stable`: two reads agree and the end is there; `provisional`: points may still arrive. */
  readonly state: 'stable' | 'provisional';
  readonly series: readonly MetricSeries[];
  /** What else has to be known, in whole sentences. */
  readonly notes: readonly string[];
}

/** Widths that CloudWatch keeps: a minute for 15 days, then five, then an hour. */
const KEPT_WIDTHS_S = [3_600, 300, 60] as const;

/**
 * Width of the bins that a series really has, from where its points lie. Not the smallest gap: a point may be
 * missing. A single point on a five-minute mark could be either, so it says nothing.
 */
export function spacingOf(points: readonly MetricPoint[]): number | null {
  const width = KEPT_WIDTHS_S.find((s) => points.every(({ startMs }) => startMs % (s * 1_000) === 0));
  if (points.length === 0 || width === undefined) return null;
  return points.length === 1 && width !== 60 ? null : width;
}
