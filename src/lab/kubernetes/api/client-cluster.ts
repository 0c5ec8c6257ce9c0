import { AuthorizationV1Api, CoreV1Api, VersionApi } from '@kubernetes/client-node';
import { openAccess } from './access.ts';
import type { ClusterAccess } from './access.ts';
import { applyObject, createIfAbsent } from './apply.ts';
import { ask } from './ask.ts';
import { isClusterError } from './cluster-error.ts';
import type { Access, Call, Cluster, Deletion, LogSource, ObjectEvent } from './cluster.ts';
import type { Ref, ServerVersion } from './cluster.ts';
import { KINDS } from './kinds.ts';
import { ObjectClient, header, named } from './object-client.ts';
import { createPodExec } from './pod-exec.ts';
import { getObject, listObjects, requireNamespace } from './read-objects.ts';

const LOG_LIMIT_BYTES = 4 * 1024 * 1024;

/**
 * The cluster of a context (default: the current one). Nothing is asked of it yet.
 * Throws an InfrastructureError when there are no credentials to start from.
 */
export function openCluster(options: { readonly context?: string } = {}): Cluster {
  return createCluster(openAccess(options));
}

export function createCluster(access: ClusterAccess): Cluster {
  return {
    name: access.name,
    server: access.server,
    get: (ref, call = {}) => getObject(access, ref, call),
    list: (kind, which = {}, call = {}) => listObjects(access, kind, which, call),
    apply: (object, call = {}) => applyObject(access, object, call),
    createIfAbsent: (object, call = {}) => createIfAbsent(access, object, call),
    delete: (ref, how = {}, call = {}) => deleteObject(access, ref, how, call),
    may: (asked, call = {}) => may(access, asked, call),
    version: (call = {}) => version(access, call),
    readLog: (from, call = {}) => readLog(access, from, call),
    events: (ref, call = {}) => events(access, ref, call),
    exec: createPodExec(access),
  };
}

async function deleteObject(
  access: ClusterAccess,
  ref: Ref & { readonly uid: string },
  how: Deletion,
  call: Call,
): Promise<{ gone: boolean }> {
  const what = `delete ${named(ref)}`;
  requireNamespace(ref, what);
  const isThere = async (): Promise<boolean> =>
    (await getObject(access, ref, call))?.metadata?.uid === ref.uid;
  try {
    await ask(access, what, call, (configuration) =>
      new ObjectClient(configuration).delete(
        header(ref),
        undefined,
        undefined,
        how.gracePeriodS,
        undefined,
        how.propagation ?? 'Background',
        { preconditions: { uid: ref.uid } },
      ),
    );
  } catch (error) {
    if (isClusterError(error, 'not-found')) return { gone: true };
    // Another object has taken the name; ours is gone and the other stays.
    if (isClusterError(error, 'conflict') && !(await isThere())) return { gone: true };
    throw error;
  }
  return { gone: !(await isThere()) };
}

async function may(
  access: ClusterAccess,
  asked: Access,
  call: Call,
): Promise<{ allowed: boolean; reason: string }> {
  const { status } = await ask(access, `ask whether we may ${asked.verb} ${asked.resource}`, call, (c) =>
    new AuthorizationV1Api(c).createSelfSubjectAccessReview({
      body: { spec: { resourceAttributes: { ...asked } } },
    }),
  );
  return {
    allowed: status?.allowed === true && status.denied !== true,
    reason: status?.reason ?? status?.evaluationError ?? '',
  };
}

async function version(access: ClusterAccess, call: Call): Promise<ServerVersion> {
  const info = await ask(access, 'ask its version', call, (c) => new VersionApi(c).getCode());
  return { gitVersion: info.gitVersion, minor: Number.parseInt(info.minor, 10), platform: info.platform };
}

function readLog(access: ClusterAccess, from: LogSource, call: Call): Promise<string> {
  const { namespace, pod: name, container, previous, tailLines, sinceS, timestamps } = from;
  return ask(access, `read the log of ${namespace}/${name} (${container})`, call, async (c) => {
    const text = await new CoreV1Api(c).readNamespacedPodLog({
      name,
      namespace,
      container,
      limitBytes: from.limitBytes ?? LOG_LIMIT_BYTES,
      ...(previous === undefined ? {} : { previous }),
      ...(tailLines === undefined ? {} : { tailLines }),
      ...(sinceS === undefined ? {} : { sinceSeconds: sinceS }),
      ...(timestamps === undefined ? {} : { timestamps }),
    });
    // The library makes undefined of an empty answer.
    return text ?? '';
  });
}

async function events(
  access: ClusterAccess,
  ref: Ref & { readonly uid?: string },
  call: Call,
): Promise<readonly ObjectEvent[]> {
  const fields = {
    'involvedObject.kind': ref.kind,
    'involvedObject.name': ref.name,
    ...(ref.uid === undefined ? {} : { 'involvedObject.uid': ref.uid }),
  };
  // Events about objects without a namespace are kept in `default`.
  const namespace = KINDS[ref.kind].namespaced ? ref.namespace : 'default';
  const found = await listObjects(
    access,
    'Event',
    { fields, ...(namespace === undefined ? {} : { namespace }) },
    call,
  );
  return found
    .map((event): ObjectEvent => {
      const at = event.series?.lastObservedTime ?? event.lastTimestamp ?? event.eventTime;
      return {
        type: event.type ?? '',
        reason: event.reason ?? '',
        message: event.message ?? '',
        count: event.series?.count ?? event.count ?? 1,
        // The library has no type for lists of events: their times are texts.
        atMs: at === undefined || at === null ? null : new Date(at).getTime(),
      };
    })
    .sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0));
}
