import type { Cluster } from './api/cluster.ts';
import { type ClaimedVolume, ebsVolumeId } from './devices.ts';
import { ifAllowed } from './preflight/finding.ts';

/**
 * The volume that a broker's claim is bound to. PersistentVolumes belong to no namespace: without the right to read them
 * the volume is not known, which is no error.
 */
export async function claimedVolume(
  cluster: Pick<Cluster, 'get'>,
  namespace: string,
  claim: string,
): Promise<ClaimedVolume> {
  const found = await cluster.get({ kind: 'PersistentVolumeClaim', namespace, name: claim });
  const volume = found?.spec?.volumeName ?? null;
  const known = (volumeId: string | null, why: string | null) => ({ claim, volume, volumeId, why });
  if (volume === null)
    return known(null, found === null ? `there is no claim ${claim}` : `the claim ${claim} is not bound`);
  const looked = await ifAllowed(cluster.get({ kind: 'PersistentVolume', name: volume }));
  if (looked === null) return known(null, 'Assay may not read PersistentVolumes');
  const spec = looked.seen?.spec;
  if (spec?.claimRef?.uid !== found?.metadata?.uid)
    return known(null, `the volume ${volume} is not bound to the claim ${claim}`);
  const volumeId = ebsVolumeId(spec);
  const driver = spec?.csi?.driver ?? 'another driver';
  return known(volumeId, volumeId === null ? `the volume ${volume} of ${driver} is none of EBS` : null);
}
