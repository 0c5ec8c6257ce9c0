import { readdirSync } from 'node:fs';
import type { PartitionState } from '../lab.ts';

/** Kafka's folders are `t-0`, and `t-0.<id>-delete` while a deletion is pending. */
const FOLDER = /^(.+)-\d+(?:\.[0-9a-f]+-(?:delete|stray))?$/;

/** Folders of one topic, of which some may be waiting to be deleted. */
export function topicFolders(nodeFolder: string, name: string): readonly string[] {
  return entries(nodeFolder).filter((entry) => FOLDER.exec(entry)?.[1] === name);
}

/** Folders of all topics whose names begin so, but for some. */
export function foldersOfTopics(
  nodeFolder: string,
  prefix: string,
  except: readonly string[],
): readonly string[] {
  return entries(nodeFolder).filter((entry) => {
    const topic = entry.startsWith(prefix) ? FOLDER.exec(entry)?.[1] : undefined;
    return topic?.startsWith(prefix) === true && !except.includes(topic);
  });
}

function entries(nodeFolder: string): readonly string[] {
  try {
    return readdirSync(`${nodeFolder}/data`);
  } catch {
    return [];
  }
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
