import { until } from '../wait.ts';
import { type Call, type Cluster, EXPERIMENT_LABEL } from './api/cluster.ts';
import { ifAllowed } from './preflight/finding.ts';
import { deleteOne, type TeardownJob } from './teardown-job.ts';

/** Deletes the lab's own class once no claim and no volume uses it; waits for the last of them, up to the limit. */
export async function removeStorageClass(
  { cluster, lab, say, signal }: TeardownJob,
  limitMs: number,
  everyMs: number,
): Promise<void> {
  const name = lab.storageClass;
  const call: Call = { signal };
  const mine = async () => {
    const looked = await ifAllowed(cluster.get({ kind: 'StorageClass', name }, call));
    const there = looked?.seen ?? null;
    return there?.metadata?.labels?.[EXPERIMENT_LABEL] === lab.key ? there : null;
  };
  if ((await mine()) === null) return;
  say(`storage class ${name}`);
  const unused = await until(
    async () => {
      const users = await usersOf(cluster, name, call);
      if (users === null || (users.length > 0 && users.every((user) => user.stays))) return false;
      return users.length === 0 ? true : undefined;
    },
    { everyMs, limitMs, signal },
  );
  const there = await mine();
  if (unused === true && there !== null) await deleteOne(cluster, 'StorageClass', there, call);
}

interface ClassUser {
  /** `PersistentVolumeClaim bench/data-kafka-0`. */
  readonly name: string;
  /** A volume that no waiting removes: its reclaim policy is Retain. */
  readonly stays: boolean;
}

/** Claims and volumes of a class; null: we may not look, so nobody knows. */
export async function usersOf(
  cluster: Cluster,
  storageClass: string,
  call: Call = {},
): Promise<readonly ClassUser[] | null> {
  const [claims, volumes] = await Promise.all([
    ifAllowed(cluster.list('PersistentVolumeClaim', {}, call)),
    ifAllowed(cluster.list('PersistentVolume', {}, call)),
  ]);
  if (claims === null || volumes === null) return null;
  return [
    ...claims.seen
      .filter((claim) => claim.spec?.storageClassName === storageClass)
      .map(({ metadata }) => ({
        name: `PersistentVolumeClaim ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`,
        stays: false,
      })),
    ...volumes.seen
      .filter((volume) => volume.spec?.storageClassName === storageClass)
      .map(({ metadata, spec }) => ({
        name: `PersistentVolume ${metadata?.name ?? ''}`,
        stays: spec?.persistentVolumeReclaimPolicy === 'Retain',
      })),
  ];
}
