import { topicOfFolder } from '../topic-layout.ts';

/** What one broker keeps on its disk of topics whose names begin alike (kafka-look.sh). */
export interface KafkaLook {
  readonly clusterId: string | null;
  /** Folders of partitions, those that wait for their deletion too. */
  readonly folders: readonly string[];
  /**
   * Folder → newest leader epoch in its checkpoint file. A leader writes its epoch there when it becomes leader; a
   * follower only with the first records of that epoch, so only the leader's file tells the partition's epoch.
   */
  readonly epochs: ReadonlyMap<string, number>;
  /** Folder → names of its log segments. */
  readonly segments: ReadonlyMap<string, readonly string[]>;
}

/** Reads what kafka-look.sh printed; what is no folder of a partition is left out. */
export function parseKafkaLook(text: string): KafkaLook {
  const lines = text.split('\n').map((line) => line.split(' '));
  const of = (kind: string): readonly (readonly string[])[] =>
    lines.filter(([first]) => first === kind).map((line) => line.slice(1));
  const folders = of('folder').flatMap(([name = '']) => (topicOfFolder(name) === null ? [] : [name]));
  const epochs = of('epoch').map(([folder = '', epoch]) => [folder, Number(epoch)] as const);
  const segments = new Map<string, string[]>();
  for (const [folder = '', file = ''] of of('segment'))
    segments.set(folder, [...(segments.get(folder) ?? []), file]);
  return { clusterId: of('cluster')[0]?.[0] ?? null, folders, epochs: new Map(epochs), segments };
}
