import { unreadable } from './tool-error.ts';

/** What kafka-topics.sh says of a partition. Leader epochs are not in it. */
export interface DescribedPartition {
  readonly topic: string;
  readonly partition: number;
  /** -1 = none. */
  readonly leader: number;
  /** The preferred leader first. */
  readonly replicas: readonly number[];
  /** Sorted, so that two looks can be compared: the tool's order is that of the replicas' return. */
  readonly isr: readonly number[];
}

/**
 * `kafka-topics.sh --describe`: a line `Topic: t TopicId: … PartitionCount: 6 …` for each topic, then one line for
 * each of its partitions, fields between tabs. Throws a ToolOutputError for anything else, and when partitions are
 * missing.
 */
export function parseDescribe(stdout: string): readonly DescribedPartition[] {
  const partitions: DescribedPartition[] = [];
  let promised = 0;
  for (const line of stdout.split('\n')) {
    if (line.trim() === '' || line.startsWith('WARNING: ')) continue;
    const fields = fieldsOf(line);
    const count = fields.get('PartitionCount');
    if (count !== undefined) promised += Number(count);
    else partitions.push(partitionOf(fields, line));
  }
  // with --under-replicated-partitions there are no lines of topics
  if (promised > 0 && promised !== partitions.length)
    throw unreadable('kafka-topics', `${partitions.length} of ${promised} partitions`);
  return partitions.toSorted((a, b) => a.topic.localeCompare(b.topic) || a.partition - b.partition);
}

function fieldsOf(line: string): ReadonlyMap<string, string> {
  return new Map(
    line
      .trim()
      .split('\t')
      .map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon), field.slice(colon + 1).trim()] as const;
      }),
  );
}

function partitionOf(fields: ReadonlyMap<string, string>, line: string): DescribedPartition {
  const topic = fields.get('Topic') ?? '';
  const partition = Number(fields.get('Partition') ?? Number.NaN);
  const leader = fields.get('Leader') ?? '';
  const replicas = idsIn(fields.get('Replicas'));
  const isr = idsIn(fields.get('Isr'));
  if (topic === '' || Number.isNaN(partition) || !/^(\d+|-1|none)$/.test(leader) || !replicas || !isr)
    throw unreadable('kafka-topics', line);
  return {
    topic,
    partition,
    leader: leader === 'none' ? -1 : Number(leader),
    replicas,
    isr: [...isr].sort((a, b) => a - b),
  };
}

function idsIn(text: string | undefined): readonly number[] | null {
  if (text === '') return [];
  return text !== undefined && /^\d+(,\d+)*$/.test(text) ? text.split(',').map(Number) : null;
}
