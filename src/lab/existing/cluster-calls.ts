import type { ToolCall } from '../tools/run-tools.ts';
import { unreadable } from '../tools/tool-error.ts';

/* What only somebody's cluster is asked: who it is, which brokers it has, which groups are ours. */

/** A broker as the cluster names it. */
export interface ClusterBroker {
  readonly id: number;
  readonly rack: string | null;
}

export const clusterIdCall: ToolCall = { tool: 'kafka-cluster', args: ['cluster-id'] };
export const endpointsCall: ToolCall = { tool: 'kafka-cluster', args: ['list-endpoints'] };
export const featuresCall: ToolCall = { tool: 'kafka-features', args: ['describe'] };
export const groupsCall: ToolCall = { tool: 'kafka-consumer-groups', args: ['--list'] };

/** Groups are named one by one, as they are: this tool knows no patterns. */
export function groupDeletion(groups: readonly string[]): ToolCall {
  return {
    tool: 'kafka-consumer-groups',
    args: ['--delete', ...groups.flatMap((group) => ['--group', group])],
  };
}

/** A topic with as many copies as the cluster gives by itself. */
export function plainCreation(topic: string): ToolCall {
  return {
    tool: 'kafka-topics',
    args: ['--create', '--if-not-exists', '--topic', topic, '--partitions', '1'],
  };
}

/** Whom to ask and how to connect; the tools with a word for what they do take options after it. */
export function told(
  { tool, args, after }: ToolCall,
  bootstrapServers: string,
  clientProperties: string | null,
): ToolCall {
  const how = clientProperties === null ? [] : ['--command-config', clientProperties];
  const common = ['--bootstrap-server', bootstrapServers, ...how];
  const first = tool === 'kafka-cluster' ? args.slice(0, 1) : [];
  const all = [...first, ...common, ...args.slice(first.length)];
  return { tool, args: all, ...(after === undefined ? {} : { after }) };
}

/** `Cluster ID: …`. */
export function parseClusterId(stdout: string): string {
  const id = /^Cluster ID: (\S+)$/m.exec(stdout)?.[1];
  if (id === undefined) throw unreadable('kafka-cluster', stdout.trim().split('\n').at(-1) ?? '');
  return id;
}

/**
 * A table `ID HOST PORT RACK STATE ENDPOINT_TYPE` (older tools have no STATE): a rack may hold spaces, and is `null` where
 * there is none. Fenced brokers take no replicas and are left out.
 */
export function parseEndpoints(stdout: string): readonly ClusterBroker[] {
  const lines = stdout.split('\n').filter((line) => line.trim() !== '');
  const [head = '', ...rows] = lines;
  if (!/^ID\s+HOST\s+PORT\s+RACK\s/.test(head)) throw unreadable('kafka-cluster', head);
  const brokers = rows.flatMap((row) => {
    const match = /^(\d+)\s+\S+\s+\d+\s+(.*?)\s+(?:(fenced|unfenced)\s+)?broker\s*$/.exec(row);
    if (match === null) throw unreadable('kafka-cluster', row);
    const [, id, rack = 'null', state] = match;
    return state === 'fenced' ? [] : [{ id: Number(id), rack: rack === 'null' ? null : rack }];
  });
  return brokers.toSorted((a, b) => a.id - b.id);
}

/** What the broker that was asked can speak at most and the cluster has agreed on; null = it does not say. */
export function parseKafkaVersion(stdout: string): string | null {
  const line = stdout.split('\n').find((one) => /\bmetadata\.version\b/.test(one)) ?? '';
  const most = /SupportedMaxVersion:\s*(\S+)/.exec(line)?.[1];
  const agreed = /FinalizedVersionLevel:\s*(\S+)/.exec(line)?.[1];
  if (most === undefined || agreed === undefined) return null;
  return `${most.replace(/-IV\d+$/, '')} (metadata.version ${agreed})`;
}

/** Names, one a line; what else the tool says there is no name. */
export function parseNames(stdout: string, prefix: string): readonly string[] {
  return stdout.split('\n').flatMap((line) => (line.trim().startsWith(prefix) ? [line.trim()] : []));
}

/**
 * Broker ids in the order in which replicas are placed: racks take turns, so that copies that follow each other lie in
 * different racks as far as racks are of one size.
 */
export function placingOrder(brokers: readonly ClusterBroker[]): readonly number[] {
  const racks = new Map<string | null, number[]>();
  for (const { id, rack } of brokers) racks.set(rack, [...(racks.get(rack) ?? []), id]);
  const columns = [...racks].toSorted(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1)).map(([, ids]) => ids);
  const longest = Math.max(0, ...columns.map((ids) => ids.length));
  return Array.from({ length: longest }, (_, row) =>
    columns.flatMap((ids) => ids.slice(row, row + 1)),
  ).flat();
}
