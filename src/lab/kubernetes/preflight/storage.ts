import type { Call, Cluster, Kinds } from '../api/cluster.ts';
import type { LabDesign } from '../objects/lab-design.ts';
import { type Findings, ifAllowed, NOTHING, note, problem, together } from './finding.ts';

/** The class of the volumes, where it is given, and the driver that makes them. */
export async function storageFindings(cluster: Cluster, design: LabDesign, call: Call): Promise<Findings> {
  const { storageClass } = design.kubernetes;
  if (storageClass.mode === 'created') {
    const kept = storageClass.reclaimPolicy === 'Retain' ? note(staysText(design)) : NOTHING;
    return together([kept, await driverFindings(cluster, storageClass.provisioner, call)]);
  }
  const looked = await ifAllowed(cluster.get({ kind: 'StorageClass', name: storageClass.name }, call));
  if (looked === null) return NOTHING;
  if (looked.seen === null)
    return problem({
      code: 'no-storage-class',
      what: 'The storage class of the lab does not exist',
      where: `StorageClass ${storageClass.name}`,
      why: 'lab.kubernetes.storageClass names one that is there already',
      fix: 'Take the name of one that exists, or write what to create: { type: gp3 }.',
    });
  return together([
    classFindings(looked.seen, design),
    await driverFindings(cluster, looked.seen.provisioner, call),
  ]);
}

/** A class that is given. Pure. */
function classFindings(given: Kinds['StorageClass'], design: LabDesign): Findings {
  const where = `StorageClass ${design.names.storageClass}`;
  // Left out, Kubernetes takes Immediate and Delete.
  const binding = given.volumeBindingMode ?? 'Immediate';
  const bound =
    binding === 'WaitForFirstConsumer'
      ? NOTHING
      : problem({
          code: 'storage-class',
          what: 'Volumes of this class are made before brokers are placed',
          where,
          why: `its volumeBindingMode is ${binding}: a volume may lie in a zone where its broker cannot run`,
          fix: 'Take a class with volumeBindingMode: WaitForFirstConsumer, or write what to create: { type: gp3 }.',
        });
  return together([bound, given.reclaimPolicy === 'Retain' ? note(staysText(design)) : NOTHING]);
}

function staysText({ names }: LabDesign): string {
  return `Volumes of StorageClass ${names.storageClass} stay and are billed when the lab is gone (reclaim policy Retain); the experiment ends with leaks.`;
}

async function driverFindings(cluster: Cluster, provisioner: string, call: Call): Promise<Findings> {
  if (provisioner.startsWith('kubernetes.io/'))
    return note(`Provisioner ${provisioner} is no CSI driver; which volume is whose may stay unverified.`);
  const looked = await ifAllowed(cluster.get({ kind: 'CSIDriver', name: provisioner }, call));
  if (looked === null || looked.seen !== null) return NOTHING;
  return problem({
    code: 'no-driver',
    what: 'No driver makes the volumes of the lab',
    where: `CSIDriver ${provisioner}`,
    why: 'it is not installed in this cluster, so claims would wait for ever',
    fix:
      provisioner === 'ebs.csi.aws.com'
        ? 'Install the Amazon EBS CSI driver (the EKS add-on aws-ebs-csi-driver), or name another storage class.'
        : 'Install it, or name another storage class.',
  });
}
