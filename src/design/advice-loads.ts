import {
  type AdviceInput,
  producerLoads,
  producersOf,
  type RunningProducer,
  varies,
} from './advice-input.ts';
import { bytesIn } from './amounts.ts';
import type { Advice } from './plan.ts';

const DEFAULT_BUFFER_BYTES = 33_554_432;

/** How loads are counted, bounded and put side by side. */
export function onLoads(input: AdviceInput): readonly Advice[] {
  return [
    ...onCounts(input),
    ...onSideBySide(input),
    ...onPartitions(input),
    ...onLinger(input),
    ...onBuffer(input),
  ];
}

function onCounts(input: AdviceInput): readonly Advice[] {
  if (!producerLoads(input).some(({ count }) => count.kind === 'duration')) return [];
  const bounded = input.spec.design.budget.written !== undefined;
  // The rates of a search make its counts.
  const searched = input.spec.search !== undefined;
  return [
    ...(searched
      ? []
      : [
          {
            code: 'implied-count',
            message:
              'Loads for a time get their count from block 0, for each scenario by itself and the same in every block: scenarios differ in count, not in duration.',
          },
        ]),
    ...(bounded
      ? []
      : [
          {
            code: 'no-written-budget',
            message:
              'Nothing bounds the bytes that unlimited loads write; write design.budget.written, e.g. 60GiB.',
          },
        ]),
  ];
}

function onSideBySide({ scenarios, spec }: AdviceInput): readonly Advice[] {
  const many = scenarios.find((s) => s.scenario.loads.length > 1)?.scenario;
  if (many === undefined) return [];
  const kinds = new Set(many.loads.map((load) => load.kind));
  const total = spec.metric === 'rate' || spec.metric === 'byteRate';
  if (total && kinds.size > 1) {
    const message = `In ${many.slug} ${spec.metric} adds what is written and what is read. Write metric: produceRate or consumeRate to ask for one of them${spec.metric === 'byteRate' ? ', in records' : ''}.`;
    return [{ code: 'mixed-rate', message }];
  }
  if (spec.window.over === 'overlap') return [];
  const message = `In ${many.slug} ${many.loads.length} loads run side by side. Their ${total ? 'total' : spec.metric} is always over the time they share; what is said of one load alone is over its own window. Write window.over: overlap to have both over the same time.`;
  return [{ code: 'side-by-side', message }];
}

/** One partition has one leader. */
function onPartitions(input: AdviceInput): readonly Advice[] {
  const {
    target,
    brokers: { count: brokers },
  } = input.spec.lab;
  // How many brokers somebody's cluster has is not known yet.
  if (target === 'existing') return [];
  const producers = producersOf(input);
  const narrow = producers.find(({ topic }) => topic?.partitions === 1);
  if (narrow === undefined || brokers < 2 || varies(producers.map((p) => p.topic?.partitions))) return [];
  const { topic } = narrow.load;
  const message = `Topic "${topic}" has one partition, so one of ${brokers} brokers takes every record and the others only copy. Write topics.${topic}.partitions: ${2 * brokers}, unless that is the question.`;
  return [{ code: 'one-partition', message }];
}

/** Without lingering batches leave before they fill, which hides what batch.size and codecs can do. */
function onLinger(input: AdviceInput): readonly Advice[] {
  const producers = producersOf(input);
  const first = producers[0];
  if (first === undefined || !producers.every(({ load }) => load.config['linger.ms'] === '0')) return [];
  const asked = ['batch.size', 'compression.type'].filter((name) =>
    varies(producers.map(({ load }) => load.config[name])),
  );
  if (asked.length === 0) return [];
  const message = `linger.ms is 0 in every scenario: a batch leaves as soon as it can, perhaps with one record in it, which hides what ${asked.join(' and ')} can do. Write producers.${first.name}.config.linger.ms: 5, Kafka's own default.`;
  return [{ code: 'linger-0', message }];
}

/** The perf tool keeps the records it draws from and the buffer in one heap. */
function onBuffer(input: AdviceInput): readonly Advice[] {
  const bufferOf = ({ load }: RunningProducer): number =>
    Number(load.config['buffer.memory'] ?? DEFAULT_BUFFER_BYTES);
  const large = producersOf(input).find((p) => bufferOf(p) > p.settings.lab.clients.heap / 2);
  if (large === undefined) return [];
  const heap = large.settings.lab.clients.heap;
  const message = `buffer.memory of producers.${large.name} is ${bytesIn(bufferOf(large))} of a heap of ${bytesIn(heap)}: the client would collect garbage, or run out of memory. Write lab.clients.heap: ${Math.ceil((4 * bufferOf(large)) / 1024 ** 2)}MiB, or a smaller buffer.`;
  return [{ code: 'buffer-beyond-heap', message }];
}
