import { kafkaIssues } from './check-kafka.ts';
import { consumerIssues, consumerRuns, producerIssues, producerRuns } from './check-loads.ts';
import type { IssueCode, SpecIssue, SpecPath } from './issue.ts';
import { declaration, type PropertyKind, unknownProperty } from './kafka-properties.ts';
import type { Spec } from './schema.ts';

/** What no single section can know: whether the settings of one scenario can live together. */
export function scenarioIssues(spec: Spec): readonly SpecIssue[] {
  const producers = Object.entries(spec.producers).filter(([, load]) => producerRuns(load));
  const consumers = Object.entries(spec.consumers).filter(([, load]) => consumerRuns(load));
  const nothing: SpecIssue[] =
    producers.length + consumers.length === 0
      ? [issue('contradiction', ['producers'], 'No load is enabled, so there is nothing to measure.')]
      : [];
  return [
    ...nothing,
    ...settleIssues(spec),
    ...Object.entries(spec.topics).flatMap(([name]) => topicIssues(spec, name)),
    ...producers.flatMap(([name, load]) => producerIssues(spec, name, load)),
    ...consumers.flatMap(([name, load]) => consumerIssues(spec, name, load)),
    ...namesake(spec),
    ...kafkaIssues(spec),
    ...propertyIssues(spec),
  ];
}

function issue(code: IssueCode, path: SpecPath, message: string, at: 'key' | 'value' = 'value'): SpecIssue {
  return { code, path, at, message };
}

function settleIssues(spec: Spec): SpecIssue[] {
  if (spec.settle.quiet <= spec.settle.limit) return [];
  const message = 'settle.quiet is longer than settle.limit, so no machine can ever be quiet in time.';
  return [issue('contradiction', ['settle', 'quiet'], message)];
}

/** A producer and a consumer share the names of loads, capsules and files. */
function namesake(spec: Spec): SpecIssue[] {
  return Object.keys(spec.consumers)
    .filter((name) => Object.hasOwn(spec.producers, name))
    .map((name) =>
      issue(
        'contradiction',
        ['consumers', name],
        `A producer is called "${name}" too; give the consumer another name.`,
        'key',
      ),
    );
}

function topicIssues(spec: Spec, name: string): SpecIssue[] {
  const topic = spec.topics[name];
  if (!topic) return [];
  const found: SpecIssue[] = [];
  const brokers = spec.lab.brokers.count;
  // How many brokers somebody's cluster has is known when it is asked.
  if (spec.lab.target !== 'existing' && topic.replication > brokers) {
    const message = `${topic.replication} copies need ${topic.replication} brokers, the lab has ${brokers}; lower topics.${name}.replication or raise lab.brokers.count.`;
    found.push({
      ...issue('contradiction', ['topics', name, 'replication'], message),
      orAt: [['lab', 'brokers', 'count']],
    });
  }
  const own = topic.config['min.insync.replicas'];
  const least = Number(own ?? spec.lab.brokers.config['min.insync.replicas'] ?? 1);
  if (least > topic.replication) {
    const path =
      own === undefined
        ? ['lab', 'brokers', 'config', 'min.insync.replicas']
        : ['topics', name, 'config', 'min.insync.replicas'];
    found.push(
      issue(
        'contradiction',
        path,
        `min.insync.replicas ${least} is above the ${topic.replication} copies of topic "${name}": acks=all could never succeed. Couple both in one named level, or lower min.insync.replicas.`,
      ),
    );
  }
  return [...found, ...fillIssues(spec, name)];
}

/** What a topic holds for a whole experiment must stay as it was filled. */
function fillIssues(spec: Spec, name: string): SpecIssue[] {
  const fill = spec.topics[name]?.fill;
  if (fill === undefined) return [];
  const writers = Object.entries(spec.producers).filter(([, p]) => p.topic === name && producerRuns(p));
  if (fill.each === 'attempt' || writers.length === 0) return [];
  const message = `Producer "${writers[0]?.[0]}" writes to topic "${name}", which is filled once for the whole experiment: each trial would find more in it. Write fill.each: attempt, or give the producer another topic.`;
  return [issue('contradiction', ['topics', name, 'fill', 'each'], message)];
}

/** Property names that Kafka does not declare and the spec does not allow. */
export function propertyIssues(spec: Spec): readonly SpecIssue[] {
  const of = (kind: PropertyKind, path: SpecPath, config: Readonly<Record<string, string>>): SpecIssue[] =>
    Object.keys(config)
      .filter((name) => declaration(kind, name) === undefined && !spec.allowUnknown.includes(name))
      .map((name) => issue('unknown-property', [...path, name], unknownProperty(kind, name), 'key'));
  return [
    ...of('broker', ['lab', 'brokers', 'config'], spec.lab.brokers.config),
    ...Object.entries(spec.topics).flatMap(([name, topic]) =>
      of('topic', ['topics', name, 'config'], topic.config),
    ),
    ...Object.entries(spec.producers).flatMap(([name, load]) =>
      of('producer', ['producers', name, 'config'], load.config),
    ),
    ...Object.entries(spec.consumers).flatMap(([name, load]) =>
      of('consumer', ['consumers', name, 'config'], load.config),
    ),
  ];
}
