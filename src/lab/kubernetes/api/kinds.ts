import type {
  CoreV1Event,
  KubernetesObject,
  V1ConfigMap,
  V1CronJob,
  V1CSIDriver,
  V1CSINode,
  V1Deployment,
  V1Job,
  V1Lease,
  V1LimitRange,
  V1Namespace,
  V1NetworkPolicy,
  V1Node,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1Pod,
  V1PodDisruptionBudget,
  V1ResourceQuota,
  V1Role,
  V1RoleBinding,
  V1Secret,
  V1Service,
  V1ServiceAccount,
  V1StatefulSet,
  V1StorageClass,
  V1VolumeAttachment,
} from '@kubernetes/client-node';

/** An object of a kind that the client has no type for (Karpenter's); its times are ISO texts. */
export interface CustomObject extends KubernetesObject {
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** Every kind of object that Assay reads or writes. */
export interface Kinds {
  readonly ConfigMap: V1ConfigMap;
  readonly CronJob: V1CronJob;
  readonly CSIDriver: V1CSIDriver;
  readonly CSINode: V1CSINode;
  readonly Deployment: V1Deployment;
  readonly Event: CoreV1Event;
  readonly Job: V1Job;
  readonly Lease: V1Lease;
  readonly LimitRange: V1LimitRange;
  readonly Namespace: V1Namespace;
  readonly NetworkPolicy: V1NetworkPolicy;
  readonly Node: V1Node;
  readonly NodeClaim: CustomObject;
  readonly NodePool: CustomObject;
  readonly PersistentVolume: V1PersistentVolume;
  readonly PersistentVolumeClaim: V1PersistentVolumeClaim;
  readonly Pod: V1Pod;
  readonly PodDisruptionBudget: V1PodDisruptionBudget;
  readonly ResourceQuota: V1ResourceQuota;
  readonly Role: V1Role;
  readonly RoleBinding: V1RoleBinding;
  readonly Secret: V1Secret;
  readonly Service: V1Service;
  readonly ServiceAccount: V1ServiceAccount;
  readonly StatefulSet: V1StatefulSet;
  readonly StorageClass: V1StorageClass;
  readonly VolumeAttachment: V1VolumeAttachment;
}

export type Kind = keyof Kinds;

export interface KindFacts {
  readonly apiVersion: string;
  /** As it stands in paths and in roles. */
  readonly plural: string;
  readonly namespaced: boolean;
}

const facts = (apiVersion: string, plural: string, namespaced = true): KindFacts => ({
  apiVersion,
  plural,
  namespaced,
});

/** Where each kind lives in the API: nothing is discovered, so nothing but the asked-for right is needed. */
export const KINDS: Readonly<Record<Kind, KindFacts>> = {
  ConfigMap: facts('v1', 'configmaps'),
  CronJob: facts('batch/v1', 'cronjobs'),
  CSIDriver: facts('storage.k8s.io/v1', 'csidrivers', false),
  CSINode: facts('storage.k8s.io/v1', 'csinodes', false),
  Deployment: facts('apps/v1', 'deployments'),
  Event: facts('v1', 'events'),
  Job: facts('batch/v1', 'jobs'),
  Lease: facts('coordination.k8s.io/v1', 'leases'),
  LimitRange: facts('v1', 'limitranges'),
  Namespace: facts('v1', 'namespaces', false),
  NetworkPolicy: facts('networking.k8s.io/v1', 'networkpolicies'),
  Node: facts('v1', 'nodes', false),
  NodeClaim: facts('karpenter.sh/v1', 'nodeclaims', false),
  NodePool: facts('karpenter.sh/v1', 'nodepools', false),
  PersistentVolume: facts('v1', 'persistentvolumes', false),
  PersistentVolumeClaim: facts('v1', 'persistentvolumeclaims'),
  Pod: facts('v1', 'pods'),
  PodDisruptionBudget: facts('policy/v1', 'poddisruptionbudgets'),
  ResourceQuota: facts('v1', 'resourcequotas'),
  Role: facts('rbac.authorization.k8s.io/v1', 'roles'),
  RoleBinding: facts('rbac.authorization.k8s.io/v1', 'rolebindings'),
  Secret: facts('v1', 'secrets'),
  Service: facts('v1', 'services'),
  ServiceAccount: facts('v1', 'serviceaccounts'),
  StatefulSet: facts('apps/v1', 'statefulsets'),
  StorageClass: facts('storage.k8s.io/v1', 'storageclasses', false),
  VolumeAttachment: facts('storage.k8s.io/v1', 'volumeattachments', false),
};
