import type { EbsVolume, Ec2 } from '../aws/ec2.ts';
import type { Patience } from '../aws/patience.ts';
import { type Cluster, EXPERIMENT_LABEL } from '../lab/kubernetes/api/cluster.ts';
import { ANNOTATIONS, RECLAIM_TAG } from '../lab/kubernetes/objects/lab-design.ts';
import { until } from '../lab/wait.ts';
import { volumesNamed } from './in-cluster.ts';
import type { Leftover, Removal, WorkflowState } from './leftover.ts';
import { type Limits, type Marks, volumeVerdict } from './verdict.ts';
import type { Workflows } from './workflows.ts';

const GONE_MS = 60_000;
const EVERY_MS = 2_000;

/** Volume → PersistentVolume that names it; null = nobody may look. */
export type NamedVolumes = ReadonlyMap<string, string> | null;

/** Volumes of every experiment, by the tag that the storage class puts on them. */
export function findVolumes(ec2: Ec2, patience: Patience): Promise<readonly EbsVolume[]> {
  // In a filter of EC2 a star stands for any text.
  return ec2.volumesTagged({ [EXPERIMENT_LABEL]: '*' }, patience);
}

/** The workflow that a volume's tags name. */
export function workflowOf({ tags }: EbsVolume): string | null {
  return tags[ANNOTATIONS.workflowId] ?? null;
}

/** A volume with its verdict. Pure. */
export function judgedVolume(
  volume: EbsVolume,
  named: NamedVolumes,
  workflow: WorkflowState,
  limits: Limits,
): Leftover {
  const { id, tags, sizeGiB, type, zone, state } = volume;
  const key = tags[EXPERIMENT_LABEL] ?? '';
  const expiresAt = tags[ANNOTATIONS.expiresAt] ?? null;
  const workflowId = workflowOf(volume);
  const marks: Marks = {
    key,
    // The tags are the mark: only our storage classes set them.
    parts: [{ name: `volume ${id}`, managed: true, workflowId }],
    expiries: expiresAt === null ? [] : [expiresAt],
  };
  const facts = {
    ...volume,
    retained: tags[RECLAIM_TAG] === 'Retain',
    persistentVolume: named === null ? undefined : (named.get(id) ?? null),
  };
  const verdict = volumeVerdict(marks, facts, workflow, limits);
  const parts = [{ name: `EBS volume ${id} (${sizeGiB} GiB ${type} in ${zone}, ${state})`, uid: null }];
  return { place: 'ec2', id, key, workflowId, owner: null, expiresAt, workflow, parts, verdict };
}

export interface RemoveVolumeJob {
  readonly ec2: Ec2;
  readonly cluster: Cluster | null;
  readonly patience: Patience;
  readonly workflows: Workflows;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** Deletes a volume if it may still go: looked at, asked and judged anew. @throws AwsError, ClusterError: try again. */
export async function removeVolume({ id }: Leftover, job: RemoveVolumeJob): Promise<Removal> {
  const { ec2, cluster, patience, workflows, limits, signal } = job;
  const see = async () => (await ec2.volumes([id], patience)).find(({ state }) => state !== 'deleted');
  const volume = await see();
  if (volume === undefined) return { outcome: 'removed', why: 'it is gone already', remains: [] };
  const workflowId = workflowOf(volume);
  const state: WorkflowState =
    workflowId === null
      ? { kind: 'unknown', why: 'it names none' }
      : await workflows.stateOf(workflowId, volume.tags[EXPERIMENT_LABEL] ?? '');
  const named = cluster === null ? null : await volumesNamed(cluster, { signal });
  const { verdict } = judgedVolume(volume, named, state, limits);
  if (!verdict.remove) return { outcome: 'left', why: verdict.why, remains: [] };
  await ec2.deleteVolume(id, patience);
  const gone = await until(async () => ((await see()) === undefined ? true : undefined), {
    everyMs: EVERY_MS,
    limitMs: GONE_MS,
    signal,
  });
  if (gone === true) return { outcome: 'removed', why: verdict.why, remains: [] };
  const left = (await see())?.state ?? 'gone';
  return { outcome: 'incomplete', why: verdict.why, remains: [`EBS volume ${id} is still ${left} in EC2`] };
}
