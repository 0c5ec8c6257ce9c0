import type { Spec } from '../spec/schema.ts';

/** What a lab on Kubernetes is made of, resolved from the spec: plain JSON, carried as `plan.lab.kubernetes`. */
export interface KubernetesPlan {
  /** Context of the worker's kubeconfig; null = its current one, or the cluster around the worker's pod. */
  readonly context: string | null;
  readonly namespace: NamespacePlan;
  readonly storageClass: StorageClassPlan;
  readonly brokers: BrokerPodPlan;
  readonly clients: ClientPodPlan;
  /** Domain of the cluster, e.g. `cluster.local`. */
  readonly domain: string;
  /** False: pods carry `karpenter.sh/do-not-disrupt`. */
  readonly disrupt: boolean;
  /** Size limit of the emptyDir on which capsules live. */
  readonly scratchBytes: number;
  /** AWS region of volumes and metrics; null = not known from the spec. */
  readonly region: string | null;
  /** Prices of the spec; null = those that AWS lists. */
  readonly prices: PricePlan | null;
}

/** `given`: it exists and stays. `created`: it is ours and goes; null = named after the experiment. */
export type NamespacePlan =
  | { readonly mode: 'given'; readonly name: string }
  | { readonly mode: 'created'; readonly name: string | null };

export type StorageClassPlan =
  | { readonly mode: 'given'; readonly name: string }
  | {
      readonly mode: 'created';
      readonly name: string | null;
      readonly provisioner: string;
      readonly type: string;
      /** null = as the type has it. */
      readonly iops: number | null;
      readonly throughputMiBps: number | null;
      readonly encrypted: boolean;
      readonly reclaimPolicy: 'Delete' | 'Retain';
    };

/** What pods of both kinds have. Cores are text as Kubernetes writes them. */
export interface PodPlan {
  readonly image: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly tolerations: readonly TolerationPlan[];
  readonly requests: PodResources;
  readonly limits: PodResources;
}

export interface PodResources {
  readonly cpu: string;
  readonly memoryBytes: number;
}

export interface TolerationPlan {
  readonly key?: string;
  readonly operator: 'Equal' | 'Exists';
  readonly value?: string;
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

export interface BrokerPodPlan extends PodPlan {
  /** `node`: each broker on a node of its own. */
  readonly spread: 'node' | 'none';
  readonly diskBytes: number;
  readonly graceS: number;
  readonly startup: ProbePlan;
  readonly readiness: ProbePlan;
  readonly fsGroup: number;
  /** null = the image's own user. */
  readonly runAsUser: number | null;
}

export interface ProbePlan {
  readonly periodS: number;
  readonly failures: number;
}

export interface ClientPodPlan extends PodPlan {
  /** `node`: each client on a node of its own. */
  readonly apart: 'node' | 'none';
}

export interface PricePlan {
  /** When they were looked up: `2026-09-02` or `2026-09`. */
  readonly date: string;
  readonly usdPerHourByInstanceType: Readonly<Record<string, number>>;
  readonly usdPerGbMonthByVolumeType: Readonly<Record<string, number>>;
  /** Of what is provisioned beyond the volume's own; null = no price given. */
  readonly usdPerIopsMonth: number | null;
  readonly usdPerMiBpsMonth: number | null;
}

type Section = NonNullable<Spec['lab']['kubernetes']>;

const ZONE = 'topology.kubernetes.io/zone';
const GP3 = { iops: 3000, throughputMiBps: 125 } as const;

/** The kubernetes part of a plan; null when the spec asks for another lab. */
export function kubernetesPlanOf(spec: Spec): KubernetesPlan | null {
  const { target, kubernetes, brokers, clients } = spec.lab;
  if (target !== 'kubernetes' || kubernetes === undefined) return null;
  const image = `apache/kafka:${brokers.kafka}`;
  return {
    context: kubernetes.context ?? null,
    namespace: namespaceOf(kubernetes),
    storageClass: storageClassOf(kubernetes),
    brokers: brokerPods(kubernetes, image),
    clients: { ...podsOf(kubernetes.clients, image), apart: clients.apart },
    domain: kubernetes.domain,
    disrupt: kubernetes.disrupt,
    scratchBytes: kubernetes.scratch,
    region: kubernetes.region ?? regionOf(kubernetes.brokers.nodes[ZONE]),
    prices: pricesOf(kubernetes),
  };
}

function namespaceOf({ namespace }: Section): NamespacePlan {
  if (typeof namespace === 'string') return { mode: 'given', name: namespace };
  return { mode: 'created', name: namespace?.create ?? null };
}

function storageClassOf({ storageClass }: Section): StorageClassPlan {
  if (typeof storageClass === 'string') return { mode: 'given', name: storageClass };
  const { name, provisioner, type, iops, throughput, encrypted, reclaim } = storageClass;
  const own = type === 'gp3' ? GP3 : { iops: null, throughputMiBps: null };
  return {
    mode: 'created',
    name: name ?? null,
    provisioner,
    type,
    iops: iops ?? own.iops,
    throughputMiBps: throughput === undefined ? own.throughputMiBps : throughput / 1024 ** 2,
    encrypted,
    reclaimPolicy: reclaim === 'retain' ? 'Retain' : 'Delete',
  };
}

function brokerPods({ brokers }: Section, image: string): BrokerPodPlan {
  const { probes, security } = brokers;
  return {
    ...podsOf(brokers, image),
    spread: brokers.spread,
    diskBytes: brokers.disk,
    graceS: brokers.grace / 1000,
    startup: { periodS: probes.startup.period / 1000, failures: probes.startup.failures },
    readiness: { periodS: probes.readiness.period / 1000, failures: probes.readiness.failures },
    fsGroup: security.fsGroup,
    runAsUser: security.runAsUser ?? null,
  };
}

function podsOf(pods: Section['brokers'] | Section['clients'], image: string): PodPlan {
  const { requests, limits } = pods.resources;
  return {
    image: pods.image ?? image,
    nodeLabels: pods.nodes,
    tolerations: pods.tolerations.map(tolerationOf),
    requests: { cpu: requests.cpu, memoryBytes: requests.memory },
    limits: { cpu: limits.cpu, memoryBytes: limits.memory },
  };
}

function tolerationOf({
  key,
  operator,
  value,
  effect,
}: Section['brokers']['tolerations'][number]): TolerationPlan {
  return {
    ...(key === undefined ? {} : { key }),
    operator,
    ...(value === undefined ? {} : { value }),
    ...(effect === undefined ? {} : { effect }),
  };
}

/** `ap-northeast-2b` lies in `ap-northeast-2`; local zones and others need `region` written. */
function regionOf(zone: string | undefined): string | null {
  return /^([a-z]{2,4}(?:-[a-z]+)+-\d{1,2})[a-z]$/.exec(zone ?? '')?.[1] ?? null;
}

function pricesOf({ prices }: Section): PricePlan | null {
  if (prices === undefined) return null;
  return {
    date: prices.date,
    usdPerHourByInstanceType: prices.instances,
    usdPerGbMonthByVolumeType: prices.volumes,
    usdPerIopsMonth: prices.iops ?? null,
    usdPerMiBpsMonth: prices.throughput ?? null,
  };
}
