import { type Call, type Cluster, isClusterError, type Kind, type Kinds } from './api/cluster.ts';
import type { LabDesign } from './objects/lab-design.ts';
import type { RecordKeeper } from './record.ts';

/** Names of a lab that is to go; what is given is not ours to delete. */
export interface DoomedLab {
  readonly key: string;
  readonly namespace: string;
  readonly namespaceIsOurs: boolean;
  readonly storageClass: string;
  readonly storageClassIsOurs: boolean;
}

export interface TeardownJob {
  readonly cluster: Cluster;
  readonly lab: DoomedLab;
  /** null: nobody kept a record (the janitor); then labels alone say what is ours. */
  readonly keeper: RecordKeeper | null;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
  readonly limits?: Partial<TeardownLimits>;
}

/** How long one kind of object may take to go before the next is begun. */
export interface TeardownLimits {
  readonly podsMs: number;
  /** From Kubernetes 1.33 on a volume waits for its driver. */
  readonly volumesMs: number;
  readonly namespaceMs: number;
  readonly everyMs: number;
}

export function doomedLab({ ids, names, kubernetes }: LabDesign): DoomedLab {
  return {
    key: ids.key,
    namespace: names.namespace,
    namespaceIsOurs: kubernetes.namespace.mode === 'created',
    storageClass: names.storageClass,
    storageClassIsOurs: kubernetes.storageClass.mode === 'created',
  };
}

/** What we may not delete stays, and is named as a leak; anything else that fails is thrown on. */
export async function deleteOne(
  cluster: Cluster,
  kind: Kind,
  { metadata }: Pick<Kinds['Pod'], 'metadata'>,
  call: Call,
): Promise<void> {
  const { name, namespace, uid } = metadata ?? {};
  if (name === undefined || uid === undefined) return;
  const ref = { kind, name, uid, ...(namespace === undefined ? {} : { namespace }) };
  try {
    await cluster.delete(ref, {}, call);
  } catch (error) {
    if (!isClusterError(error, 'forbidden')) throw error;
  }
}
