import type {
  CloudWatchRecord,
  InstanceMetric,
  MetricSeries,
  VolumeMetric,
} from '../../measure/cloudwatch.ts';
import type { NumberedLab } from '../results.ts';
import { mibPerS, number, percent } from '../text.ts';

/** One extreme of one metric of a node or volume while trials ran. */
export interface CreditFigure {
  /** With its unit: `network in, busiest bin, MiB/s`. */
  readonly name: string;
  /** null = CloudWatch has none: not applicable or not measured, never 0. */
  readonly text: string | null;
}

export interface CreditRow {
  /** `i-…` or `vol-…`. */
  readonly id: string;
  /** Who of the lab is there: `broker b1, client c1`. */
  readonly who: string;
  readonly figures: readonly CreditFigure[];
}

interface Figure {
  readonly name: string;
  readonly metric: InstanceMetric | VolumeMetric;
  readonly most: boolean;
  /** @param spacingS width of a bin. */
  readonly show: (value: number, spacingS: number) => string;
}

const balance = (value: number): string => `${number(value)} %`;
const sumPerS = (value: number, spacingS: number): string => mibPerS(value / spacingS);

/** Network in and out have buckets of credits each, as volumes and CPUs have: nothing here is ever added. */
const FIGURES: readonly Figure[] = [
  { name: 'network in, busiest bin, MiB/s', metric: 'NetworkIn', most: true, show: sumPerS },
  { name: 'network out, busiest bin, MiB/s', metric: 'NetworkOut', most: true, show: sumPerS },
  { name: 'EBS I/O credits, lowest', metric: 'EBSIOBalance%', most: false, show: balance },
  { name: 'EBS byte credits, lowest', metric: 'EBSByteBalance%', most: false, show: balance },
  { name: 'burst credits of the volume, lowest', metric: 'BurstBalance', most: false, show: balance },
  { name: 'CPU credits, lowest', metric: 'CPUCreditBalance', most: false, show: number },
  { name: 'CPU, busiest bin', metric: 'CPUUtilization', most: true, show: (value) => percent(value / 100) },
];

/** Nodes, and volumes that have credits, of which CloudWatch has any of these figures. */
export function creditRows(
  metrics: CloudWatchRecord | null,
  labs: readonly NumberedLab[],
): readonly CreditRow[] {
  const series = metrics?.series ?? [];
  const ids = [...new Set(series.map(({ id }) => id))];
  return ids.flatMap((id) => {
    const mine = series.filter((one) => one.id === id);
    const figures = FIGURES.map((figure) => ({ name: figure.name, text: extreme(figure, mine) }));
    return figures.some(({ text }) => text !== null) ? [{ id, who: whoIsAt(id, labs), figures }] : [];
  });
}

function extreme({ metric, most, show }: Figure, series: readonly MetricSeries[]): string | null {
  const one = series.find((s) => s.metric === metric);
  if (one === undefined || one.points.length === 0) return null;
  const values = one.points.map(({ value }) => value);
  const found = most ? Math.max(...values) : Math.min(...values);
  // A sum has no rate where the width of its bins does not show.
  if (one.spacingS === null) return one.statistic === 'Sum' ? null : show(found, 1);
  const width = one.spacingS === 60 ? '' : ` (bins of ${number(one.spacingS / 60)} min)`;
  return `${show(found, one.spacingS)}${width}`;
}

function whoIsAt(id: string, labs: readonly NumberedLab[]): string {
  const pods = labs.flatMap(({ environment }) => environment.pods ?? []);
  const volumes = labs.flatMap(({ environment }) => environment.volumes ?? []);
  const names = [
    ...pods.filter(({ facts }) => facts['instance'] === id).map(({ who }) => who),
    ...volumes.filter(({ volumeId }) => volumeId === id).map(({ broker }) => `broker ${broker}`),
  ];
  return [...new Set(names)].join(', ') || 'unknown';
}
