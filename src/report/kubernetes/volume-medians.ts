import { median } from '../../analysis/statistics/describe.ts';
import type { Plan } from '../../design/plan.ts';
import type { LabVolume, VolumeRow } from './volume-rows.ts';

/** What one volume did under one scenario: medians over its valid trials. Descriptive: no verdict rests on them. */
export interface VolumeMedian {
  readonly scenario: string;
  /** Position in the plan, from 0. */
  readonly index: number;
  readonly volume: LabVolume;
  /** Valid trials of measured blocks in that lab. */
  readonly valid: number;
  readonly cloudWatch: CloudWatchMedian | null;
  readonly device: DeviceMedian | null;
}

/** Over the trials in which CloudWatch has whole bins. */
export interface CloudWatchMedian {
  readonly n: number;
  readonly writeBytesPerS: number;
  readonly writeOpsPerS: number;
  /** Shares of the windows that these bins cover. */
  readonly coverage: { readonly low: number; readonly median: number; readonly high: number };
}

/** Over the trials in which the node's counters were sampled. */
export interface DeviceMedian {
  readonly n: number;
  readonly writeBytesPerS: number;
  readonly writeOpsPerS: number;
}

/** In the plan's order; a volume under a scenario without a valid trial is left out. */
export function volumeMedians({ scenarios }: Plan, rows: readonly VolumeRow[]): readonly VolumeMedian[] {
  const measured = rows.filter(({ trial }) => trial.block > 0 && trial.verdict.valid);
  const volumes = [...new Set(measured.map(({ volume }) => volume))];
  return scenarios.flatMap(({ slug }, index) =>
    volumes.flatMap((volume) => {
      const mine = measured.filter((row) => row.volume === volume && row.trial.scenario === slug);
      if (mine.length === 0) return [];
      const figures = { cloudWatch: ofCloudWatch(mine), device: ofDevice(mine) };
      return [{ scenario: slug, index, volume, valid: mine.length, ...figures }];
    }),
  );
}

function ofCloudWatch(rows: readonly VolumeRow[]): CloudWatchMedian | null {
  const known = rows.flatMap(({ cloudWatch }) => {
    const { bytesPerS, opsPerS, coverage } = cloudWatch?.write ?? UNKNOWN;
    return bytesPerS === null || opsPerS === null ? [] : [{ bytesPerS, opsPerS, coverage }];
  });
  if (known.length === 0) return null;
  const coverages = known.map(({ coverage }) => coverage);
  return {
    n: known.length,
    writeBytesPerS: median(known.map(({ bytesPerS }) => bytesPerS)),
    writeOpsPerS: median(known.map(({ opsPerS }) => opsPerS)),
    coverage: { low: Math.min(...coverages), median: median(coverages), high: Math.max(...coverages) },
  };
}

const UNKNOWN = { bytesPerS: null, opsPerS: null, coverage: 0 } as const;

function ofDevice(rows: readonly VolumeRow[]): DeviceMedian | null {
  const known = rows.flatMap(({ device }) => {
    if (device === null) return [];
    const { writeBytesPerS, writeOpsPerS } = device;
    return writeBytesPerS === null || writeOpsPerS === null ? [] : [{ writeBytesPerS, writeOpsPerS }];
  });
  if (known.length === 0) return null;
  return {
    n: known.length,
    writeBytesPerS: median(known.map(({ writeBytesPerS }) => writeBytesPerS)),
    writeOpsPerS: median(known.map(({ writeOpsPerS }) => writeOpsPerS)),
  };
}
