import { type Permission, PERMISSIONS } from '../lab/kubernetes/permissions.ts';

/** What the janitor does with objects of a kind: it makes nothing and runs nothing. */
const TIDY = ['delete', 'get', 'list'] as const;
/** Kinds of which labs consist. */
const OF_A_LAB = ['pods', 'statefulsets', 'services', 'networkpolicies', 'persistentvolumeclaims'];

/**
 * Every right that the janitor uses. In `namespace` scope it is for `--namespace`; the rest finds what is of the whole
 * cluster, and `look` is what is said to be unverified without it.
 */
export const JANITOR_PERMISSIONS: readonly Permission[] = [
  ...OF_A_LAB.map((resource) => tidy(resource, 'namespace', 'always', 'finds and removes what is left')),
  tidy('namespaces', 'cluster', 'own-namespace', 'finds and removes namespaces that labs made'),
  tidy('storageclasses', 'cluster', 'own-class', 'finds and removes classes that labs made'),
  {
    ...of('persistentvolumes'),
    scope: 'cluster',
    need: 'look',
    verbs: ['get', 'list'],
    why: 'sees that volumes go, and that nobody names a disk that is deleted',
  },
  {
    ...of('volumeattachments'),
    scope: 'cluster',
    need: 'look',
    verbs: ['list'],
    why: 'sees that no volume stays attached',
  },
];

function tidy(
  resource: string,
  scope: Permission['scope'],
  need: Permission['need'],
  why: string,
): Permission {
  return { ...of(resource), scope, need, verbs: TIDY, why };
}

/** Group and name as labs have them. */
function of(resource: string): Pick<Permission, 'group' | 'resource'> {
  const known = PERMISSIONS.find((one) => one.resource === resource && one.subresource === undefined);
  if (known === undefined) throw new Error(`labs use no ${resource}`);
  return { group: known.group, resource };
}
