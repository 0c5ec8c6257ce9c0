import {
  type Applied,
  type Cluster,
  ClusterError,
  type ClusterErrorCode,
  EXPERIMENT_LABEL,
  type Kind,
  type Kinds,
  type ObjectEvent,
  type Ref,
  type Selection,
  type Typed,
} from '../../../src/lab/kubernetes/api/cluster.ts';

/*
 * A cluster in memory, for faults that a real one does not produce on demand. It has the least of controllers: a
 * StatefulSet makes its pods, claims and volumes, and takes them with it; a namespace takes what is in it.
 */

type Thing = { kind: Kind; metadata: NonNullable<Kinds['Pod']['metadata']>; [key: string]: unknown };

export interface MemoryCluster extends Cluster {
  /** Every change, as `apply Pod ns/name`. */
  readonly done: string[];
  readonly things: Map<string, Thing>;
  /** What `may` and calls refuse, as `list nodes`. */
  readonly denied: Set<string>;
  /** Called before every change; what it throws is what the change ends with. */
  before: (what: string) => void;
  /** Pods that never get a node. */
  unplaceable: (pod: string) => boolean;
  said: Map<string, ObjectEvent[]>;
  put(thing: Omit<Thing, 'metadata'> & { metadata: Partial<Thing['metadata']> }): Thing;
  /** Removes finalizers, as their owner does, and lets go what waited for them. */
  release(kind: Kind, name: string): void;
}

const PLURAL: Partial<Record<Kind, string>> = {
  Node: 'nodes',
  Namespace: 'namespaces',
  PersistentVolume: 'persistentvolumes',
  PersistentVolumeClaim: 'persistentvolumeclaims',
  StorageClass: 'storageclasses',
  VolumeAttachment: 'volumeattachments',
  NodePool: 'nodepools',
  Pod: 'pods',
  StatefulSet: 'statefulsets',
};

