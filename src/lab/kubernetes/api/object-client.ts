import { KubernetesObjectApi } from '@kubernetes/client-node';
import type { V1APIResource } from '@kubernetes/client-node';
import { KINDS } from './kinds.ts';
import type { Kind, Kinds } from './kinds.ts';
import type { Ref, Selection } from './cluster.ts';

/** The library's client for objects of any kind; where a kind lives is read from our table, never discovered. */
export class ObjectClient extends KubernetesObjectApi {
  override resource(_apiVersion: string, kind: string): Promise<V1APIResource> {
    const { plural, namespaced } = KINDS[kind as Kind];
    return Promise.resolve({ kind, name: plural, namespaced, singularName: '', verbs: [] });
  }
}

/** A new object with its version filled in: the library writes into what it is given. */
export function complete<K extends Kind>(
  object: Kinds[K],
  kind: K,
  more: object = {},
): Kinds[K] & { kind: K } {
  const { apiVersion } = KINDS[kind];
  return Object.assign({}, object, { apiVersion, kind, metadata: Object.assign({}, object.metadata, more) });
}

/** What names an object in the API. */
export function header<K extends Kind>(
  ref: Ref<K>,
): { apiVersion: string; kind: K; metadata: { name: string; namespace?: string } } {
  const { kind, name, namespace } = ref;
  return {
    apiVersion: KINDS[kind].apiVersion,
    kind,
    metadata: { name, ...(KINDS[kind].namespaced && namespace !== undefined ? { namespace } : {}) },
  };
}

/** `StatefulSet bench/kafka`, for messages. */
export function named(ref: Ref): string {
  return `${ref.kind} ${KINDS[ref.kind].namespaced ? `${ref.namespace ?? '?'}/` : ''}${ref.name}`;
}

/** `a=b,c`, as the API server reads selectors. */
export function labelSelector(labels: Selection['labels']): string | undefined {
  if (labels === undefined) return undefined;
  return Object.entries(labels)
    .map(([name, value]) => (value === null ? name : `${name}=${value}`))
    .join(',');
}

/** `spec.nodeName=n1,…`. */
export function fieldSelector(fields: Selection['fields']): string | undefined {
  if (fields === undefined) return undefined;
  return Object.entries(fields)
    .map(([path, value]) => `${path}=${value}`)
    .join(',');
}
