import type { ProbePlan } from '../../../design/kubernetes-plan.ts';
import type { Kinds, Typed } from '../api/cluster.ts';
import { type BrokerSection, brokerEnv } from './broker-env.ts';
import { annotations, labels, type LabDesign, roleLabels, steadyAnnotations } from './lab-design.ts';
import { BROKER_CONTAINER, BROKER_PORT, CONTROLLER_PORT, DATA_PATH, DATA_VOLUME } from './names.ts';
import { awayFromAll, containerResources, disruption, podBase, SCRATCH_MOUNT } from './pods.ts';
import { quantityOf } from './quantity.ts';

type PodTemplate = NonNullable<Kinds['StatefulSet']['spec']>['template'];

/** Node id and advertised name come from the pod's ordinal, so that one template makes every broker. */
const START = (addressTail: string) => `set -e
ORD=\${HOSTNAME##*-}
export KAFKA_NODE_ID=$ORD
export KAFKA_ADVERTISED_LISTENERS="PLAINTEXT://\${HOSTNAME}.${addressTail}:${BROKER_PORT}"
exec /etc/kafka/docker/run
`;

/**
 * The brokers: combined KRaft nodes, all started side by side. A changed template makes no new pods by itself
 * (OnDelete): only Assay restarts what is measured.
 */
export function statefulSet(
  design: LabDesign,
  settings: BrokerSection = design.plan.brokers,
): Typed<'StatefulSet'> {
  const { plan, names, ids } = design;
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: {
      name: names.statefulSet,
      namespace: names.namespace,
      labels: labels(ids),
      annotations: annotations(ids),
    },
    spec: {
      serviceName: names.service,
      replicas: plan.brokers.count,
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'OnDelete' },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' },
      selector: { matchLabels: roleLabels(ids, 'broker') },
      template: podTemplate(design, settings),
      volumeClaimTemplates: [claimTemplate(design)],
    },
  };
}

function podTemplate(design: LabDesign, settings: BrokerSection): PodTemplate {
  const { ids, kubernetes } = design;
  const { graceS, fsGroup, runAsUser, spread } = kubernetes.brokers;
  return {
    metadata: {
      labels: { ...labels(ids), ...roleLabels(ids, 'broker') },
      annotations: { ...steadyAnnotations(ids), ...disruption(design) },
    },
    spec: {
      ...podBase(design, kubernetes.brokers),
      terminationGracePeriodSeconds: graceS,
      ...(spread === 'node' ? { affinity: awayFromAll('broker') } : {}),
      securityContext: { fsGroup, ...(runAsUser === null ? {} : { runAsUser }) },
      containers: [container(design, settings)],
    },
  };
}

function container(
  design: LabDesign,
  settings: BrokerSection,
): NonNullable<PodTemplate['spec']>['containers'][number] {
  const { names, kubernetes } = design;
  const { brokers, domain } = kubernetes;
  return {
    name: BROKER_CONTAINER,
    image: brokers.image,
    command: ['/bin/bash', '-c', START(`${names.service}.${names.namespace}.svc.${domain}`)],
    env: brokerEnv(design, settings).map((variable) => ({ ...variable })),
    ports: [
      { containerPort: BROKER_PORT, protocol: 'TCP' },
      { containerPort: CONTROLLER_PORT, protocol: 'TCP' },
    ],
    ...containerResources(brokers),
    volumeMounts: [{ name: DATA_VOLUME, mountPath: DATA_PATH }, { ...SCRATCH_MOUNT }],
    startupProbe: probe(brokers.startup),
    readinessProbe: probe(brokers.readiness),
  };
}

function probe({ periodS, failures }: ProbePlan) {
  return { tcpSocket: { port: BROKER_PORT }, periodSeconds: periodS, failureThreshold: failures };
}

function claimTemplate({ kubernetes, names, ids }: LabDesign): Kinds['PersistentVolumeClaim'] {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: DATA_VOLUME, labels: labels(ids), annotations: steadyAnnotations(ids) },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: names.storageClass,
      resources: { requests: { storage: quantityOf(kubernetes.brokers.diskBytes) } },
    },
  };
}
