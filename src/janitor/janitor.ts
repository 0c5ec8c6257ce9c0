import { AwsError } from '../aws/errors.ts';
import type { Ec2 } from '../aws/ec2.ts';
import type { Patience } from '../aws/patience.ts';
import { InfrastructureError } from '../lab/errors.ts';
import { type Cluster, ClusterError } from '../lab/kubernetes/api/cluster.ts';
import { type ClusterLab, labVerdict, marksOf, objectName } from './cluster-lab.ts';
import { findLabs, volumesNamed } from './in-cluster.ts';
import { findVolumes, judgedVolume, type NamedVolumes, removeVolume, workflowOf } from './in-ec2.ts';
import type { Leftover, Look, Looked, Removal, Scope, WorkflowState } from './leftover.ts';
import { findFolders, judgedFolder, type Machine, removeFolder } from './on-machine.ts';
import { removeLab, type RemoveLabJob } from './remove-lab.ts';
import { latestExpiry, type Limits, provenWorkflow } from './verdict.ts';
import type { Workflows } from './workflows.ts';

/** How the janitor reaches what it looks at. */
export interface Ways {
  /** null: none is configured. @throws InfrastructureError for one that is configured wrongly. */
  readonly cluster: (context: string | null) => Promise<Cluster | null>;
  /** null: no region is known. */
  readonly ec2: (region: string | null) => Promise<Ec2 | null>;
  /** Where to look when the scope names none; null = in all. */
  readonly namespaces: readonly string[] | null;
  readonly workflows: Workflows;
  readonly machine: Machine;
}

/** What a call of the janitor works with. */
export interface Shift {
  readonly ways: Ways;
  readonly scope: Scope;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  /** ms since the epoch. */
  readonly now: () => number;
  /** For tests. */
  readonly limits?: Pick<RemoveLabJob, 'teardownLimits' | 'disksMs'>;
}

/** A server that does not answer holds nothing up for long: the next shift looks again. */
const PATIENCE_MS = 30_000;

/** Finds what experiments left, in the cluster, in EC2 and on this machine, and judges it. Changes nothing. */
export async function look(shift: Shift): Promise<Looked> {
  const machine = await lookSafely('machine', () => lookOnMachine(shift));
  const seen = await lookInCluster(shift);
  const ec2 = await lookSafely('ec2', () => lookInEc2(shift, seen.named));
  const all = [machine, seen, ec2];
  return { looks: all.map((one) => one.look), leftovers: all.flatMap((one) => one.leftovers) };
}

/** Removes one leftover, if it may still go. @throws what a retry may mend. */
export async function remove(leftover: Leftover, shift: Shift): Promise<Removal> {
  const { ways, scope, signal } = shift;
  const limits = limitsOf(shift);
  const { workflows, machine } = ways;
  if (leftover.place === 'machine') return removeFolder(leftover, machine, workflows, limits);
  const [cluster, ec2] = [await ways.cluster(scope.context), await ways.ec2(scope.region)];
  const job = { workflows, limits, signal, patience: patienceOf(shift), say: shift.say, ...shift.limits };
  try {
    if (leftover.place === 'ec2')
      return ec2 === null
        ? untouched('no region is known')
        : await removeVolume(leftover, { ...job, ec2, cluster });
    if (cluster === null) return untouched('no cluster is configured');
    return await removeLab(leftover, {
      ...job,
      cluster,
      ec2,
      namespaces: scope.namespaces ?? ways.namespaces,
    });
  } finally {
    ec2?.close();
  }
}

interface PlaceLook {
  readonly look: Look;
  readonly leftovers: readonly Leftover[];
}

/** What cannot be looked at is said, and keeps nobody from the rest. */
async function lookSafely(place: Look['place'], work: () => Promise<PlaceLook>): Promise<PlaceLook> {
  try {
    return await work();
  } catch (error) {
    return { look: failed(place, error), leftovers: [] };
  }
}

function failed(place: Look['place'], error: unknown): Look {
  if (!(error instanceof Error) || !isKnown(error)) throw error;
  return { place, state: 'failed', says: error.message };
}

/** Somebody else's fault: a server's, or that of a file system. */
function isKnown(error: Error): boolean {
  const ours =
    error instanceof InfrastructureError || error instanceof ClusterError || error instanceof AwsError;
  return ours || (error as NodeJS.ErrnoException).path !== undefined;
}

