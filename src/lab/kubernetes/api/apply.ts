import { PatchStrategy } from '@kubernetes/client-node';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterAccess } from './access.ts';
import { ask } from './ask.ts';
import { ClusterError, isClusterError } from './cluster-error.ts';
import { EXPERIMENT_LABEL, FIELD_MANAGER } from './cluster.ts';
import type { Applied, Call, Ref, Typed } from './cluster.ts';
import type { Kind, Kinds } from './kinds.ts';
import { ObjectClient, complete, named } from './object-client.ts';
import { getObject, requireNamespace } from './read-objects.ts';

const TRIES = 4;
const WAIT_MS = 250;

/** See Cluster.apply. */
export async function applyObject<K extends Kind>(
  access: ClusterAccess,
  object: Typed<K>,
  call: Call,
): Promise<Applied<K>> {
  const ref = refOf(object);
  const what = `apply ${named(ref)}`;
  for (let tries = 1; ; tries++) {
    const there = await getObject(access, ref, call);
    if (there !== null) requireOurs(object, there, what);
    try {
      return applied<K>(await patch(access, object, there?.metadata?.uid, false, what, call), what);
    } catch (error) {
      if (!isClusterError(error, 'conflict')) throw error;
      if (error.fields.length > 0) {
        if (!error.fields.every(isOwnedByUs)) throw error;
        return applied<K>(await patch(access, object, there?.metadata?.uid, true, what, call), what);
      }
      // It came, went or was replaced between the two calls.
      if (tries === TRIES) throw error;
      await delay(WAIT_MS);
    }
  }
}

/** See Cluster.createIfAbsent. */
export async function createIfAbsent<K extends Kind>(
  access: ClusterAccess,
  object: Typed<K>,
  call: Call,
): Promise<Applied<K> & { created: boolean }> {
  const ref = refOf(object);
  const what = `create ${named(ref)}`;
  for (let tries = 1; ; tries++) {
    try {
      const made = await ask(access, what, call, (configuration) =>
        new ObjectClient(configuration).create<Kinds[K]>(
          complete(object, ref.kind),
          undefined,
          undefined,
          FIELD_MANAGER,
        ),
      );
      return { ...applied<K>(made, what), created: true };
    } catch (error) {
      if (!isClusterError(error, 'conflict')) throw error;
      const there = await getObject(access, ref, call);
      if (there !== null) {
        requireOurs(object, there, what);
        return { ...applied<K>(there, what), created: false };
      }
      if (tries === TRIES) throw error;
      await delay(WAIT_MS);
    }
  }
}

/** With a uid the server refuses to touch another object of that name. */
function patch<K extends Kind>(
  access: ClusterAccess,
  object: Typed<K>,
  uid: string | undefined,
  force: boolean,
  what: string,
  call: Call,
): Promise<Kinds[K]> {
  return ask(access, what, call, (configuration) =>
    new ObjectClient(configuration).patch<Kinds[K]>(
      complete(object, object.kind, uid === undefined ? {} : { uid }),
      undefined,
      undefined,
      FIELD_MANAGER,
      force,
      PatchStrategy.ServerSideApply,
    ),
  );
}

/** `conflict with "assay" using apps/v1`: what we created, not applied, is ours under another operation. */
function isOwnedByUs(field: string): boolean {
  return field.includes(`conflict with "${FIELD_MANAGER}"`);
}

function refOf<K extends Kind>(object: Typed<K>): Ref<K> {
  const { name = '', namespace, labels } = object.metadata ?? {};
  const ref: Ref<K> = {
    kind: object.kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  };
  const what = `apply ${named(ref)}`;
  if (name === '') throw new ClusterError('invalid', what, 'its name is missing.');
  if (!labels?.[EXPERIMENT_LABEL]) {
    throw new ClusterError('invalid', what, `its label ${EXPERIMENT_LABEL} is missing.`);
  }
  requireNamespace(ref, what);
  return ref;
}

function requireOurs<K extends Kind>(object: Typed<K>, there: Kinds[K], what: string): void {
  const ours = object.metadata?.labels?.[EXPERIMENT_LABEL];
  const theirs = there.metadata?.labels?.[EXPERIMENT_LABEL];
  if (theirs !== ours) {
    const whose = theirs === undefined ? 'is not of Assay' : `is of another experiment of Assay (${theirs})`;
    throw new ClusterError(
      'foreign',
      what,
      `one of that name is there and ${whose} (label ${EXPERIMENT_LABEL}). It was not touched.`,
    );
  }
  if (there.metadata?.deletionTimestamp !== undefined) {
    throw new ClusterError('conflict', what, 'the one that is there is being deleted.');
  }
}

function applied<K extends Kind>(object: Kinds[K], what: string): Applied<K> {
  const uid = object.metadata?.uid;
  if (uid === undefined) throw new ClusterError('other', what, 'the answer has no UID.');
  return { object, uid };
}
