import { type AdviceInput, producersOf, speaksOf, varies } from './advice-input.ts';
import { listed } from './amounts.ts';
import type { Advice } from './plan.ts';

const DURABLE =
  /durab\w*|(no|without) (data )?loss|loses?\b|lost\b|loss\b|safe(ly|ty)?\b|reliab\w*|guarantee\w*/i;

/** What is and is not written for good. */
export function onDurability(input: AdviceInput): readonly Advice[] {
  return [...onAcksZero(input), ...onMinIsr(input), ...onFlush(input), ...onIdempotence(input)];
}

function onAcksZero(input: AdviceInput): readonly Advice[] {
  const claim = speaksOf(input.spec, DURABLE);
  const loose = producersOf(input).filter(({ load }) => load.config['acks'] === '0');
  if (claim === null || loose.length === 0) return [];
  const names = [...new Set(loose.map(({ name }) => name))];
  const message = `The spec speaks of "${claim}", and ${listed(names.map((n) => `producers.${n}`))} runs with acks 0: no broker confirms a record, so its rate and latency say nothing about records that are kept. Write producers.${names[0] ?? 'p'}.config.acks: all, or ask another question.`;
  return [{ code: 'acks-0-durability', message }];
}

/** With as many in-sync replicas needed as there are copies, one broker that is down stops every acks=all. */
function onMinIsr(input: AdviceInput): readonly Advice[] {
  const tight = producersOf(input).filter(({ load, topic, settings }) => {
    const least = Number(
      topic?.config['min.insync.replicas'] ?? settings.lab.brokers.config['min.insync.replicas'] ?? 1,
    );
    return (
      topic !== undefined && topic.replication > 1 && least === topic.replication && needsAll(load.config)
    );
  });
  return [...new Map(tight.map((one) => [one.load.topic, one])).values()].map(({ load, topic }) => {
    const copies = topic?.replication ?? 0;
    const message = `min.insync.replicas of topic "${load.topic}" is ${copies}, as many as it has copies: one broker that is down stops every acks=all. Write topics.${load.topic}.config.min.insync.replicas: ${copies - 1}.`;
    return { code: 'min-isr-equals-copies', message };
  });
}

function needsAll(config: Readonly<Record<string, string>>): boolean {
  return (config['acks'] ?? 'all') === 'all';
}

function onFlush({ scenarios }: AdviceInput): readonly Advice[] {
  const places = scenarios.flatMap(({ settings }) => [
    ...(settings.lab.brokers.config['log.flush.interval.messages'] === '1'
      ? ['lab.brokers.config.log.flush.interval.messages: 1']
      : []),
    ...Object.entries(settings.topics).flatMap(([name, topic]) =>
      topic.config['flush.messages'] === '1' ? [`topics.${name}.config.flush.messages: 1`] : [],
    ),
  ]);
  const [place] = places;
  if (place === undefined) return [];
  const message = `${place} flushes to disk for each message, which is not how Kafka is durable (copies are); it is measured as asked. For durability write replication: 3, min.insync.replicas: 2 and acks: all instead.`;
  return [{ code: 'flush-each', message }];
}

/** Where acks varies the contrast is confounded, and says so. */
function onIdempotence(input: AdviceInput): readonly Advice[] {
  const producers = producersOf(input);
  const off = producers.find(
    ({ load }) => !needsAll(load.config) && load.config['enable.idempotence'] === undefined,
  );
  if (off === undefined || varies(producers.map(({ load }) => load.config['acks'] ?? 'all'))) return [];
  const acks = off.load.config['acks'] ?? '';
  const message = `acks ${acks} switches idempotence off in producers.${off.name}: a retry may write a record twice. Write producers.${off.name}.config.enable.idempotence: false, so that the spec says it.`;
  return [{ code: 'idempotence-off', message }];
}
