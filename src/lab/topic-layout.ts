import type { PartitionState } from './lab.ts';

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

/** Kafka's folders are `t-0`, `t-0.<id>-delete` while a deletion is pending, and `t-0.<id>-stray` for ever: see below. */
const FOLDER = /^(.+)-\d+(?:\.[0-9a-f]+-(?:delete|stray))?$/;

/** The topic that a folder of a broker's log directory belongs to; null when it is no folder of a partition. */
export function topicOfFolder(folder: string): string | null {
  return FOLDER.exec(folder)?.[1] ?? null;
}

/**
 * Those folders that belong to topics whose names begin so, but for some. Not those that a broker has put aside as stray, because their
 * topic was deleted while it was away: it never deletes them (LogManager.asyncDelete), nobody writes to them, and they go
 * with the lab.
 */
export function foldersBelow(
  folders: readonly string[],
  prefix: string,
  except: readonly string[],
): readonly string[] {
  return folders.filter((folder) => {
    const topic = folder.endsWith('-stray') ? null : topicOfFolder(folder);
    return topic?.startsWith(prefix) === true && !except.includes(topic);
  });
}
