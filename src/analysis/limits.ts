import type { PayloadPlan, Plan } from '../design/plan.ts';
import { connectionLimit, existingLimits } from './existing-limits.ts';
import { percentText } from './format.ts';
import { methodLimits, replicateLimit } from './method-limits.ts';
import { producersOf } from './series.ts';

/**
 * What the answer does not prove: how it was estimated, and every condition that the experiment held fixed. What was
 * varied is left out.
 */
export function limitsOf(plan: Plan, stoppedByRule = false): readonly string[] {
  return [
    ...methodLimits(plan, stoppedByRule),
    ...labLimits(plan),
    ...plan.payloads.map(
      (p) =>
        `${corpusOf(p)}, sent over and over without keys; other data compress, batch and spread otherwise.`,
    ),
    ...topicLimits(plan),
    connectionLimit(plan),
    ...loadLimits(plan),
    `Minutes, not hours: retention, compaction and a disk that fills up have not been seen.`,
  ];
}

function corpusOf(p: PayloadPlan): string {
  if (p.kind === 'json')
    return `One corpus: ${p.lines} JSON lines of ${p.recordBytes} B, ${percentText(p.padding)} padding`;
  return p.kind === 'random'
    ? `One corpus: ${p.lines} random lines of ${p.recordBytes} B`
    : `One corpus: ${p.lines} lines of the file ${p.file}, ${Math.round(p.recordBytes)} B each in the mean`;
}

function labLimits(plan: Plan): readonly string[] {
  const { brokers, target } = plan.lab;
  return [
    replicateLimit(plan.labs, target),
    ...(target === 'local' ? oneMachineLimits(plan) : []),
    ...existingLimits(plan),
    ...(brokers.jit === 'c1'
      ? ['The brokers run the C1 compiler only and are slower than brokers in production.']
      : []),
    ...(plan.settle.method === 'sync' && target !== 'existing'
      ? [
          'Dirty pages are written out by sync before each trial: a disk that is already busy is not part of it.',
        ]
      : []),
  ];
}

/** What pods share is known only when they run: the report says it, from where they were. */
function oneMachineLimits({ lab: { brokers, clients } }: Plan): readonly string[] {
  return [
    `${brokers.count} brokers and ${clients.names.length === 1 ? 'the client' : `${clients.names.length} clients`} share this machine: ` +
      `rates are those of client and brokers together, never broker capacity.`,
    'Replication runs over loopback and to one disk: network latency and separate volumes are not part of it.',
  ];
}

function topicLimits(plan: Plan): readonly string[] {
  const topics = plan.scenarios.map((s) => s.topics);
  const counts = distinct(topics.map((t) => t.length));
  const partitions = distinct(topics.flatMap((t) => t.map((x) => x.partitions)));
  const replication = distinct(topics.flatMap((t) => t.map((x) => x.replication)));
  const fixed = [
    counts.length === 1 ? [counts[0] === 1 ? 'one topic' : `${counts[0]} topics`] : [],
    partitions.length === 1 ? [`${partitions[0]} partitions`] : [],
    replication.length === 1 ? [`replication ${replication[0]}`] : [],
  ].flat();
  const kept = topics.some((t) => t.some((x) => x.fill?.each === 'experiment'));
  const fresh = kept ? '' : ', fresh for each trial';
  return fixed.length === 0 ? [] : [`Only with ${fixed.join(', ')}${fresh}.`];
}

function loadLimits(plan: Plan): readonly string[] {
  const loads = plan.scenarios.flatMap(producersOf);
  const acks = distinct(loads.map((l) => l.config['acks'] ?? 'all'));
  const counts = distinct(plan.scenarios.map((s) => producersOf(s).length));
  const consumers = plan.scenarios.some((s) => s.loads.some((load) => load.kind === 'consumer'));
  return [
    ...(acks.length === 1 ? [`Only with acks=${acks[0]}.`] : []),
    ...(counts.length === 1 && !consumers
      ? [`${counts[0] === 1 ? 'One producer' : `${counts[0]} producers`} and no consumer.`]
      : []),
    ...(!plan.search && loads.some((l) => l.recordsPerS !== null)
      ? ['Rate-limited loads show whether the asked rate is reached, not what is possible.']
      : []),
  ];
}

function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)];
}
