import type {
  InstanceMetric,
  MetricSeries,
  Statistic,
  TimeSpan,
  VolumeMetric,
} from '../measure/cloudwatch.ts';

/** The volumes and nodes of a lab that CloudWatch is asked about. */
export interface Watched {
  readonly volumes: readonly { readonly id: string /** `gp3` */; readonly type: string }[];
  readonly instances: readonly { readonly id: string /** `m5.xlarge` */; readonly type: string }[];
}

/** One metric of one resource, as it is asked for. */
export interface MetricQuery
  extends Pick<MetricSeries, 'resource' | 'id' | 'metric' | 'statistic' | 'periodS'> {
  /** Its name in the request; unique in a read. */
  readonly queryId: string;
}

interface Asked<Metric> {
  readonly metric: Metric;
  readonly statistic: Statistic;
  readonly periodS: number;
  /** Types that have it; left out = all. */
  readonly types?: RegExp;
}

/**
 * Sum for whatever is counted: an Average of bytes is per operation on Xen and per period on Nitro. A queue length, a
 * share and a check have no sum that means anything.
 */
const OF_VOLUMES: readonly Asked<VolumeMetric>[] = [
  { metric: 'VolumeReadBytes', statistic: 'Sum', periodS: 60 },
  { metric: 'VolumeWriteBytes', statistic: 'Sum', periodS: 60 },
  { metric: 'VolumeReadOps', statistic: 'Sum', periodS: 60 },
  { metric: 'VolumeWriteOps', statistic: 'Sum', periodS: 60 },
  { metric: 'VolumeTotalReadTime', statistic: 'Sum', periodS: 60 },
  { metric: 'VolumeTotalWriteTime', statistic: 'Sum', periodS: 60 },
  { metric: 'VolumeIdleTime', statistic: 'Sum', periodS: 60 },
  { metric: 'VolumeQueueLength', statistic: 'Average', periodS: 60 },
  { metric: 'VolumeIOPSExceededCheck', statistic: 'Maximum', periodS: 60 },
  { metric: 'VolumeThroughputExceededCheck', statistic: 'Maximum', periodS: 60 },
  { metric: 'BurstBalance', statistic: 'Minimum', periodS: 60, types: /^(gp2|st1|sc1)$/ },
];

/** Balances come every five minutes; only instances that burst their CPU have credits for it. */
const OF_INSTANCES: readonly Asked<InstanceMetric>[] = [
  { metric: 'EBSIOBalance%', statistic: 'Minimum', periodS: 300 },
  { metric: 'EBSByteBalance%', statistic: 'Minimum', periodS: 300 },
  { metric: 'NetworkIn', statistic: 'Sum', periodS: 60 },
  { metric: 'NetworkOut', statistic: 'Sum', periodS: 60 },
  { metric: 'CPUUtilization', statistic: 'Average', periodS: 60 },
  { metric: 'CPUCreditBalance', statistic: 'Minimum', periodS: 300, types: /^t\d/ },
];

/** Most queries that one GetMetricData takes. */
const MOST_QUERIES = 500;

/** Every metric of every watched resource, each resource once. */
export function queriesFor({ volumes, instances }: Watched): readonly MetricQuery[] {
  const of = <Metric extends MetricSeries['metric']>(
    resource: MetricSeries['resource'],
    each: Watched['volumes'],
    asked: readonly Asked<Metric>[],
  ) =>
    [...new Map(each.map((one) => [one.id, one])).values()].flatMap(({ id, type }) =>
      asked
        .filter(({ types }) => types?.test(type) ?? true)
        .map(({ metric, statistic, periodS }) => ({ resource, id, metric, statistic, periodS })),
    );
  const all = [...of('volume', volumes, OF_VOLUMES), ...of('instance', instances, OF_INSTANCES)];
  return all.map((query, index) => ({ ...query, queryId: `q${index}` }));
}

/** Queries in as few requests as the limit allows: they are billed by metric, not by request. */
export function inRequests(queries: readonly MetricQuery[]): readonly (readonly MetricQuery[])[] {
  const requests = Math.ceil(queries.length / MOST_QUERIES);
  return Array.from({ length: requests }, (_, i) => queries.slice(i * MOST_QUERIES, (i + 1) * MOST_QUERIES));
}

const NAMESPACES = {
  volume: { namespace: 'AWS/EBS', dimension: 'VolumeId' },
  instance: { namespace: 'AWS/EC2', dimension: 'InstanceId' },
} as const;

/** A query in the words of the API. */
export function asDataQuery({ queryId, resource, id, metric, statistic, periodS }: MetricQuery) {
  const { namespace, dimension } = NAMESPACES[resource];
  return {
    Id: queryId,
    MetricStat: {
      Metric: { Namespace: namespace, MetricName: metric, Dimensions: [{ Name: dimension, Value: id }] },
      Period: periodS,
      Stat: statistic,
    },
    ReturnData: true,
  };
}

const GRID_MS = 300_000;

/** The window in whole five minutes around a stretch of time, so that bins of every width start where AWS starts them. */
export function gridAround({ fromMs, toMs }: TimeSpan): TimeSpan {
  return { fromMs: Math.floor(fromMs / GRID_MS) * GRID_MS, toMs: Math.ceil(toMs / GRID_MS) * GRID_MS };
}
