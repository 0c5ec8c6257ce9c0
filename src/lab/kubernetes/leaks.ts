import { type Call, type Cluster, EXPERIMENT_LABEL, type Kind, type Kinds } from './api/cluster.ts';
import { ifAllowed } from './preflight/finding.ts';
import type { LabRecord, RecordedVolume } from './record.ts';
import { usersOf } from './remove-storage-class.ts';
import type { DoomedLab } from './teardown-job.ts';

/** Something of the lab that is still there, and why. */
export interface Leak {
  readonly kind: Kind;
  readonly name: string;
  readonly namespace: string | null;
  readonly uid: string;
  /** Of a volume: the driver's own name, by which it is billed. */
  readonly volumeId: string | null;
  /** In the cluster's own words, as far as it has any. */
  readonly why: string;
}

export interface LeaksFound {
  readonly leaks: readonly Leak[];
  /** Where we may not look: nothing is proven there. */
  readonly unverified: readonly string[];
}

/**
 * What is left of a lab in the cluster. Volumes are looked for by the record: a PersistentVolume carries no label of ours.
 * That their disks are gone is for EC2 to say, by the ids in the record.
 */
export async function leaks(
  cluster: Cluster,
  lab: DoomedLab,
  record: LabRecord | null,
  call: Call = {},
): Promise<LeaksFound> {
  const found = await Promise.all([
    ...NAMESPACED.map((kind) => labelled(cluster, kind, lab, call)),
    lab.namespaceIsOurs ? namespaceLeak(cluster, lab, call) : NONE,
    lab.storageClassIsOurs ? classLeak(cluster, lab, call) : NONE,
    volumeLeaks(cluster, record, call),
    attachmentLeaks(cluster, record, call),
  ]);
  return { leaks: found.flatMap((one) => one.leaks), unverified: found.flatMap((one) => one.unverified) };
}

/** `PersistentVolume pv-1 (volume vol-0…): reclaim policy Retain: …` */
export function leakText({ kind, namespace, name, volumeId, why }: Leak): string {
  const where = namespace === null ? name : `${namespace}/${name}`;
  return `${kind} ${where}${volumeId === null ? '' : ` (volume ${volumeId})`}: ${why}`;
}

const NAMESPACED = ['Pod', 'StatefulSet', 'PersistentVolumeClaim', 'Service', 'NetworkPolicy'] as const;
const NONE: LeaksFound = { leaks: [], unverified: [] };

function unverified(what: string): LeaksFound {
  return { leaks: [], unverified: [what] };
}

async function labelled(
  cluster: Cluster,
  kind: (typeof NAMESPACED)[number],
  { namespace, key }: DoomedLab,
  call: Call,
): Promise<LeaksFound> {
  const looked = await ifAllowed(
    cluster.list<Kind>(kind, { namespace, labels: { [EXPERIMENT_LABEL]: key } }, call),
  );
  if (looked === null) return unverified(`${kind} objects in ${namespace}: Assay may not list them`);
  return { leaks: looked.seen.map((object) => leakOf(kind, object)), unverified: [] };
}

type AnyObject = Pick<Kinds['Pod'], 'metadata'>;

function leakOf(kind: Kind, { metadata }: AnyObject, more: Partial<Leak> = {}): Leak {
  return {
    kind,
    name: metadata?.name ?? '',
    namespace: metadata?.namespace ?? null,
    uid: metadata?.uid ?? '',
    volumeId: null,
    why: whyThere(metadata),
    ...more,
  };
}

function whyThere(metadata: AnyObject['metadata']): string {
  const finalizers = metadata?.finalizers ?? [];
  const since = metadata?.deletionTimestamp?.toISOString();
  if (since === undefined) return 'it was not deleted';
  return finalizers.length === 0
    ? `it is being deleted since ${since}`
    : `it is being deleted since ${since} and waits for ${finalizers.join(', ')}`;
}

