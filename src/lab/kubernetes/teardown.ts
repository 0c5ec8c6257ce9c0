import { until } from '../wait.ts';
import { type Call, EXPERIMENT_LABEL, type Kinds } from './api/cluster.ts';
import { removeStorageClass } from './remove-storage-class.ts';
import { ifAllowed } from './preflight/finding.ts';
import { type LabRecord, withVolumes } from './record.ts';
import { deleteOne, type TeardownJob, type TeardownLimits } from './teardown-job.ts';
import { seenVolumes } from './volumes.ts';

const LIMITS: TeardownLimits = { podsMs: 180_000, volumesMs: 240_000, namespaceMs: 180_000, everyMs: 1_000 };

/**
 * Deletes the lab: pods of clients and loads, brokers, claims, Service and policy, namespace, storage class. Only what
 * carries the experiment's label, each by the UID that it has now; finalizers are never touched. What does not go within its
 * limit stays and is named by `leaks`. Volumes are recorded first. Idempotent: nothing there is success.
 * @throws ClusterError when the cluster cannot be asked at all: try again.
 */
export async function teardown(job: TeardownJob): Promise<void> {
  const limits = { ...LIMITS, ...job.limits };
  const { lab, say } = job;
  await recordVolumes(job);
  say('client pods');
  // A pod that ended still holds its claims.
  await deleteAll(job, 'Pod', limits.podsMs, (pod) => !belongsToStatefulSet(pod));
  say('brokers');
  await deleteAll(job, 'StatefulSet', limits.podsMs);
  await deleteAll(job, 'Pod', limits.podsMs);
  say('volumes');
  await recordVolumes(job);
  const claimsGone = await deleteAll(job, 'PersistentVolumeClaim', limits.volumesMs);
  say('service and policy');
  await deleteAll(job, 'Service', limits.podsMs);
  await deleteAll(job, 'NetworkPolicy', limits.podsMs);
  // What a held claim holds is asked to go, and not waited for: it cannot go before the claim.
  const rest = claimsGone ? limits : { ...limits, volumesMs: 0, namespaceMs: 0 };
  await volumesGone(job, rest.volumesMs);
  if (lab.namespaceIsOurs) {
    say(`namespace ${lab.namespace}`);
    await deleteNamespace(job, rest.namespaceMs);
  }
  if (lab.storageClassIsOurs) await removeStorageClass(job, rest.volumesMs, limits.everyMs);
}

/**
 * Volumes that hang on the lab's claims now, into the record: EC2 is asked for them when all is gone. A store that is down
 * does not hold the teardown up: nodes would be billed because of it.
 */
async function recordVolumes({ cluster, lab, keeper, say, signal }: TeardownJob): Promise<void> {
  const looked = await ifAllowed(seenVolumes(cluster, lab, { signal }));
  const seen = looked?.seen ?? [];
  if (keeper === null || seen.length === 0) return;
  try {
    const record = await keeper.read();
    if (record !== null) await keeper.write(withVolumes(record, seen));
  } catch (error) {
    const ids = seen.map((volume) => volume.volumeId ?? volume.claim).join(', ');
    say(`volumes ${ids} could not be recorded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function belongsToStatefulSet({ metadata }: Kinds['Pod']): boolean {
  return metadata?.ownerReferences?.some((owner) => owner.kind === 'StatefulSet') ?? false;
}

type Doomed = 'Pod' | 'StatefulSet' | 'PersistentVolumeClaim' | 'Service' | 'NetworkPolicy';

/**
 * Deletes every object of a kind that carries the experiment's label, and waits until they are gone or time is up.
 * @returns whether they are gone.
 */
async function deleteAll<K extends Doomed>(
  job: TeardownJob,
  kind: K,
  limitMs: number,
  which: (object: Kinds[K]) => boolean = () => true,
): Promise<boolean> {
  const { cluster, lab, signal } = job;
  const call: Call = { signal };
  const gone = await until(
    async () => {
      const all = await ifAllowed(
        cluster.list(kind, { namespace: lab.namespace, labels: { [EXPERIMENT_LABEL]: lab.key } }, call),
      );
      const left = (all?.seen ?? []).filter(which);
      // One that is going already is waited for, not deleted again.
      const here = left.filter((object) => object.metadata?.deletionTimestamp === undefined);
      await Promise.all(here.map((object) => deleteOne(cluster, kind, object, call)));
      return left.length === 0 ? true : undefined;
    },
    { everyMs: job.limits?.everyMs ?? LIMITS.everyMs, limitMs, signal },
  );
  return gone === true;
}

/** Waits for the volumes that the record knows and that their policy deletes. */
async function volumesGone({ cluster, keeper, signal, limits }: TeardownJob, limitMs: number): Promise<void> {
  const record: LabRecord | null = (await keeper?.read().catch(() => null)) ?? null;
  const going = (record?.volumes ?? []).filter((volume) => volume.reclaimPolicy === 'Delete');
  await until(
    async () => {
      const there = await Promise.all(
        going.map(async ({ persistentVolume, persistentVolumeUid }) => {
          const name = persistentVolume ?? '';
          const looked = await ifAllowed(cluster.get({ kind: 'PersistentVolume', name }, { signal }));
          return looked?.seen?.metadata?.uid === persistentVolumeUid;
        }),
      );
      return there.some(Boolean) ? undefined : true;
    },
    { everyMs: limits?.everyMs ?? LIMITS.everyMs, limitMs, signal },
  );
}

async function deleteNamespace(
  { cluster, lab, signal, limits }: TeardownJob,
  limitMs: number,
): Promise<void> {
  const call: Call = { signal };
  await until(
    async () => {
      const looked = await ifAllowed(cluster.get({ kind: 'Namespace', name: lab.namespace }, call));
      const there = looked?.seen ?? null;
      if (there === null || there.metadata?.labels?.[EXPERIMENT_LABEL] !== lab.key) return true;
      if (there.metadata.deletionTimestamp === undefined) await deleteOne(cluster, 'Namespace', there, call);
      return undefined;
    },
    { everyMs: limits?.everyMs ?? LIMITS.everyMs, limitMs, signal },
  );
}
