import { DescribeVolumesCommand, EC2Client } from '@aws-sdk/client-ec2';

import { kubectl, run } from './command.ts';
import { clusterRun } from './run.ts';
import { heldVolumes } from './volumes.ts';

const OURS = ['-l', 'app.kubernetes.io/managed-by=assay'];
const OF_THE_LAB =
  'namespaces,storageclasses,statefulsets,pods,services,networkpolicies,persistentvolumeclaims';

/** All that an experiment left, in the cluster, with the driver and in EC2, each by its name. */
export async function leftOver(): Promise<readonly string[]> {
  const objects = await kubectl(['get', OF_THE_LAB, '--all-namespaces', ...OURS, '-o', 'name']);
  const volumes = await kubectl(['get', 'persistentvolumes,volumeattachments', '-o', 'name']);
  const { Volumes = [] } = await new EC2Client().send(new DescribeVolumesCommand());
  const tagged = Volumes.filter(({ Tags = [] }) => Tags.some(({ Key }) => Key === 'assay.dev/experiment'));
  return [
    ...`${objects}${volumes}`.split('\n').filter((name) => name !== ''),
    ...heldVolumes().map(({ ID }) => `the driver's ${ID}`),
    ...tagged.map(({ VolumeId, State }) => `EC2's ${VolumeId} (${State})`),
  ];
}

/** After a test that failed: takes away what it left, so that the next is judged by itself. */
export async function sweep(): Promise<void> {
  const kubeconfig = ['--kubeconfig', clusterRun().kubeconfig];
  await run('kubectl', [...kubeconfig, 'delete', 'namespaces,storageclasses', ...OURS, '--timeout=90s'], {
    limitMs: 100_000,
  });
}