/** With the conditions by which Kubernetes says what holds it. */
async function namespaceLeak(
  cluster: Cluster,
  { namespace, key }: DoomedLab,
  call: Call,
): Promise<LeaksFound> {
  const looked = await ifAllowed(cluster.get({ kind: 'Namespace', name: namespace }, call));
  if (looked === null) return unverified(`Namespace ${namespace}: Assay may not look`);
  const there = looked.seen;
  if (there === null || there.metadata?.labels?.[EXPERIMENT_LABEL] !== key) return NONE;
  const conditions = (there.status?.conditions ?? [])
    .filter((condition) => condition.status === 'True')
    .map(({ type, message }) => `${type}: ${message ?? ''}`);
  const why = [whyThere(there.metadata), ...conditions].join('; ');
  return { leaks: [leakOf('Namespace', there, { why })], unverified: [] };
}

async function classLeak(
  cluster: Cluster,
  { storageClass, key }: DoomedLab,
  call: Call,
): Promise<LeaksFound> {
  const looked = await ifAllowed(cluster.get({ kind: 'StorageClass', name: storageClass }, call));
  if (looked === null) return unverified(`StorageClass ${storageClass}: Assay may not look`);
  const there = looked.seen;
  if (there === null || there.metadata?.labels?.[EXPERIMENT_LABEL] !== key) return NONE;
  const users = await usersOf(cluster, storageClass, call);
  const why =
    users === null
      ? 'kept, because Assay may not look whether a claim or volume uses it'
      : users.length > 0
        ? `kept, because it is used by ${users.map((user) => user.name).join(', ')}`
        : whyThere(there.metadata);
  return { leaks: [leakOf('StorageClass', there, { why })], unverified: [] };
}

async function volumeLeaks(cluster: Cluster, record: LabRecord | null, call: Call): Promise<LeaksFound> {
  const found = await Promise.all((record?.volumes ?? []).map((one) => volumeLeak(cluster, one, call)));
  return { leaks: found.flatMap((one) => one.leaks), unverified: found.flatMap((one) => one.unverified) };
}

async function volumeLeak(cluster: Cluster, recorded: RecordedVolume, call: Call): Promise<LeaksFound> {
  const { persistentVolume: name, persistentVolumeUid, volumeId, claim } = recorded;
  if (name === null) return NONE;
  const looked = await ifAllowed(cluster.get({ kind: 'PersistentVolume', name }, call));
  if (looked === null || persistentVolumeUid === null)
    return unverified(`PersistentVolume ${name} of claim ${claim}: Assay may not look`);
  const there = looked.seen;
  if (there?.metadata?.uid !== persistentVolumeUid) return NONE;
  const retained = there.spec?.persistentVolumeReclaimPolicy === 'Retain';
  const failed = there.status?.message;
  const why = [
    retained ? 'reclaim policy Retain: it stays, and its disk is billed' : whyThere(there.metadata),
    ...(failed === undefined ? [] : [`the driver says "${failed}"`]),
  ].join('; ');
  return { leaks: [leakOf('PersistentVolume', there, { why, volumeId })], unverified: [] };
}

/** A disk that stays attached cannot be deleted. */
async function attachmentLeaks(cluster: Cluster, record: LabRecord | null, call: Call): Promise<LeaksFound> {
  const ours = new Map((record?.volumes ?? []).map((one) => [one.persistentVolume, one]));
  if (ours.size === 0) return NONE;
  const looked = await ifAllowed(cluster.list('VolumeAttachment', {}, call));
  if (looked === null) return unverified('VolumeAttachments: Assay may not list them');
  const left = looked.seen.flatMap((attachment) => {
    const volume = ours.get(attachment.spec.source.persistentVolumeName ?? '');
    if (volume === undefined) return [];
    const error = attachment.status?.detachError?.message;
    const why = `${volume.persistentVolume ?? ''} is attached to node ${attachment.spec.nodeName}; ${whyThere(attachment.metadata)}${error === undefined ? '' : `; the driver says "${error}"`}`;
    return [leakOf('VolumeAttachment', attachment, { why, volumeId: volume.volumeId })];
  });
  return { leaks: left, unverified: [] };
}
