import type { Plan } from '../../design/plan.ts';
import { csvText, type Field } from '../csv-table.ts';
import { NOT_A_MEASUREMENT } from '../text.ts';
import type { CloudWatchView } from './cloudwatch-view.ts';
import type { VolumeRow } from './volume-rows.ts';

interface Column {
  readonly name: string;
  readonly of: (row: VolumeRow) => Field;
}

/**
 * One row an attempt and volume, void attempts and block 0 included, in the order they ran. Units stand in the header;
 * what is not known is empty, never 0. `cloudwatch_` is what EBS counted in whole bins inside the window, `device_` what the
 * node counted over the window, `same_bins_` the node again, over the bins of CloudWatch.
 */
export function volumesCsv(plan: Plan, cloudWatch: CloudWatchView, rows: readonly VolumeRow[]): string {
  const columns: readonly Column[] = [
    ...(plan.smoke === true ? [{ name: 'stamp', of: () => NOT_A_MEASUREMENT }] : []),
    ...IDENTITY,
    ...VOLUME,
    { name: 'cloudwatch_state', of: () => cloudWatch.state },
    ...CLOUDWATCH,
    ...DEVICE,
  ];
  return csvText(
    columns.map(({ name }) => name),
    rows.map((row) => columns.map(({ of }) => of(row))),
  );
}

const IDENTITY: readonly Column[] = [
  { name: 'trial', of: ({ trial }) => trial.id },
  { name: 'block', of: ({ trial }) => trial.block },
  { name: 'pass', of: ({ trial }) => trial.pass },
  { name: 'scenario', of: ({ trial }) => trial.scenario },
  { name: 'attempt', of: ({ trial }) => trial.attempt },
  { name: 'valid', of: ({ trial }) => trial.verdict.valid },
  { name: 'window_from_epoch_ms', of: ({ window }) => window.fromMs },
  { name: 'window_to_epoch_ms', of: ({ window }) => window.toMs },
];

const VOLUME: readonly Column[] = [
  { name: 'lab', of: ({ volume }) => volume.lab },
  { name: 'broker', of: ({ volume }) => volume.broker },
  { name: 'node', of: ({ volume }) => volume.node },
  { name: 'claim', of: ({ volume }) => volume.claim },
  { name: 'volume_id', of: ({ volume }) => volume.volumeId },
  { name: 'device', of: ({ volume }) => volume.device },
  { name: 'mapping', of: ({ volume }) => volume.result },
];

const CLOUDWATCH: readonly Column[] = [
  { name: 'cloudwatch_completeness', of: ({ completeness }) => completeness },
  { name: 'cloudwatch_write_coverage_share', of: ({ cloudWatch: c }) => c?.write.coverage },
  { name: 'cloudwatch_write_bytes_per_s', of: ({ cloudWatch: c }) => c?.write.bytesPerS },
  { name: 'cloudwatch_write_ops_per_s', of: ({ cloudWatch: c }) => c?.write.opsPerS },
  { name: 'cloudwatch_write_mean_op_bytes', of: ({ cloudWatch: c }) => c?.write.meanOpBytes },
  { name: 'cloudwatch_write_mean_op_ms', of: ({ cloudWatch: c }) => c?.write.meanOpMs },
  { name: 'cloudwatch_read_coverage_share', of: ({ cloudWatch: c }) => c?.read.coverage },
  { name: 'cloudwatch_read_bytes_per_s', of: ({ cloudWatch: c }) => c?.read.bytesPerS },
  { name: 'cloudwatch_read_ops_per_s', of: ({ cloudWatch: c }) => c?.read.opsPerS },
  { name: 'cloudwatch_read_mean_op_bytes', of: ({ cloudWatch: c }) => c?.read.meanOpBytes },
  { name: 'cloudwatch_read_mean_op_ms', of: ({ cloudWatch: c }) => c?.read.meanOpMs },
  { name: 'cloudwatch_queue_length', of: ({ cloudWatch: c }) => c?.queueLength },
  { name: 'cloudwatch_iops_exceeded_bins', of: ({ cloudWatch: c }) => c?.iopsExceededBins },
  { name: 'cloudwatch_throughput_exceeded_bins', of: ({ cloudWatch: c }) => c?.throughputExceededBins },
];

const DEVICE: readonly Column[] = [
  { name: 'device_coverage_share', of: ({ device }) => device?.coverage },
  { name: 'device_write_bytes_per_s', of: ({ device }) => device?.writeBytesPerS },
  { name: 'device_write_ops_per_s', of: ({ device }) => device?.writeOpsPerS },
  { name: 'device_read_bytes_per_s', of: ({ device }) => device?.readBytesPerS },
  { name: 'device_read_ops_per_s', of: ({ device }) => device?.readOpsPerS },
  { name: 'same_bins_coverage_share', of: ({ sameBins }) => sameBins?.coverage },
  { name: 'same_bins_write_bytes_per_s', of: ({ sameBins }) => sameBins?.writeBytesPerS },
  { name: 'same_bins_write_ops_per_s', of: ({ sameBins }) => sameBins?.writeOpsPerS },
  { name: 'written_bytes_cloudwatch_per_device', of: ({ agreement }) => agreement },
];
