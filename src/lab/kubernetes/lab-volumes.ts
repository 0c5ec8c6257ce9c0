import { InfrastructureError } from '../errors.ts';
import type { VolumeFacts } from '../lab.ts';
import type { Cluster } from './api/cluster.ts';
import type { BrokerPlace } from './broker-pods.ts';
import { mapDevice } from './devices.ts';
import type { LabPod } from './lab-pods.ts';
import type { LabNames } from './objects/names.ts';
import { lookAtDevice, type PodWay } from './pod-ways.ts';
import { claimedVolume } from './claimed-volume.ts';

/** Enough to tell it from what idle brokers write. */
const PROBE_BYTES = 4 * 1024 ** 2;

/** Which device each broker's data is on, tried by writing to it; before anything is measured. */
export function mapVolumes(
  cluster: Cluster,
  names: LabNames,
  brokers: readonly { readonly place: BrokerPlace; readonly way: PodWay; readonly pod: LabPod }[],
): Promise<readonly VolumeFacts[]> {
  return Promise.all(
    brokers.map(async ({ place, way, pod }) => {
      const claimed = await claimedVolume(cluster, names.namespace, names.claim(place.nodeId));
      const mapping = mapDevice(claimed, await lookAtDevice(way, PROBE_BYTES));
      return { broker: place.name, node: pod.node, ...mapping };
    }),
  );
}

/** Throws when any broker's data does not lie where its claim says: counters of another disk would be reported. */
export function refuseMismatch(volumes: readonly VolumeFacts[]): void {
  const wrong = volumes.filter(({ result }) => result === 'mismatch');
  if (wrong.length === 0) return;
  const seen = wrong.map((one) => `broker ${one.broker} on ${one.node ?? 'an unknown node'}: ${one.seen}`);
  throw new InfrastructureError(
    'device-mismatch',
    `What Kubernetes says of the brokers' volumes is not what their nodes show: ${seen.join('; ')}.`,
    'Nothing was measured. Look at the claims, and at what else is attached to these nodes.',
  );
}
