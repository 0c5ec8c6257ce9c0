import { readdirSync } from 'node:fs';
import type { PartitionState } from '../lab.ts';
import { foldersBelow, topicOfFolder } from '../topic-layout.ts';

/** Folders of one topic, of which some may be waiting to be deleted. */
export function topicFolders(nodeFolder: string, name: string): readonly string[] {
  return entries(nodeFolder).filter((entry) => topicOfFolder(entry) === name);
}

/** Folders of all topics whose names begin so, but for some. */
export function foldersOfTopics(
  nodeFolder: string,
  prefix: string,
  except: readonly string[],
): readonly string[] {
  return foldersBelow(entries(nodeFolder), prefix, except);
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
