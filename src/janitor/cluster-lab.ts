import type { Kind } from '../lab/kubernetes/api/cluster.ts';
import type { DoomedLab } from '../lab/kubernetes/teardown-job.ts';
import type { Part, Verdict, WorkflowState } from './leftover.ts';
import { type Limits, type Marks, verdictOf } from './verdict.ts';

/** What of one experiment is in a cluster, and what of that may go. Pure. */

export interface LabObject {
  readonly kind: Kind;
  /** null: the kind has none. */
  readonly namespace: string | null;
  readonly name: string;
  readonly uid: string;
  readonly managed: boolean;
  readonly workflowId: string | null;
  readonly owner: string | null;
  readonly expiresAt: string | null;
  /** A controller makes and replaces it. */
  readonly controlled: boolean;
  /** It is being deleted; what it waits for. */
  readonly going: string | null;
}

export interface ClusterLab {
  readonly key: string;
  readonly objects: readonly LabObject[];
  /** Namespace that is ours → what in it is not; null = nobody may look. */
  readonly strangers: Readonly<Record<string, readonly string[] | null>>;
}

/** `Pod bench/kafka-0`. */
export function objectName({
  kind,
  namespace,
  name,
}: Pick<LabObject, 'kind' | 'namespace' | 'name'>): string {
  return `${kind} ${namespace === null ? name : `${namespace}/${name}`}`;
}

export function marksOf({ key, objects }: ClusterLab): Marks {
  return {
    key,
    parts: objects.map((one) => ({ ...one, name: objectName(one) })),
    expiries: objects.flatMap(({ expiresAt }) => expiresAt ?? []),
  };
}

/** Whether what is left of an experiment may go; what it cannot delete or what goes by itself is no reason to act. */
export function labVerdict(lab: ClusterLab, state: WorkflowState, limits: Limits): Verdict {
  const verdict = verdictOf(marksOf(lab), state, limits);
  if (!verdict.remove) return verdict;
  const { doomed, stays } = partsToGo(lab);
  if (doomed.length === 0) return { remove: false, why: stays.join('; ') };
  if (lab.objects.some(({ going }) => going === null)) return verdict;
  const waits = lab.objects.map((one) => `${objectName(one)} ${one.going ?? ''}`);
  return { remove: false, why: `all of it is being deleted already: ${waits.join('; ')}` };
}

export interface PartsToGo {
  /** One for each namespace; `namespace: ''` where only a storage class is left. */
  readonly doomed: readonly DoomedLab[];
  /** What is ours and has to stay, with the reason. */
  readonly stays: readonly string[];
}

/** A namespace of ours in which others put their things is theirs too: it stays. */
export function partsToGo({ key, objects, strangers }: ClusterLab): PartsToGo {
  const own = new Set(objects.filter(({ kind }) => kind === 'Namespace').map(({ name }) => name));
  const within = new Set(objects.flatMap(({ namespace }) => namespace ?? []));
  const storageClass = objects.find(({ kind }) => kind === 'StorageClass')?.name;
  const free = [...own].filter((name) => strangers[name]?.length === 0);
  const namespaces = [...new Set([...within, ...free])];
  const last = namespaces.at(-1);
  const doomed = namespaces.map((namespace) => ({
    key,
    namespace,
    namespaceIsOurs: free.includes(namespace),
    storageClass: storageClass ?? '',
    // Once, when the claims of all namespaces are gone.
    storageClassIsOurs: storageClass !== undefined && namespace === last,
  }));
  const onlyClass = { key, namespace: '', namespaceIsOurs: false, storageClassIsOurs: true };
  return {
    doomed: doomed.length === 0 && storageClass !== undefined ? [{ ...onlyClass, storageClass }] : doomed,
    stays: [...own]
      .filter((name) => !free.includes(name))
      .map((name) => whyStays(name, strangers[name] ?? null)),
  };
}

function whyStays(namespace: string, strangers: readonly string[] | null): string {
  return strangers === null
    ? `Namespace ${namespace} stays: Assay may not look what else is in it`
    : `Namespace ${namespace} stays: it holds ${strangers.join(', ')}`;
}

/** What was made since it was looked at: then somebody is at work. What a controller replaces is no sign of that. */
export function madeSince(before: readonly Part[], now: readonly LabObject[]): readonly string[] {
  const known = new Set(before.map(({ name, uid }) => `${name} ${uid ?? ''}`));
  return now
    .filter((one) => !one.controlled && !known.has(`${objectName(one)} ${one.uid}`))
    .map((one) => objectName(one));
}
