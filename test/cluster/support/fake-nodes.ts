import { setTimeout as delay } from 'node:timers/promises';
import type { V1Node } from '@kubernetes/client-node';
import { kubectl } from './command.ts';

/** A node as EC2 and the kubelet of EKS describe one. */
export interface NodeSize {
  readonly instanceType: string;
  readonly capacity: Readonly<Record<string, string>>;
  /** What its kubelet leaves to pods. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/** Memory in KiB as the kernel counts it; of it EKS keeps 255 MiB, 11 MiB a pod and 100 MiB for itself. */
export const M5_XLARGE: NodeSize = {
  instanceType: 'm5.xlarge',
  capacity: { cpu: '4', memory: '15950552Ki', pods: '58', 'ephemeral-storage': '83873772Ki' },
  allocatable: { cpu: '3920m', memory: '14933720Ki', pods: '58', 'ephemeral-storage': '76224326324' },
};
export const M5_LARGE: NodeSize = {
  instanceType: 'm5.large',
  capacity: { cpu: '2', memory: '7865472Ki', pods: '29', 'ephemeral-storage': '83873772Ki' },
  allocatable: { cpu: '1930m', memory: '7175296Ki', pods: '29', 'ephemeral-storage': '76224326324' },
};

export interface NodePlace {
  readonly zone?: string;
  /** `on-demand` or `spot`. */
  readonly capacityType?: string;
}

/** Nodes without machines: the scheduler places pods on them, and nobody runs those. */
export interface FakeNodes {
  add(name: string, size: NodeSize, place?: NodePlace): Promise<void>;
  /** Deletes them all. */
  remove(): Promise<void>;
}

/** The controller manager gives a node up whose lease is older than 50 s. */
const RENEW_MS = 10_000;
const LEASE_S = 40;

/** Keeps what is added alive, as a kubelet does by its lease, until `remove`. */
export function keepFakeNodes(): FakeNodes {
  const names: string[] = [];
  const stopped = new AbortController();
  const renewal = (async () => {
    while (!stopped.signal.aborted) {
      if (names.length > 0) await apply(names.map(leaseOf));
      await delay(RENEW_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  return {
    add: async (name, size, place = {}) => {
      await apply([leaseOf(name)]);
      names.push(name);
      await kubectl(['create', '-f', '-'], { input: JSON.stringify(nodeOf(name, size, place)) });
    },
    remove: async () => {
      stopped.abort();
      await renewal;
      if (names.length > 0) await kubectl(['delete', 'nodes', ...names, '--ignore-not-found']);
    },
  };
}

async function apply(items: readonly object[]): Promise<void> {
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], { input });
}

function leaseOf(name: string): object {
  const renewTime = new Date().toISOString().replace('Z', '000Z');
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease' },
    spec: { holderIdentity: name, leaseDurationSeconds: LEASE_S, renewTime },
  };
}

function nodeOf(name: string, size: NodeSize, place: NodePlace): V1Node {
  const { zone = 'ap-northeast-2b', capacityType = 'on-demand' } = place;
  const now = new Date();
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'node.kubernetes.io/instance-type': size.instanceType,
        'topology.kubernetes.io/region': zone.replace(/[a-z]$/, ''),
        'topology.kubernetes.io/zone': zone,
        'karpenter.sh/capacity-type': capacityType,
      },
    },
    spec: { providerID: `aws:///${zone}/i-of-${name}` },
    status: {
      capacity: { ...size.capacity },
      allocatable: { ...size.allocatable },
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'a test says so',
          lastHeartbeatTime: now,
          lastTransitionTime: now,
        },
      ],
    },
  };
}
