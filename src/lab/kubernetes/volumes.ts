import { type Call, type Cluster, EXPERIMENT_LABEL, type Kinds } from './api/cluster.ts';
import { ebsVolumeId } from './devices.ts';
import { ifAllowed } from './preflight/finding.ts';
import type { RecordedVolume } from './record.ts';

/** The claims of a lab with the volumes bound to them, as far as we may look. */
export async function seenVolumes(
  cluster: Cluster,
  lab: { readonly namespace: string; readonly key: string },
  call: Call = {},
): Promise<readonly RecordedVolume[]> {
  const { namespace, key } = lab;
  const claims = await cluster.list(
    'PersistentVolumeClaim',
    { namespace, labels: { [EXPERIMENT_LABEL]: key } },
    call,
  );
  return Promise.all(claims.map((claim) => volumeOf(cluster, claim, call)));
}

async function volumeOf(
  cluster: Cluster,
  { metadata, spec }: Kinds['PersistentVolumeClaim'],
  call: Call,
): Promise<RecordedVolume> {
  const name = spec?.volumeName ?? '';
  const looked = name === '' ? null : await ifAllowed(cluster.get({ kind: 'PersistentVolume', name }, call));
  const volume = looked?.seen ?? null;
  // A volume of that name that is bound to another claim is not ours to speak of.
  const ours = volume?.spec?.claimRef?.uid === metadata?.uid ? volume : null;
  return {
    claim: metadata?.name ?? '',
    claimUid: metadata?.uid ?? '',
    persistentVolume: name === '' ? null : name,
    persistentVolumeUid: ours?.metadata?.uid ?? null,
    reclaimPolicy: ours?.spec?.persistentVolumeReclaimPolicy ?? null,
    driver: ours?.spec?.csi?.driver ?? null,
    volumeId: ours === null ? null : (ebsVolumeId(ours.spec) ?? ours.spec?.csi?.volumeHandle ?? null),
  };
}
