import type { PodFacts } from '../lab.ts';
import { type Cluster, isClusterError, type Kinds } from './api/cluster.ts';
import type { LabPod } from './lab-pods.ts';

/** What node-look.sh printed in a pod. */
export interface NodeLook {
  readonly facts: Readonly<Record<string, string>>;
  readonly interfaces: readonly string[];
  /** Pid of the broker's JVM in its container; null = none runs. */
  readonly brokerPid: number | null;
  /** Flags of the broker's JVM, as it runs. */
  readonly jvmFlags: readonly string[];
}

export function parseNodeLook(text: string): NodeLook {
  const facts: Record<string, string> = {};
  const interfaces: string[] = [];
  const jvmFlags: string[] = [];
  const pids: number[] = [];
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ');
    const [name, value] = [line.slice(0, space), line.slice(space + 1).trim()];
    if (space < 0 || value === '') continue;
    if (name === 'interface') interfaces.push(value);
    else if (name === 'broker') pids.push(Number(value));
    else if (name === 'jvm') jvmFlags.push(value);
    else facts[name] = value;
  }
  const brokerPid = pids.length === 0 ? null : Math.min(...pids);
  return { facts, interfaces, brokerPid, jvmFlags: [...new Set(jvmFlags)] };
}

/** Labels of nodes that say what was rented. */
const NODE_LABELS: Readonly<Record<string, string>> = {
  'node.kubernetes.io/instance-type': 'instanceType',
  'topology.kubernetes.io/zone': 'zone',
  'karpenter.sh/capacity-type': 'capacityType',
  'karpenter.sh/nodepool': 'nodePool',
};

/** What a node says of itself; nothing where nodes may not be read. */
export async function nodeFacts(
  cluster: Pick<Cluster, 'get'>,
  node: string | null,
): Promise<Readonly<Record<string, string>>> {
  if (node === null) return {};
  try {
    const found = await cluster.get({ kind: 'Node', name: node });
    return found === null ? {} : factsOfNode(found);
  } catch (error) {
    if (!isClusterError(error, 'forbidden')) throw error;
    return { nodeLabels: 'not known: reading nodes is not permitted' };
  }
}

export function factsOfNode({ metadata, spec, status }: Kinds['Node']): Readonly<Record<string, string>> {
  const facts: Record<string, string> = {};
  for (const [label, name] of Object.entries(NODE_LABELS)) {
    const value = metadata?.labels?.[label];
    if (value !== undefined) facts[name] = value;
  }
  // aws:///ap-northeast-2b/i-0123456789abcdef0
  const instance = /\/(i-[0-9a-f]+)$/.exec(spec?.providerID ?? '')?.[1];
  if (instance !== undefined) facts['instance'] = instance;
  const { osImage, kubeletVersion, containerRuntimeVersion } = status?.nodeInfo ?? {};
  if (osImage !== undefined) facts['nodeOs'] = osImage;
  if (kubeletVersion !== undefined) facts['kubelet'] = kubeletVersion;
  if (containerRuntimeVersion !== undefined) facts['runtime'] = containerRuntimeVersion;
  const since = metadata?.creationTimestamp;
  if (since !== undefined) facts['nodeSince'] = new Date(since).toISOString();
  return facts;
}

/** All facts of one pod of the lab and of the node under it. */
export function podFacts(
  who: string,
  pod: LabPod,
  look: NodeLook,
  node: Readonly<Record<string, string>>,
): PodFacts {
  const facts = { ...node, ...look.facts, ...(pod.image === null ? {} : { image: pod.image }) };
  return { who, pod: pod.name, node: pod.node, facts };
}

/** Facts that differ from node to node by nature, or say nothing that a reader compares. */
const EACH_ITS_OWN: readonly string[] = ['instance', 'nodeSince'];

/**
 * One text for each fact over all pods: the value that all have, or each value with those who have it. Two numbers of cores
 * are a finding, thirty equal ones are noise.
 */
export function sharedFacts(pods: readonly PodFacts[]): Readonly<Record<string, string>> {
  const names = [...new Set(pods.flatMap((pod) => Object.keys(pod.facts)))];
  const shown = names.filter((name) => !EACH_ITS_OWN.includes(name));
  return Object.fromEntries(shown.map((name) => [name, sharedFact(pods, name)]));
}

function sharedFact(pods: readonly PodFacts[], name: string): string {
  const whoByValue = new Map<string, string[]>();
  for (const { who, facts } of pods) {
    const value = facts[name] ?? 'unknown';
    whoByValue.set(value, [...(whoByValue.get(value) ?? []), who]);
  }
  const [first] = whoByValue.keys();
  if (whoByValue.size === 1) return first ?? 'unknown';
  return [...whoByValue].map(([value, who]) => `${value} (${who.join(', ')})`).join('; ');
}
