import type { KubernetesPlan } from '../../design/kubernetes-plan.ts';
import type { Access } from './api/cluster.ts';

/*
 * Every right that a kubernetes lab uses, in one place: preflight asks the server for each, deploy/ grants exactly these.
 */

/** When a right is needed. `look`: without it something is said to be unverified, and the lab works. */
type Need = 'always' | 'own-namespace' | 'own-class' | 'look';

export interface Permission {
  /** API group; '' = core. */
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly verbs: readonly string[];
  /** `namespace`: in the lab's namespace, by a Role; `cluster`: by a ClusterRole. */
  readonly scope: 'namespace' | 'cluster';
  readonly need: Need;
  /** What Assay does with it. */
  readonly why: string;
}

const MAKE = ['create', 'delete', 'get', 'list', 'patch'] as const;

/**
 * Server-side apply needs `patch`, and `create` where the object is not there yet. Client pods and storage classes are made
 * once and never changed.
 */
export const PERMISSIONS: readonly Permission[] = [
  inNamespace(
    '',
    'pods',
    ['create', 'delete', 'get', 'list'],
    'makes clients, restarts brokers, looks at both',
  ),
  inNamespace('apps', 'statefulsets', MAKE, 'makes the brokers'),
  inNamespace('', 'services', MAKE, 'makes the names of the brokers'),
  inNamespace('networking.k8s.io', 'networkpolicies', MAKE, 'keeps others away from the brokers'),
  inNamespace('', 'persistentvolumeclaims', ['delete', 'get', 'list'], 'sees that volumes go with the lab'),
  // From 1.35 on a websocket needs both.
  { ...inNamespace('', 'pods', ['create', 'get'], 'runs loads and looks at hosts'), subresource: 'exec' },
  { ...inNamespace('', 'pods', ['get'], 'reads what brokers log'), subresource: 'log' },
  inNamespace('', 'events', ['list'], 'says why a pod is not placed or does not start'),
  { ...inNamespace('', 'resourcequotas', ['list'], 'sees that the lab fits the quota'), need: 'look' },
  { ...inNamespace('', 'limitranges', ['list'], 'sees that the lab fits the limits'), need: 'look' },
  inCluster('', 'namespaces', ['get'], 'look', 'sees that the namespace is there, and whose it is'),
  inCluster('', 'nodes', ['get', 'list'], 'look', 'facts of the machines, and whether any fits'),
  inCluster('', 'persistentvolumes', ['get'], 'look', 'which EBS volume is whose, and that it is gone'),
  inCluster(
    'storage.k8s.io',
    'storageclasses',
    ['get'],
    'look',
    'how volumes of the class are bound and reclaimed',
  ),
  inCluster('storage.k8s.io', 'csidrivers', ['get'], 'look', 'that somebody makes volumes'),
  inCluster('storage.k8s.io', 'volumeattachments', ['list'], 'look', 'that no volume stays attached'),
  inCluster(
    'karpenter.sh',
    'nodepools',
    ['list'],
    'look',
    'when nodes expire, and whether a missing one can come',
  ),
  inCluster(
    '',
    'namespaces',
    ['create', 'delete', 'get', 'patch'],
    'own-namespace',
    'makes a namespace for the lab',
  ),
  inCluster(
    'storage.k8s.io',
    'storageclasses',
    ['create', 'delete', 'get'],
    'own-class',
    'makes a storage class for the lab',
  ),
  inCluster('', 'persistentvolumes', ['list'], 'own-class', 'deletes its class only when no volume uses it'),
  inCluster(
    '',
    'persistentvolumeclaims',
    ['list'],
    'own-class',
    'deletes its class only when no claim uses it',
  ),
];

function inNamespace(group: string, resource: string, verbs: readonly string[], why: string): Permission {
  return { group, resource, verbs, scope: 'namespace', need: 'always', why };
}

function inCluster(
  group: string,
  resource: string,
  verbs: readonly string[],
  need: Need,
  why: string,
): Permission {
  return { group, resource, verbs, scope: 'cluster', need, why };
}

/** The rights that the lab of this plan uses. */
export function permissionsOf({ namespace, storageClass }: KubernetesPlan): readonly Permission[] {
  const needs: readonly Need[] = [
    'always',
    'look',
    ...(namespace.mode === 'created' ? (['own-namespace'] as const) : []),
    ...(storageClass.mode === 'created' ? (['own-class'] as const) : []),
  ];
  return PERMISSIONS.filter(({ need }) => needs.includes(need));
}

/** What is asked of the server for one right: a question a verb. A namespace's own name is its namespace. */
export function accessesOf(permission: Permission, namespace: string): readonly Access[] {
  const { group, resource, subresource, scope } = permission;
  return permission.verbs.map((verb) => ({
    verb,
    group,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(scope === 'namespace' || (resource === 'namespaces' && verb === 'get') ? { namespace } : {}),
    ...(resource === 'namespaces' && verb === 'get' ? { name: namespace } : {}),
  }));
}
