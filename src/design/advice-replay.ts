import { payloadRecordBytes } from './payloads.ts';
import type { AdviceInput } from './advice-input.ts';
import { bytesIn, timeIn } from './amounts.ts';
import { ASSUMED_CONSUMER_RATE } from './estimates.ts';
import type { Advice, ConsumerLoad, LoadPlan, PayloadPlan, Scenario, TopicPlan } from './plan.ts';

/** Loads side by side must share this much of the time in which any of them runs (design §7). */
const SHARED = 0.8;

/** Topics that are filled beforehand and only read: how often they are filled, and whether they last. */
export function onReplay(input: AdviceInput, payloads: readonly PayloadPlan[]): readonly Advice[] {
  const found = input.scenarios.flatMap(({ scenario }) =>
    scenario.topics
      .filter(({ name, fill }) => fill !== null && !isWritten(input, name))
      .flatMap((topic) => [...onEach(topic), ...onEnd(input, scenario, topic, payloads)]),
  );
  // The same topic in several scenarios is one thing to mend.
  return [...new Map(found.map(({ key, advice }) => [key, advice])).values()];
}

interface Keyed {
  readonly key: string;
  readonly advice: Advice;
}

function isWritten({ scenarios }: AdviceInput, topic: string): boolean {
  return scenarios.some(({ scenario }) =>
    scenario.loads.some((load) => load.kind === 'producer' && load.topic === topic),
  );
}

function onEach({ name, fill }: TopicPlan): readonly Keyed[] {
  if (fill?.each !== 'attempt') return [];
  const message = `Topic "${name}" is filled anew for each attempt, and no load writes to it: every trial waits for the same records. Write topics.${name}.fill.each: experiment to fill it once.`;
  return [{ key: `${name} each`, advice: { code: 'fill-each-attempt', message } }];
}

/** A consumer that has read everything while the producers still write shares too little time with them. */
function onEnd(
  { spec }: AdviceInput,
  scenario: Scenario,
  topic: TopicPlan,
  payloads: readonly PayloadPlan[],
): readonly Keyed[] {
  const together = spec.window.over === 'overlap' || spec.metric === 'rate' || spec.metric === 'byteRate';
  const writing = scenario.loads.flatMap((load) => timed(load));
  const longest = writing.toSorted((a, b) => b.durationMs - a.durationMs)[0];
  if (!together || longest === undefined) return [];
  const { fill } = topic;
  const recordBytes = payloadRecordBytes(payloads, fill?.payload) ?? 0;
  const seconds = (SHARED * longest.durationMs) / 1000;
  const enough = ASSUMED_CONSUMER_RATE.highBytesPerS * seconds;
  return scenario.loads.flatMap((load): readonly Keyed[] => {
    if (load.kind !== 'consumer' || load.topic !== topic.name || fill === null) return [];
    const bytes = recordsOf(load, fill.records) * recordBytes;
    if (bytes === 0 || bytes >= enough) return [];
    const message = `In ${scenario.slug} ${load.name} reads ${bytesIn(bytes)} of topic "${topic.name}" beside ${longest.name}, which writes for ${timeIn(longest.durationMs)}: faster than ${bytesIn(bytes / seconds)}/s it ends before ${SHARED * 100} % of that time has passed, and the trial is void. A larger topics.${topic.name}.fill, or a shorter ${longest.name}, is safer; ${bytesIn(enough)} last at ${bytesIn(ASSUMED_CONSUMER_RATE.highBytesPerS)}/s.`;
    return [{ key: `${topic.name} end`, advice: { code: 'fill-read-too-soon', message } }];
  });
}

/** Of a consumer for a time too: there is no more than the topic holds. */
function recordsOf({ count }: ConsumerLoad, filled: number): number {
  if (count.kind === 'records') return count.records;
  return count.kind === 'topic' ? filled * count.share : filled;
}

/** How long a producer writes, where the spec says it. */
function timed(load: LoadPlan): readonly { readonly name: string; readonly durationMs: number }[] {
  if (load.kind !== 'producer') return [];
  const { name, count, recordsPerS } = load;
  if (count.kind === 'duration') return [{ name, durationMs: count.durationMs }];
  return recordsPerS === null ? [] : [{ name, durationMs: (count.records / recordsPerS) * 1000 }];
}
