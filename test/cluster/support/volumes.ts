import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clusterRun } from './run.ts';

/** A volume as the stand-in for the EBS driver holds it. */
export interface HeldVolume {
  readonly ID: string;
  /** `namespace/name` of the claim it was made for. */
  readonly PVC: string;
  readonly PV: string;
  readonly Type: string;
  readonly Bytes: number;
  readonly Attached: boolean;
  /** Whether EC2 knows it: it does if it was made while `useEc2` was in force. */
  readonly EC2: boolean;
  readonly Tags: Readonly<Record<string, string>>;
}

/** The volumes that exist now, whether or not a PV still names them. */
export function heldVolumes(): readonly HeldVolume[] {
  const text = readFileSync(join(clusterRun().folder, 'ebs', 'volumes.json'), 'utf8');
  return Object.values(JSON.parse(text) as Record<string, HeldVolume>);
}

/**
 * From now on the driver makes, attaches, detaches and deletes volumes by calling this EC2, and an instance stands for the
 * node (its providerID names it, once and for the life of the cluster: do not reset the emulator afterwards).
 */
export function useEc2(url: string): void {
  writeFileSync(join(clusterRun().folder, 'ec2.endpoint'), url);
}

/** Makes no more calls: volumes made from now on are known to the driver alone. */
export function useNoEc2(): void {
  rmSync(join(clusterRun().folder, 'ec2.endpoint'), { force: true });
}
