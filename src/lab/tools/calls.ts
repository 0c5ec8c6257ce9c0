import { placeReplicas } from '../topic-layout.ts';
import { addConfig } from './configs-output.ts';
import type { ToolCall } from './run-tools.ts';

/** What is asked of Kafka's tools, without what all of them are told (`common`). */

/** Brokers to ask, and limits of the answer; the election's option for limits is named otherwise in each version. */
export function common({ tool }: ToolCall, bootstrapServers: string, settings: string): readonly string[] {
  const limits = tool === 'kafka-leader-election' ? [] : ['--command-config', settings];
  return ['--bootstrap-server', bootstrapServers, ...limits];
}

export interface Topic {
  readonly name: string;
  readonly partitions: number;
  readonly replication: number;
  readonly config: Readonly<Record<string, string>>;
}

/** Replicas are placed by rule, partition p led by broker p mod n: the same for every attempt, leaders spread evenly. */
export function creation(
  { name, partitions, replication, config }: Topic,
  brokerIds: readonly number[],
): ToolCall {
  const placed = placeReplicas(partitions, replication, brokerIds);
  return {
    tool: 'kafka-topics',
    args: [
      '--create',
      '--if-not-exists',
      '--topic',
      name,
      '--replica-assignment',
      placed.map(({ brokers }) => brokers.join(':')).join(','),
      ...Object.entries(config).flatMap(([key, value]) => ['--config', `${key}=${value}`]),
    ],
  };
}

export function deletion(topic: string): ToolCall {
  return { tool: 'kafka-topics', args: ['--delete', '--if-exists', '--topic', topic] };
}

export const listing: ToolCall = { tool: 'kafka-topics', args: ['--list'] };

export const election: ToolCall = {
  tool: 'kafka-leader-election',
  args: ['--election-type', 'preferred', '--all-topic-partitions'],
};

export function describe(topic: string): ToolCall {
  return { tool: 'kafka-topics', args: ['--describe', '--topic', topic] };
}

export const underReplicated: ToolCall = {
  tool: 'kafka-topics',
  args: ['--describe', '--under-replicated-partitions'],
};

export function offsets(topic: string, time: 'earliest' | 'latest'): ToolCall {
  return { tool: 'kafka-get-offsets', args: ['--topic-partitions', topic, '--time', time] };
}

export function logDirs(topic: string): ToolCall {
  return { tool: 'kafka-log-dirs', args: ['--describe', '--topic-list', topic] };
}

export function settingsOf(nodeId: number): ToolCall {
  return {
    tool: 'kafka-configs',
    args: ['--entity-type', 'brokers', '--entity-name', String(nodeId), '--describe', '--all'],
  };
}

export function alteration(nodeId: number, changes: ReadonlyMap<string, string | null>): ToolCall {
  const set = [...changes].flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
  const back = [...changes].flatMap(([name, value]) => (value === null ? [name] : []));
  return {
    tool: 'kafka-configs',
    args: [
      '--entity-type',
      'brokers',
      '--entity-name',
      String(nodeId),
      '--alter',
      ...(set.length === 0 ? [] : ['--add-config', addConfig(set)]),
      ...(back.length === 0 ? [] : ['--delete-config', back.join(',')]),
    ],
  };
}
