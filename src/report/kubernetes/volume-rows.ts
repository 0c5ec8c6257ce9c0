import type { VolumeFacts } from '../../lab/lab.ts';
import type { CloudWatchRecord, MetricSeries, TimeSpan } from '../../measure/cloudwatch.ts';
import { type DeviceUse, deviceUse } from '../../measure/device-use.ts';
import { MIN_COVERAGE } from '../../measure/host-summary.ts';
import { type SampleInterval, sampleIntervals } from '../../measure/sample-intervals.ts';
import type { Samples } from '../../measure/sample.ts';
import type { TrialRecord } from '../../measure/trial-record.ts';
import { type VolumeUse, volumeUse, writeBins } from '../../measure/volume-use.ts';
import type { Results } from '../results.ts';
import { labOf, labsOf } from './labs.ts';
import { ofBroker, type PodSamples, trialWindow } from './pod-samples.ts';

/** The data volume of one broker of one lab. */
export interface LabVolume extends VolumeFacts {
  readonly lab: number;
}

/** One volume in one trial, by both instruments. They are never added: they saw the same bytes. */
export interface VolumeRow {
  readonly trial: TrialRecord;
  readonly volume: LabVolume;
  /** What is looked at: the trial's steady window, or its loads where it has none. */
  readonly window: TimeSpan;
  /** Over the whole bins inside the window; null = CloudWatch was not read, or not asked about this volume. */
  readonly cloudWatch: VolumeUse | null;
  /** The worst of the volume's series; null as above. */
  readonly completeness: MetricSeries['completeness'] | null;
  /** The node's own counters over the window; null = nothing sampled this device. */
  readonly device: DeviceUse | null;
  /** The same over the very bins of `cloudWatch.write`; null = there are none, or samples do not cover them. */
  readonly sameBins: DeviceUse | null;
  /** Bytes written by CloudWatch ÷ by the node, over those bins; null = not comparable. */
  readonly agreement: number | null;
}

/** Data volumes of all labs, in order. */
export function labVolumes(results: Results): readonly LabVolume[] {
  return labsOf(results).flatMap(({ lab, environment }) =>
    (environment.volumes ?? []).map((volume) => ({ lab, ...volume })),
  );
}

/** Volumes that lie on one device of one node, in sentences: counters of that device are of all of them. */
export function sharedDevices(volumes: readonly LabVolume[]): readonly string[] {
  return onOneDevice(volumes).map((together) => {
    const names = together.map(({ broker }) => broker).join(', ');
    const { device = null, node = null } = together[0] ?? {};
    return `The volumes of ${names} lie on one device, ${device} of ${node}: what the node counted there is of all of them, so it is compared with no volume.`;
  });
}

/** Groups of two and more. */
function onOneDevice(volumes: readonly LabVolume[]): readonly (readonly LabVolume[])[] {
  const byDevice = new Map<string, LabVolume[]>();
  for (const volume of volumes) {
    const { lab, node, device } = volume;
    if (node === null || device === null) continue;
    const place = `${lab} ${node} ${device}`;
    byDevice.set(place, [...(byDevice.get(place) ?? []), volume]);
  }
  return [...byDevice.values()].filter(({ length }) => length > 1);
}

/** Every attempt that had a window × the volumes of its lab, in the order they ran. */
export function volumeRows(results: Results, samplesOf: PodSamples): readonly VolumeRow[] {
  const volumes = labVolumes(results);
  if (volumes.length === 0) return [];
  const sharing = new Set(onOneDevice(volumes).flat());
  return results.trials.flatMap((trial) => {
    const window = trialWindow(trial);
    if (window === null) return [];
    const sampled = samplesOf(trial);
    return volumes
      .filter(({ lab }) => lab === labOf(trial))
      .map((volume) => {
        const row = rowOf(trial, volume, window, results.metrics, deviceOf(volume, sampled));
        return sharing.has(volume) ? { ...row, agreement: null } : row;
      });
  });
}

/** Of the sampler that watched both this broker and this device: a device of that name is on every node. */
function deviceOf(
  { broker, device }: LabVolume,
  sampled: readonly Samples[],
): readonly SampleInterval[] | null {
  const found = ofBroker(sampled, broker);
  const same = device !== null && found?.header?.device === device;
  return found === undefined || !same ? null : sampleIntervals(found).intervals;
}

function rowOf(
  trial: TrialRecord,
  volume: LabVolume,
  window: TimeSpan,
  metrics: CloudWatchRecord | null,
  intervals: readonly SampleInterval[] | null,
): VolumeRow {
  const { volumeId } = volume;
  const series = metrics?.series.filter(({ resource, id }) => resource === 'volume' && id === volumeId) ?? [];
  const [seen] = volumeUse(series, [{ trial: trial.id, ...window }]);
  const bins = volumeId === null ? [] : writeBins(series, volumeId, window);
  const sameBins = intervals === null || bins.length === 0 ? null : deviceUse(intervals, bins);
  const covered = sameBins !== null && sameBins.coverage >= MIN_COVERAGE ? sameBins : null;
  const cloudWatch = seen?.volumes[0] ?? null;
  return {
    trial,
    volume,
    window,
    cloudWatch,
    completeness: series.length === 0 ? null : worst(series),
    device: intervals === null ? null : deviceUse(intervals, [window]),
    sameBins: covered,
    agreement: ratio(cloudWatch?.write.bytesPerS ?? null, covered?.writeBytesPerS ?? null),
  };
}

function worst(series: readonly MetricSeries[]): MetricSeries['completeness'] {
  const all = series.map(({ completeness }) => completeness);
  return all.find((one) => one === 'forbidden') ?? all.find((one) => one === 'partial') ?? 'complete';
}

function ratio(above: number | null, below: number | null): number | null {
  return above === null || below === null || below === 0 ? null : above / below;
}
