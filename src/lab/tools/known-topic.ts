import { KafkaRefusal } from '../kafka-refusal.ts';
import { NotYet, outputOf } from './ask-tools.ts';
import { type DescribedPartition, parseDescribe } from './describe-output.ts';
import { parseOffsets } from './offsets-output.ts';
import type { ToolRun } from './tool-error.ts';

/**
 * Partitions of a topic whose leaders all answer, by a description and latest offsets asked at one time.
 *
 * @throws NotYet while a leader does not answer, or a broker has not heard of the topic (it was just created).
 */
export function answeringPartitions(
  topic: string,
  described: ToolRun | undefined,
  latest: ToolRun | undefined,
): readonly DescribedPartition[] {
  const what = `looking at topic ${topic}`;
  try {
    const partitions = parseDescribe(outputOf(what, described));
    const answering = parseOffsets(outputOf(what, latest), topic).size;
    if (answering < partitions.length) throw new NotYet('a leader does not answer yet');
    return partitions;
  } catch (error) {
    if (error instanceof KafkaRefusal && error.code === 'UNKNOWN_TOPIC_OR_PARTITION')
      throw new NotYet('not every broker knows it yet');
    throw error;
  }
}
