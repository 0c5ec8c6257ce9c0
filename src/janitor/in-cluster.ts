import {
  type Call,
  type Cluster,
  EXPERIMENT_LABEL,
  type Kind,
  type Kinds,
  type Selection,
} from '../lab/kubernetes/api/cluster.ts';
import { KINDS } from '../lab/kubernetes/api/kinds.ts';
import { ANNOTATIONS, MANAGED_BY } from '../lab/kubernetes/objects/lab-design.ts';
import { ifAllowed } from '../lab/kubernetes/preflight/finding.ts';
import type { ClusterLab, LabObject } from './cluster-lab.ts';

/** Kinds of which labs consist; volumes carry no label of ours and go with their claims. */
const OF_A_NAMESPACE = [
  'Pod',
  'StatefulSet',
  'PersistentVolumeClaim',
  'Service',
  'NetworkPolicy',
] as const satisfies readonly Kind[];
const OF_THE_CLUSTER = ['Namespace', 'StorageClass'] as const satisfies readonly Kind[];
/** What in a namespace makes it somebody's; a policy or a quota that an operator puts everywhere does not. */
const TELLING = ['Pod', 'StatefulSet', 'PersistentVolumeClaim', 'Service'] as const satisfies readonly Kind[];

export interface ClusterLook {
  readonly labs: readonly ClusterLab[];
  /** What may not be listed, each in a phrase. */
  readonly unseen: readonly string[];
}

/**
 * Everything that carries the label of an experiment (of this one, with a key).
 *
 * @param namespaces where to look for what lies in one; null = in all. Namespaces of ours are looked into in any case.
 * @throws ClusterError when the cluster cannot be asked at all.
 */
export async function findLabs(
  cluster: Cluster,
  namespaces: readonly string[] | null,
  key: string | null,
  call: Call = {},
): Promise<ClusterLook> {
  const seeker = new Seeker(cluster, { [EXPERIMENT_LABEL]: key }, call);
  for (const kind of OF_THE_CLUSTER) await seeker.see(kind, {});
  const own = seeker.found
    .filter(({ object }) => object.kind === 'Namespace')
    .map(({ object }) => object.name);
  const places =
    namespaces === null ? [{}] : [...new Set([...namespaces, ...own])].map((namespace) => ({ namespace }));
  for (const kind of OF_A_NAMESPACE) for (const place of places) await seeker.see(kind, place);
  const keys = [...new Set(seeker.found.map((one) => one.key))].toSorted();
  const labs: ClusterLab[] = [];
  for (const one of keys) {
    const objects = seeker.found.filter((found) => found.key === one).map(({ object }) => object);
    labs.push({ key: one, objects, strangers: await strangersOf(cluster, one, objects, call) });
  }
  return { labs, unseen: seeker.unseen };
}

class Seeker {
  readonly found: { readonly key: string; readonly object: LabObject }[] = [];
  readonly unseen: string[] = [];
  readonly #cluster: Cluster;
  readonly #labels: NonNullable<Selection['labels']>;
  readonly #call: Call;

  constructor(cluster: Cluster, labels: NonNullable<Selection['labels']>, call: Call) {
    this.#cluster = cluster;
    this.#labels = labels;
    this.#call = call;
  }

  async see(kind: Kind, place: Pick<Selection, 'namespace'>): Promise<void> {
    const looked = await ifAllowed(this.#cluster.list(kind, { ...place, labels: this.#labels }, this.#call));
    if (looked === null) {
      const where = place.namespace === undefined ? '' : ` in ${place.namespace}`;
      this.unseen.push(`${KINDS[kind].plural}${where}`);
      return;
    }
    for (const { metadata } of looked.seen) {
      const key = metadata?.labels?.[EXPERIMENT_LABEL];
      if (key !== undefined) this.found.push({ key, object: labObject(kind, metadata) });
    }
  }
}

function labObject(kind: Kind, metadata: Kinds['Pod']['metadata'] = {}): LabObject {
  const { labels = {}, annotations = {}, namespace, name, uid, deletionTimestamp, finalizers } = metadata;
  return {
    kind,
    namespace: namespace ?? null,
    name: name ?? '',
    uid: uid ?? '',
    managed: Object.entries(MANAGED_BY).every(([label, value]) => labels[label] === value),
    workflowId: annotations[ANNOTATIONS.workflowId] ?? null,
    owner: annotations[ANNOTATIONS.owner] ?? null,
    expiresAt: annotations[ANNOTATIONS.expiresAt] ?? null,
    controlled: (metadata.ownerReferences ?? []).length > 0,
    going: deletionTimestamp === undefined ? null : goingText(deletionTimestamp, finalizers ?? []),
  };
}

function goingText(since: Date, finalizers: readonly string[]): string {
  const waits = finalizers.length === 0 ? '' : `, waits for ${finalizers.join(', ')}`;
  return `since ${new Date(since).toISOString()}${waits}`;
}

async function strangersOf(
  cluster: Cluster,
  key: string,
  objects: readonly LabObject[],
  call: Call,
): Promise<ClusterLab['strangers']> {
  const strangers: Record<string, readonly string[] | null> = {};
  for (const { kind, name } of objects)
    if (kind === 'Namespace') strangers[name] = await strangersIn(cluster, name, key, call);
  return strangers;
}

/** What in the namespace is not of this experiment; null = nobody may look. */
async function strangersIn(
  cluster: Cluster,
  namespace: string,
  key: string,
  call: Call,
): Promise<readonly string[] | null> {
  const names: string[] = [];
  for (const kind of TELLING) {
    const looked = await ifAllowed(cluster.list<Kind>(kind, { namespace }, call));
    if (looked === null) return null;
    for (const { metadata } of looked.seen)
      if (metadata?.labels?.[EXPERIMENT_LABEL] !== key)
        names.push(`${kind} ${namespace}/${metadata?.name ?? ''}`);
  }
  return names;
}

/** Volume of the CSI driver → the PersistentVolume that names it; null = nobody may look. */
export async function volumesNamed(
  cluster: Cluster,
  call: Call = {},
): Promise<ReadonlyMap<string, string> | null> {
  const looked = await ifAllowed(cluster.list('PersistentVolume', {}, call));
  if (looked === null) return null;
  return new Map(
    looked.seen.flatMap(({ metadata, spec }) => {
      const handle = spec?.csi?.volumeHandle ?? spec?.awsElasticBlockStore?.volumeID.split('/').at(-1);
      return handle === undefined ? [] : [[handle, metadata?.name ?? ''] as const];
    }),
  );
}