export function memoryCluster(): MemoryCluster {
  let uids = 0;
  const things = new Map<string, Thing>();
  const id = ({ kind, namespace, name }: Ref): string => `${kind} ${namespace ?? ''}/${name}`;
  const refOf = ({ kind, metadata }: Thing): Ref => ({
    kind,
    name: metadata.name ?? '',
    ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
  });
  const fail = (code: ClusterErrorCode, what: string): never => {
    throw new ClusterError(code, what, `it is ${code}.`);
  };
  const guard = (verb: string, kind: Kind): void => {
    if (cluster.denied.has(`${verb} ${PLURAL[kind] ?? kind}`)) fail('forbidden', `${verb} ${kind}`);
  };
  const change = (what: string): void => {
    cluster.before(what);
    cluster.done.push(what);
  };

  const end = (thing: Thing): void => {
    if ((thing.metadata.finalizers ?? []).length > 0) {
      thing.metadata.deletionTimestamp ??= new Date(0);
      return;
    }
    things.delete(id(refOf(thing)));
    for (const other of Array.from(things.values()))
      if (
        other.metadata.ownerReferences?.some((owner) => owner.uid === thing.metadata.uid) ||
        (thing.kind === 'Namespace' && other.metadata.namespace === thing.metadata.name)
      )
        end(other);
    if (thing.kind !== 'PersistentVolumeClaim') return;
    const volume = [...things.values()].find(
      (one) => one.kind === 'PersistentVolume' && specOf(one)['claimRef']?.uid === thing.metadata.uid,
    );
    if (volume !== undefined && specOf(volume)['persistentVolumeReclaimPolicy'] === 'Delete') end(volume);
  };

  const cluster: MemoryCluster = {
    name: 'memory',
    server: 'memory',
    done: [],
    things,
    denied: new Set(),
    before: () => undefined,
    unplaceable: () => false,
    said: new Map(),
    put(given) {
      const thing = { ...given, metadata: { uid: `u${++uids}`, ...given.metadata } } as Thing;
      things.set(id(refOf(thing)), thing);
      return thing;
    },
    release(kind, name) {
      for (const thing of Array.from(things.values()))
        if (thing.kind === kind && thing.metadata.name === name) {
          thing.metadata.finalizers = [];
          if (thing.metadata.deletionTimestamp !== undefined) end(thing);
        }
    },
    async get<K extends Kind>(ref: Ref<K>) {
      guard('get', ref.kind);
      return Promise.resolve((things.get(id(ref)) as unknown as Kinds[K] | undefined) ?? null);
    },
    async list<K extends Kind>(kind: K, which: Selection = {}) {
      guard('list', kind);
      if (kind === 'NodePool' && ![...things.values()].some((thing) => thing.kind === kind))
        fail('not-found', `list ${kind}`);
      const found = [...things.values()].filter(
        ({ kind: one, metadata }) =>
          one === kind &&
          (which.namespace === undefined || metadata.namespace === which.namespace) &&
          Object.entries(which.labels ?? {}).every(([key, value]) =>
            value === null ? metadata.labels?.[key] !== undefined : metadata.labels?.[key] === value,
          ),
      );
      return Promise.resolve(found as unknown as Kinds[K][]);
    },
    async apply<K extends Kind>(object: Typed<K>) {
      const wanted = structuredClone(object) as unknown as Thing;
      const what = id(refOf(wanted));
      change(`apply ${what}`);
      const there = things.get(what);
      if (
        there !== undefined &&
        there.metadata.labels?.[EXPERIMENT_LABEL] !== wanted.metadata.labels?.[EXPERIMENT_LABEL]
      )
        fail('foreign', `apply ${what}`);
      if (there?.metadata.deletionTimestamp !== undefined) fail('conflict', `apply ${what}`);
      const metadata = Object.assign({}, there?.metadata, wanted.metadata);
      const made = cluster.put({ ...there, ...wanted, metadata });
      if (made.kind === 'StatefulSet') children(made);
      if (made.kind === 'Pod') place(made);
      return Promise.resolve({ object: made, uid: made.metadata.uid } as unknown as Applied<K>);
    },
    async createIfAbsent<K extends Kind>(object: Typed<K>) {
      const there = things.get(id(refOf(object as unknown as Thing)));
      const ours = there?.metadata.labels?.[EXPERIMENT_LABEL] === object.metadata?.labels?.[EXPERIMENT_LABEL];
      if (there !== undefined && ours)
        return { object: there, uid: there.metadata.uid, created: false } as unknown as Applied<K> & {
          created: boolean;
        };
      return { ...(await cluster.apply(object)), created: true };
    },
    async delete(ref) {
      guard('delete', ref.kind);
      change(`delete ${id(ref)}`);
      const there = things.get(id(ref));
      if (there === undefined || there.metadata.uid !== ref.uid) return Promise.resolve({ gone: true });
      end(there);
      return Promise.resolve({ gone: things.get(id(ref)) !== there });
    },
    may: async ({ verb, resource }) =>
      Promise.resolve({ allowed: !cluster.denied.has(`${verb} ${resource}`), reason: '' }),
    version: async () => Promise.resolve({ gitVersion: 'v1.36.3', minor: 36, platform: 'linux/amd64' }),
    readLog: async () => Promise.resolve('FATAL no such setting\n'),
    events: async (ref) => Promise.resolve(cluster.said.get(`${ref.kind} ${ref.name}`) ?? []),
    exec: async () => Promise.reject(new Error('no exec here')),
  };

  function place(pod: Thing): void {
    const name = pod.metadata.name ?? '';
    if (cluster.unplaceable(name)) {
      pod['status'] = {
        phase: 'Pending',
        conditions: [{ type: 'PodScheduled', status: 'False', message: 'no node' }],
      };
      return;
    }
    pod['spec'] = { ...specOf(pod), nodeName: 'n1' };
    pod['status'] ??= { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
  }

  function children(set: Thing): void {
    const { name = '', namespace = '', uid = '' } = set.metadata;
    const spec = specOf(set);
    const owner = [{ apiVersion: 'apps/v1', kind: 'StatefulSet', name, uid }];
    for (let i = 0; i < Number(spec['replicas']); i++) {
      const claim = `data-${name}-${i}`;
      if (things.has(id({ kind: 'Pod', namespace, name: `${name}-${i}` }))) continue;
      const { labels, annotations } = spec['template'].metadata;
      const template = spec['volumeClaimTemplates'][0];
      const taken = things.has(id({ kind: 'PersistentVolume', name: `pv-${i}` }));
      const volumeName = taken ? `pv-${namespace}-${name}-${i}` : `pv-${i}`;
      const pvc = cluster.put({
        kind: 'PersistentVolumeClaim',
        metadata: {
          name: claim,
          namespace,
          labels: { ...template.metadata.labels, ...labels },
          annotations: template.metadata.annotations,
          ownerReferences: owner,
        },
        spec: {
          storageClassName: template.spec.storageClassName,
          volumeName,
        },
        status: { phase: 'Bound' },
      });
      cluster.put({
        kind: 'PersistentVolume',
        metadata: { name: volumeName },
        spec: {
          storageClassName: specOf(pvc)['storageClassName'],
          claimRef: { uid: pvc.metadata.uid },
          persistentVolumeReclaimPolicy:
            things.get(id({ kind: 'StorageClass', name: specOf(pvc)['storageClassName'] }))?.[
              'reclaimPolicy'
            ] ?? 'Delete',
          csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-0000000000000000${i}` },
        },
      });
      const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: claim } }];
      place(
        cluster.put({
          kind: 'Pod',
          metadata: { name: `${name}-${i}`, namespace, labels, annotations, ownerReferences: owner },
          spec: { volumes, containers: [] },
        }),
      );
    }
  }

  return cluster;
}

// oxlint-disable-next-line typescript/no-explicit-any -- specs of every kind
function specOf(thing: Thing): Record<string, any> {
  // oxlint-disable-next-line typescript/no-explicit-any -- specs of every kind
  return (thing['spec'] ?? {}) as Record<string, any>;
}
