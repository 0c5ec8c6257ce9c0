import type { LabPlan } from '../../design/plan.ts';
import type { LabFacts } from '../lab.ts';
import { labDepartures } from '../lab-departures.ts';
import { type GivenSetting, shownConfig } from '../shown-config.ts';
import type { Cluster } from './api/cluster.ts';
import type { LabPod } from './lab-pods.ts';
import { type NodeLook, nodeFacts, podFacts, sharedFacts } from './node-facts.ts';
import type { LabDesign } from './objects/lab-design.ts';
import type { PodAdmin } from './pod-admin.ts';
import { lookAtKafka, type PodWay } from './pod-ways.ts';

export interface LookedAt {
  readonly way: PodWay;
  readonly pod: LabPod;
  readonly look: NodeLook;
}

/** What the report shows of the lab, read back from pods, nodes and brokers. */
export async function kubernetesFacts(
  cluster: Cluster,
  { plan }: LabDesign,
  admin: PodAdmin,
  looks: readonly LookedAt[],
): Promise<Omit<LabFacts, 'bootstrapServers' | 'volumes'>> {
  const nodes = await nodesOf(cluster, looks);
  const pods = looks.map(({ way, pod, look }) =>
    podFacts(`${way.role} ${way.name}`, pod, look, nodes.get(pod.node ?? '') ?? {}),
  );
  const brokers = looks.filter(({ way }) => way.role === 'broker');
  const clusterIds = await Promise.all(
    brokers.map(async ({ way }) => (await lookAtKafka(way, '')).clusterId),
  );
  const of = (name: string): string => distinct(brokers.map(({ look }) => look.facts[name])) || 'unknown';
  return {
    kafkaVersion: of('kafka'),
    javaVersion: of('java'),
    clusterId: distinct(clusterIds) || 'unknown',
    jvmFlags: brokers[0]?.look.jvmFlags ?? [],
    pinning: { brokers: null, clients: null },
    machine: sharedFacts(pods),
    brokerConfig: await shownBrokerConfig(admin, plan.brokers),
    pods,
  };
}

/** Settings of the first broker: value and where it comes from. */
export async function shownBrokerConfig(
  admin: PodAdmin,
  { count, config }: LabPlan['brokers'],
): Promise<Readonly<Record<string, string>>> {
  const given = new Map<string, GivenSetting>();
  for (const [name, value] of Object.entries(labDepartures(count))) given.set(name, { value, from: 'lab' });
  for (const [name, value] of Object.entries(config)) given.set(name, { value, from: 'spec' });
  return shownConfig(given, await admin.brokerSettings(0));
}

async function nodesOf(
  cluster: Cluster,
  looks: readonly LookedAt[],
): Promise<ReadonlyMap<string, Readonly<Record<string, string>>>> {
  const names = [...new Set(looks.map(({ pod }) => pod.node))].filter((node) => node !== null);
  return new Map(
    await Promise.all(names.map(async (node) => [node, await nodeFacts(cluster, node)] as const)),
  );
}

function distinct(values: readonly (string | null | undefined)[]): string {
  return [...new Set(values.filter((value) => typeof value === 'string'))].join(', ');
}
