import type { KubernetesListObject } from '@kubernetes/client-node';
import type { ClusterAccess } from './access.ts';
import { ask } from './ask.ts';
import { ClusterError, isClusterError } from './cluster-error.ts';
import type { Call, Ref, Selection } from './cluster.ts';
import { KINDS } from './kinds.ts';
import type { Kind, Kinds } from './kinds.ts';
import { ObjectClient, fieldSelector, header, labelSelector, named } from './object-client.ts';

const PAGE = 250;

/** See Cluster.get. */
export async function getObject<K extends Kind>(
  access: ClusterAccess,
  ref: Ref<K>,
  call: Call,
): Promise<Kinds[K] | null> {
  const what = `get ${named(ref)}`;
  requireNamespace(ref, what);
  try {
    return await ask(access, what, call, (configuration) =>
      new ObjectClient(configuration).read<Kinds[K]>(header(ref)),
    );
  } catch (error) {
    if (isClusterError(error, 'not-found')) return null;
    throw error;
  }
}

/** See Cluster.list. A page's token may expire while we read: then all is read once more. */
export async function listObjects<K extends Kind>(
  access: ClusterAccess,
  kind: K,
  which: Selection,
  call: Call,
): Promise<readonly Kinds[K][]> {
  try {
    return await listOnce(access, kind, which, call);
  } catch (error) {
    if (error instanceof ClusterError && error.status === 410) return listOnce(access, kind, which, call);
    throw error;
  }
}

async function listOnce<K extends Kind>(
  access: ClusterAccess,
  kind: K,
  which: Selection,
  call: Call,
): Promise<readonly Kinds[K][]> {
  const { apiVersion } = KINDS[kind];
  const what = `list ${kind}${which.namespace === undefined ? '' : ` in ${which.namespace}`}`;
  const found: Kinds[K][] = [];
  for (let token: string | undefined; ; ) {
    const page: KubernetesListObject<Kinds[K]> = await ask(access, what, call, (configuration) =>
      new ObjectClient(configuration).list<Kinds[K]>(
        apiVersion,
        kind,
        which.namespace,
        undefined,
        undefined,
        undefined,
        fieldSelector(which.fields),
        labelSelector(which.labels),
        PAGE,
        token,
      ),
    );
    // Items of a list do not say what they are.
    found.push(...page.items.map((item) => Object.assign(item, { apiVersion, kind })));
    // eslint-disable-next-line no-underscore-dangle -- the library's name for `continue`
    token = page.metadata?._continue;
    if (token === undefined || token === '') return found;
  }
}

/** Without one the library would take `default`. */
export function requireNamespace(ref: Ref, what: string): void {
  if (KINDS[ref.kind].namespaced && !ref.namespace) {
    throw new ClusterError('invalid', what, 'a namespace is missing.');
  }
}
