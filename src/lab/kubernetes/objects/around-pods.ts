import type { StorageClassPlan } from '../../../design/kubernetes-plan.ts';
import { EXPERIMENT_LABEL, type Typed } from '../api/cluster.ts';
import {
  ANNOTATIONS,
  annotations,
  labels,
  type LabDesign,
  type LabIds,
  RECLAIM_TAG,
  ROLE_LABEL,
  roleLabels,
} from './lab-design.ts';
import { BROKER_PORT, CONTROLLER_PORT } from './names.ts';

/** Namespace, storage class, Service and NetworkPolicy of a lab. */

/** Null where the namespace is given. */
export function namespace({ kubernetes, names, ids }: LabDesign): Typed<'Namespace'> | null {
  if (kubernetes.namespace.mode === 'given') return null;
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: names.namespace, labels: labels(ids), annotations: annotations(ids) },
  };
}

/** Null where the class is given. */
export function storageClass({ kubernetes, names, ids }: LabDesign): Typed<'StorageClass'> | null {
  const { storageClass: plan } = kubernetes;
  if (plan.mode === 'given') return null;
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: names.storageClass, labels: labels(ids), annotations: annotations(ids) },
    provisioner: plan.provisioner,
    volumeBindingMode: 'WaitForFirstConsumer',
    reclaimPolicy: plan.reclaimPolicy,
    parameters: { ...volumeParameters(plan), ...tagParameters(ids, plan.reclaimPolicy) },
  };
}

function volumeParameters(plan: StorageClassPlan & { mode: 'created' }): Record<string, string> {
  return {
    type: plan.type,
    ...(plan.iops === null ? {} : { iops: String(plan.iops) }),
    ...(plan.throughputMiBps === null ? {} : { throughput: String(plan.throughputMiBps) }),
    encrypted: String(plan.encrypted),
  };
}

/** What EC2 takes as the value of a tag. Braces would be a template of the driver. */
const TAG_VALUE = /^[A-Za-z0-9 +\-=._:/@]{1,256}$/;

/**
 * Tags of the EC2 volumes, which carry no labels of Kubernetes: by them the janitor finds a volume whose claim is long
 * gone. A workflow id that EC2 does not take is left out.
 */
export function volumeTags(ids: LabIds): Readonly<Record<string, string>> {
  const tags = {
    [EXPERIMENT_LABEL]: ids.key,
    [ANNOTATIONS.workflowId]: ids.workflowId,
    [ANNOTATIONS.expiresAt]: new Date(ids.expiresAtMs).toISOString(),
  };
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => TAG_VALUE.test(value)));
}

function tagParameters(ids: LabIds, reclaimPolicy: string): Record<string, string> {
  const tags = {
    ...volumeTags(ids),
    ...(reclaimPolicy === 'Retain' ? { [RECLAIM_TAG]: reclaimPolicy } : {}),
  };
  return Object.fromEntries(
    Object.entries(tags).map(([tag, value], i) => [`tagSpecification_${i + 1}`, `${tag}=${value}`]),
  );
}

/** Names of the brokers before they are ready: they find each other by them while they start. */
export function headlessService({ names, ids }: LabDesign): Typed<'Service'> {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: names.service,
      namespace: names.namespace,
      labels: labels(ids),
      annotations: annotations(ids),
    },
    spec: {
      clusterIP: 'None',
      selector: roleLabels(ids, 'broker'),
      ports: [
        { name: 'broker', port: BROKER_PORT, protocol: 'TCP' },
        { name: 'controller', port: CONTROLLER_PORT, protocol: 'TCP' },
      ],
      publishNotReadyAddresses: true,
    },
  };
}

/** Nobody but the lab's own pods reaches the brokers, where the cluster's network enforces it. */
export function networkPolicy({ names, ids }: LabDesign): Typed<'NetworkPolicy'> {
  const ours = {
    matchLabels: { [EXPERIMENT_LABEL]: ids.key },
    matchExpressions: [{ key: ROLE_LABEL, operator: 'In', values: ['broker', 'client'] }],
  };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: names.networkPolicy,
      namespace: names.namespace,
      labels: labels(ids),
      annotations: annotations(ids),
    },
    spec: {
      podSelector: { matchLabels: roleLabels(ids, 'broker') },
      policyTypes: ['Ingress'],
      ingress: [
        {
          _from: [{ podSelector: ours }],
          ports: [
            { protocol: 'TCP', port: BROKER_PORT },
            { protocol: 'TCP', port: CONTROLLER_PORT },
          ],
        },
      ],
    },
  };
}
