import { bytes, count, integer, mibPerS, number, percent } from '../text.ts';
import type { CloudWatchMedian, VolumeMedian } from './volume-medians.ts';
import type { VolumeRow } from './volume-rows.ts';
import { brokerName, type KubernetesView } from './view.ts';

/** What is not known, in a table. */
export const UNKNOWN = '–';

const shown = (value: number | null | undefined, as: (value: number) => string): string =>
  value === null || value === undefined ? UNKNOWN : as(value);

/** Headings of the table of medians; a name that begins with # heads numbers. */
export const MEDIAN_HEADS: readonly string[] = [
  'scenario',
  'broker',
  'volume',
  '#CloudWatch write MiB/s',
  '#CloudWatch write IOPS',
  '#of the window',
  '#in trials',
  '#device write MiB/s',
  '#device write IOPS',
  '#in trials',
];

/** Cells of a row of that table after the scenario. */
export function medianCells(
  view: KubernetesView,
  { volume, valid, cloudWatch, device }: VolumeMedian,
): string[] {
  const of = (n: number | undefined): string => `${integer(n ?? 0)} of ${integer(valid)}`;
  return [
    brokerName(view, volume),
    volume.volumeId ?? 'not known',
    shown(cloudWatch?.writeBytesPerS, mibPerS),
    shown(cloudWatch?.writeOpsPerS, number),
    cloudWatch === null ? UNKNOWN : coverageText(cloudWatch.coverage),
    of(cloudWatch?.n),
    shown(device?.writeBytesPerS, mibPerS),
    shown(device?.writeOpsPerS, number),
    of(device?.n),
  ];
}

/** `67 %`, or `67 % (50 to 83 %)` where it is not the same in all trials. */
export function coverageText({ low, median, high }: CloudWatchMedian['coverage']): string {
  const [from, middle, to] = [low, median, high].map(percent);
  return from === to ? `${middle}` : `${middle} (${from} to ${to})`;
}

/** Headings of the table of trials. */
export const ROW_HEADS: readonly string[] = [
  'broker',
  '#of the window',
  '#write MiB/s',
  '#write IOPS',
  '#mean write',
  '#read MiB/s',
  '#read IOPS',
  '#mean read',
  '#queue',
  '#bins above IOPS',
  '#bins above throughput',
  '#device write MiB/s',
  '#device write IOPS',
  '#CloudWatch ÷ device',
];

/** Cells of a row of that table. */
export function rowCells(view: KubernetesView, row: VolumeRow): string[] {
  const { cloudWatch: seen, device, agreement, volume } = row;
  const size = (value: number): string => bytes(Math.round(value));
  return [
    brokerName(view, volume),
    shown(seen?.write.coverage, percent),
    shown(seen?.write.bytesPerS, mibPerS),
    shown(seen?.write.opsPerS, number),
    shown(seen?.write.meanOpBytes, size),
    shown(seen?.read.bytesPerS, mibPerS),
    shown(seen?.read.opsPerS, number),
    shown(seen?.read.meanOpBytes, size),
    shown(seen?.queueLength, number),
    shown(seen?.iopsExceededBins, integer),
    shown(seen?.throughputExceededBins, integer),
    shown(device?.writeBytesPerS, mibPerS),
    shown(device?.writeOpsPerS, number),
    shown(agreement, number),
  ];
}

/** How far the two instruments agree where they may be compared; said also where they may not be. */
export function agreementText({ rows }: KubernetesView): string {
  const ratios = rows.flatMap(({ agreement }) => agreement ?? []);
  if (ratios.length === 0)
    return 'Written bytes of CloudWatch and of the nodes are compared nowhere: no trial has whole bins of the one that samples of the other cover.';
  const [low, high] = [number(Math.min(...ratios)), number(Math.max(...ratios))];
  const range = low === high ? low : `${low} to ${high}`;
  return `Written bytes, CloudWatch ÷ node over the same bins: ${range} in ${count(ratios.length, 'comparison')}, of ${integer(rows.length)} attempts × volumes.`;
}
