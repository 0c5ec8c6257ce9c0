import { readdirSync } from 'node:fs';
import type { PartitionState } from '../lab.ts';

/** Kafka's folders are `t-0`, and `t-0.<id>-delete` while a deletion is pending. */
export function topicFolders(nodeFolder: string, name: string): readonly string[] {
  let entries: readonly string[];
  try {
    entries = readdirSync(`${nodeFolder}/data`);
  } catch {
    return [];
  }
  return entries.filter(
    (entry) =>
      entry.startsWith(`${name}-`) && /^\d+(\.[0-9a-f]+-(delete|stray))?$/.test(entry.slice(name.length + 1)),
  );
}

/** The log segments of a partition's folder, absolute; indexes are mapped by the broker and left out. */
export function segments(nodeFolder: string, folder: string): readonly string[] {
  const path = `${nodeFolder}/data/${folder}`;
  try {
    return readdirSync(path).flatMap((file) => (file.endsWith('.log') ? [`${path}/${file}`] : []));
  } catch {
    // deleted in the meantime
    return [];
  }
}

/** Replicas of each partition, preferred leader first: broker p mod n leads partition p, the next ones follow. */
export function placeReplicas(
  partitions: number,
  replication: number,
  ids: readonly number[],
): { partition: number; brokers: number[] }[] {
  return Array.from({ length: partitions }, (_, partition) => ({
    partition,
    brokers: Array.from({ length: replication }, (__, r) => ids[(partition + r) % ids.length] ?? 0),
  }));
}

/** Why a topic should not be loaded yet; null = ready. */
export function whyNotReady(partitions: readonly PartitionState[], brokers: number): string | null {
  const short = partitions.find((p) => p.isr.length < p.replicas.length);
  if (short !== undefined)
    return `partition ${short.partition} has replicas ${short.replicas.join(',')} but only ${short.isr.join(',')} in sync`;
  const moved = partitions.find((p) => p.leader !== p.replicas[0]);
  if (moved !== undefined)
    return `partition ${moved.partition} is led by ${moved.leader}, not by its preferred leader ${moved.replicas[0] ?? '?'}`;
  const counts = new Map<number, number>();
  for (const p of partitions) counts.set(p.leader, (counts.get(p.leader) ?? 0) + 1);
  const fewest = counts.size < brokers ? 0 : Math.min(...counts.values());
  const spread = Math.max(0, ...counts.values()) - fewest;
  return spread > 1 ? 'leaders are spread unevenly over the brokers' : null;
}

/** Kafka's metadata as the lab interface words it; sorted, ISR too, so that two views can be compared. */
export function toPartitions(
  partitions: readonly {
    partitionIndex: number;
    leaderId: number;
    leaderEpoch: number;
    replicaNodes: number[];
    isrNodes: number[];
  }[],
): readonly PartitionState[] {
  return partitions
    .map((p) => ({
      partition: p.partitionIndex,
      leader: p.leaderId,
      leaderEpoch: p.leaderEpoch,
      replicas: p.replicaNodes,
      isr: [...p.isrNodes].sort((a, b) => a - b),
    }))
    .sort((a, b) => a.partition - b.partition);
}
