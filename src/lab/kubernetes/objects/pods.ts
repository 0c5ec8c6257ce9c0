import type { PodPlan } from '../../../design/kubernetes-plan.ts';
import { EXPERIMENT_LABEL, type Kinds } from '../api/cluster.ts';
import { type LabDesign, type LabIds, ROLE_LABEL, type Role } from './lab-design.ts';
import { SCRATCH_PATH } from './names.ts';
import { quantityOf, resourceQuantities } from './quantity.ts';

/** What pods of brokers and clients share. */

type PodSpec = NonNullable<Kinds['Pod']['spec']>;
type Container = PodSpec['containers'][number];
type Affinity = NonNullable<PodSpec['affinity']>;

const SCRATCH_VOLUME = 'assay';

/** The annotation that keeps Karpenter from moving a pod of its own accord. */
export function disruption({ kubernetes }: LabDesign): Record<string, string> {
  return kubernetes.disrupt ? {} : { 'karpenter.sh/do-not-disrupt': 'true' };
}

/** Placement, and what keeps the cluster's own things out of the pod. */
export function podBase(design: LabDesign, pods: PodPlan): Omit<PodSpec, 'containers'> {
  return {
    nodeSelector: { ...pods.nodeLabels },
    ...(pods.tolerations.length === 0 ? {} : { tolerations: pods.tolerations.map((t) => ({ ...t })) }),
    automountServiceAccountToken: false,
    // A Service called kafka would give each container KAFKA_PORT and others, which the image takes for broker properties.
    enableServiceLinks: false,
    volumes: [
      {
        name: SCRATCH_VOLUME,
        emptyDir: { sizeLimit: quantityOf(design.kubernetes.scratchBytes) },
      },
    ],
  };
}

export const SCRATCH_MOUNT = { name: SCRATCH_VOLUME, mountPath: SCRATCH_PATH } as const;

export function containerResources({ requests, limits }: PodPlan): Pick<Container, 'resources'> {
  return { resources: { requests: resourceQuantities(requests), limits: resourceQuantities(limits) } };
}

/** Not on a node where a pod of these roles of any experiment is: measured brokers share a node with nobody's. */
export function awayFromAll(role: Role): Affinity {
  return antiAffinity({ labelSelector: { matchLabels: { [ROLE_LABEL]: role } }, namespaceSelector: {} });
}

/** Not on a node where another pod of this experiment is. */
export function awayFromOwn({ key }: LabIds): Affinity {
  return antiAffinity({ labelSelector: { matchLabels: { [EXPERIMENT_LABEL]: key } } });
}

type Term = NonNullable<
  NonNullable<
    NonNullable<PodSpec['affinity']>['podAntiAffinity']
  >['requiredDuringSchedulingIgnoredDuringExecution']
>[number];

function antiAffinity(who: Omit<Term, 'topologyKey'>): Affinity {
  return {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ ...who, topologyKey: 'kubernetes.io/hostname' }],
    },
  };
}
