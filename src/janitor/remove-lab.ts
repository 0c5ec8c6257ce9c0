import { AwsError } from '../aws/errors.ts';
import { type Ec2, volumesLeft } from '../aws/ec2.ts';
import type { Patience } from '../aws/patience.ts';
import type { Call, Cluster } from '../lab/kubernetes/api/cluster.ts';
import { leaks, leakText } from '../lab/kubernetes/leaks.ts';
import type { LabRecord, RecordKeeper } from '../lab/kubernetes/record.ts';
import { removeStorageClass } from '../lab/kubernetes/remove-storage-class.ts';
import { teardown } from '../lab/kubernetes/teardown.ts';
import type { DoomedLab, TeardownJob, TeardownLimits } from '../lab/kubernetes/teardown-job.ts';
import { until } from '../lab/wait.ts';
import { type ClusterLab, labVerdict, madeSince, partsToGo } from './cluster-lab.ts';
import { findLabs } from './in-cluster.ts';
import type { Leftover, Removal } from './leftover.ts';
import type { Limits } from './verdict.ts';
import type { Workflows } from './workflows.ts';

export interface RemoveLabJob {
  readonly cluster: Cluster;
  /** null: nobody asks EC2 whether the disks are gone. */
  readonly ec2: Ec2 | null;
  readonly patience: Patience;
  readonly workflows: Workflows;
  readonly namespaces: readonly string[] | null;
  readonly limits: Limits;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  readonly teardownLimits?: Partial<TeardownLimits>;
  /** How long EC2 may take with disks whose volumes are gone. */
  readonly disksMs?: number;
}

const DISKS_MS = 3 * 60_000;
const CLASS_MS = 240_000;
const EVERY_MS = 1_000;

/**
 * Removes what is left of an experiment in the cluster, if that may still go: looked at, asked and judged anew, since a
 * workflow may have been reset in between. Idempotent.
 *
 * @throws ClusterError when the cluster cannot be asked: try again.
 */
export async function removeLab(leftover: Leftover, job: RemoveLabJob): Promise<Removal> {
  const { cluster, workflows, namespaces, signal } = job;
  const call: Call = { signal };
  const { key } = leftover;
  const [lab] = (await findLabs(cluster, namespaces, key, call)).labs;
  if (lab === undefined) return { outcome: 'removed', why: 'it is gone already', remains: [] };
  const refusal = await refusalOf(leftover, lab, workflows, job.limits);
  if (refusal !== null) return { outcome: 'left', why: refusal, remains: [] };
  const { doomed, stays } = partsToGo(lab);
  const keeper = memoryKeeper(emptyRecord(lab, leftover, cluster.server));
  for (const one of doomed) await removeOne(one, job, keeper);
  const record = await keeper.read();
  const found = await Promise.all(doomed.map((one) => leaks(cluster, leakView(one), record, call)));
  const remains = [
    ...new Set([
      ...stays,
      ...found.flatMap((one) => one.leaks.map(leakText)),
      ...found.flatMap((one) => one.unverified.map((what) => `unverified: ${what}`)),
      ...(await disksLeft(record, job)),
    ]),
  ];
  return { outcome: remains.length === 0 ? 'removed' : 'incomplete', why: leftover.verdict.why, remains };
}

async function refusalOf(
  leftover: Leftover,
  lab: ClusterLab,
  workflows: Workflows,
  limits: Limits,
): Promise<string | null> {
  const made = madeSince(leftover.parts, lab.objects);
  if (made.length > 0) return `made since it was looked at: ${made.join(', ')}`;
  const { workflowId, key } = leftover;
  if (workflowId === null) return leftover.verdict.why;
  const verdict = labVerdict(lab, await workflows.stateOf(workflowId, key), limits);
  return verdict.remove ? null : verdict.why;
}

async function removeOne(lab: DoomedLab, job: RemoveLabJob, keeper: RecordKeeper): Promise<void> {
  const { cluster, say, signal, teardownLimits } = job;
  const limits = teardownLimits === undefined ? {} : { limits: teardownLimits };
  const doing: TeardownJob = { cluster, lab, keeper, say, signal, ...limits };
  if (lab.namespace !== '') return teardown(doing);
  return removeStorageClass(
    doing,
    teardownLimits?.volumesMs ?? CLASS_MS,
    teardownLimits?.everyMs ?? EVERY_MS,
  );
}

/** Where only a class is left no namespace is looked into; no namespace has this name. */
function leakView(lab: DoomedLab): DoomedLab {
  return lab.namespace === '' ? { ...lab, namespace: 'none' } : lab;
}

/** Disks of the volumes that hung on the lab's claims; EC2 is what says that they are gone. */
async function disksLeft(record: LabRecord | null, job: RemoveLabJob): Promise<readonly string[]> {
  const { ec2, patience, signal } = job;
  const ids = (record?.volumes ?? []).flatMap(({ driver, volumeId, reclaimPolicy }) =>
    driver === 'ebs.csi.aws.com' && volumeId !== null && reclaimPolicy === 'Delete' ? [volumeId] : [],
  );
  if (ids.length === 0) return [];
  if (ec2 === null) return [`unverified: volumes ${ids.join(', ')} in EC2: no region is known`];
  try {
    const gone = async () => ((await volumesLeft(ec2, ids, patience)).length === 0 ? true : undefined);
    const limitMs = job.disksMs ?? DISKS_MS;
    if ((await until(gone, { everyMs: EVERY_MS * 5, limitMs, signal })) === true) return [];
    return (await volumesLeft(ec2, ids, patience)).map(
      ({ id, state, sizeGiB, type }) =>
        `EBS volume ${id} (${sizeGiB} GiB ${type}) is still ${state} in EC2, and billed`,
    );
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return [`unverified: volumes ${ids.join(', ')} in EC2: ${error.message}`];
  }
}

/** What the teardown sees of volumes, for the look afterwards; nobody else needs it. */
function memoryKeeper(first: LabRecord): RecordKeeper {
  let record = first;
  return {
    read: () => Promise.resolve(record),
    write: (next) => {
      record = next;
      return Promise.resolve();
    },
  };
}

function emptyRecord({ key }: ClusterLab, { workflowId, owner }: Leftover, server: string): LabRecord {
  const ids = { key, workflowId: workflowId ?? '', owner, expiresAtMs: 0, clusterId: '' };
  return { format: 1, ids, server, objects: [], volumes: [] };
}
