import { payloadRecordBytes } from '../design/payloads.ts';
import { keptTopicName } from '../design/names.ts';
import type { Plan, Scenario, TopicPlan } from '../design/plan.ts';

/** Bytes on all disks that filling a topic takes: records × record size × copies. */
function bytesOf(plan: Plan, { fill, replication }: TopicPlan): number {
  if (fill === null) return 0;
  const recordBytes = payloadRecordBytes(plan.payloads, fill.payload) ?? 0;
  return fill.records * recordBytes * replication;
}

/** What every attempt at a scenario fills anew. */
export function filledEachAttempt(plan: Plan, { topics }: Scenario): number {
  return topics
    .filter((topic) => topic.fill?.each === 'attempt')
    .reduce((sum, topic) => sum + bytesOf(plan, topic), 0);
}

/** What is filled once for these scenarios together: topics that are alike are one. */
export function filledOnce(plan: Plan, scenarios: readonly Scenario[]): number {
  const kept = new Map(
    scenarios
      .flatMap((s) => s.topics)
      .filter((topic) => topic.fill?.each === 'experiment')
      .map((topic) => [keptTopicName('', topic), bytesOf(plan, topic)]),
  );
  return [...kept.values()].reduce((sum, bytes) => sum + bytes, 0);
}