async function lookOnMachine({ ways, ...shift }: Shift): Promise<PlaceLook> {
  const { machine, workflows } = ways;
  const leftovers: Leftover[] = [];
  for (const key of findFolders(machine))
    leftovers.push(await judgedFolder(machine, key, workflows, limitsOf(shift)));
  return { look: { place: 'machine', state: 'complete', says: machine.home.labs }, leftovers };
}

async function lookInCluster(shift: Shift): Promise<PlaceLook & { readonly named: NamedVolumes }> {
  const { ways, scope, signal, say } = shift;
  try {
    const cluster = await ways.cluster(scope.context);
    if (cluster === null)
      return {
        look: { place: 'cluster', state: 'skipped', says: 'none is configured' },
        leftovers: [],
        named: null,
      };
    const where = `${cluster.name} (${cluster.server})`;
    say(`looking into the cluster ${where}`);
    const call = { signal, deadlineMs: PATIENCE_MS };
    const { labs, unseen } = await findLabs(cluster, scope.namespaces ?? ways.namespaces, null, call);
    const leftovers: Leftover[] = [];
    for (const lab of labs) leftovers.push(await judgedLab(lab, ways.workflows, limitsOf(shift)));
    const named = await volumesNamed(cluster, call);
    const missing = [...unseen, ...(named === null ? ['persistentvolumes'] : [])];
    const says = missing.length === 0 ? where : `${where}: Assay may not list ${missing.join(', ')}`;
    return {
      look: { place: 'cluster', state: missing.length === 0 ? 'complete' : 'partly', says },
      leftovers,
      named,
    };
  } catch (error) {
    return { look: failed('cluster', error), leftovers: [], named: null };
  }
}

async function judgedLab(lab: ClusterLab, workflows: Workflows, limits: Limits): Promise<Leftover> {
  const marks = marksOf(lab);
  const proven = provenWorkflow(marks);
  const workflowId = 'id' in proven ? proven.id : null;
  const workflow: WorkflowState =
    workflowId === null
      ? { kind: 'unknown', why: 'nothing proves which it is' }
      : await workflows.stateOf(workflowId, lab.key);
  const expiry = latestExpiry(marks.expiries);
  return {
    place: 'cluster',
    id: lab.key,
    key: lab.key,
    workflowId,
    owner: lab.objects.find(({ owner }) => owner !== null)?.owner ?? null,
    expiresAt: 'ms' in expiry && expiry.ms !== null ? new Date(expiry.ms).toISOString() : null,
    workflow,
    parts: lab.objects.map((one) => ({ name: objectName(one), uid: one.uid })),
    verdict: labVerdict(lab, workflow, limits),
  };
}

async function lookInEc2(shift: Shift, named: NamedVolumes): Promise<PlaceLook> {
  const { ways, scope, say } = shift;
  const ec2 = await ways.ec2(scope.region);
  if (ec2 === null)
    return { look: { place: 'ec2', state: 'skipped', says: 'no region is known' }, leftovers: [] };
  try {
    say(`looking at volumes in ${ec2.region}`);
    const leftovers: Leftover[] = [];
    for (const volume of await findVolumes(ec2, patienceOf(shift))) {
      const [workflowId, key] = [workflowOf(volume), volume.tags['assay.dev/experiment'] ?? ''];
      const state: WorkflowState =
        workflowId === null
          ? { kind: 'unknown', why: 'it names none' }
          : await ways.workflows.stateOf(workflowId, key);
      leftovers.push(judgedVolume(volume, named, state, limitsOf(shift)));
    }
    return { look: { place: 'ec2', state: 'complete', says: ec2.region }, leftovers };
  } finally {
    ec2.close();
  }
}

function limitsOf({ now, scope }: Pick<Shift, 'now' | 'scope'>): Limits {
  return { nowMs: now(), ignoreExpiry: scope.ignoreExpiry };
}

function patienceOf({ say, signal }: Pick<Shift, 'say' | 'signal'>): Patience {
  // Whoever renews credentials starts the next shift.
  return { limitMs: PATIENCE_MS, credentialsLimitMs: 0, say, signal };
}

function untouched(why: string): Removal {
  return { outcome: 'left', why, remains: [] };
}
