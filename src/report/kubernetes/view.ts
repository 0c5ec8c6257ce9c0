import type { ResourceRow } from '../resources.ts';
import type { Results } from '../results.ts';
import type { SampleFile } from '../samples-csv.ts';
import { type CloudWatchView, cloudWatchView } from './cloudwatch-view.ts';
import { type CostView, costView } from './cost-view.ts';
import { type CreditRow, creditRows } from './credits.ts';
import { labsOf } from './labs.ts';
import { nodeDifferences, type NodeRow, nodeRows } from './nodes.ts';
import { podResourceRows } from './pod-resources.ts';
import { podSamples } from './pod-samples.ts';
import { type VolumeMedian, volumeMedians } from './volume-medians.ts';
import { type LabVolume, labVolumes, sharedDevices, type VolumeRow, volumeRows } from './volume-rows.ts';

/** What a report says of an experiment in pods beside what it says of every experiment. */
export interface KubernetesView {
  readonly volumes: readonly LabVolume[];
  /** Volumes that share a device, each case in one sentence. */
  readonly sharedDevices: readonly string[];
  readonly cloudWatch: CloudWatchView;
  readonly rows: readonly VolumeRow[];
  readonly medians: readonly VolumeMedian[];
  /** What each pod and its node did; empty without samples. */
  readonly resources: readonly ResourceRow[];
  readonly credits: readonly CreditRow[];
  readonly nodes: readonly NodeRow[];
  /** Each in one sentence; empty = pods of one kind are alike in all that is recorded. */
  readonly differences: readonly string[];
  readonly cost: CostView;
  /** Labs that were provisioned. */
  readonly labs: number;
}

/**
 * Null for an experiment of another lab.
 *
 * @param samples the samplers' files; without them nothing is known of the nodes' own counters.
 */
export function kubernetesView(results: Results, samples: readonly SampleFile[]): KubernetesView | null {
  if (results.plan.lab.target !== 'kubernetes') return null;
  const labs = labsOf(results);
  const samplesOf = podSamples(samples);
  const rows = volumeRows(results, samplesOf);
  const volumes = labVolumes(results);
  return {
    volumes,
    sharedDevices: sharedDevices(volumes),
    cloudWatch: cloudWatchView(results),
    rows,
    medians: volumeMedians(results.plan, rows),
    resources: podResourceRows(results.plan, results.trials, samplesOf),
    credits: creditRows(results.metrics, labs),
    nodes: nodeRows(labs),
    differences: nodeDifferences(labs),
    cost: costView(results),
    labs: labs.length,
  };
}

/** `b1`, or `lab 2, b1` where there are several labs. */
export function brokerName(
  { labs }: KubernetesView,
  { lab, broker }: { lab: number; broker: string },
): string {
  return labs > 1 ? `lab ${lab}, ${broker}` : broker;
}
