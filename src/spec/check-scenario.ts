import { suggestion } from './did-you-mean.ts';
import type { IssueCode, SpecIssue, SpecPath } from './issue.ts';
import { declaration, type PropertyKind, unknownProperty } from './kafka-properties.ts';
import type { ProducerSpec, Spec } from './schema.ts';

/** After the last send the buffer empties with the client idle: at least this is cut from a load's end (design §7). */
export const SHORTEST_TAIL_MS = 2_000;

/** What no single section can know: whether the settings of one scenario can live together. */
export function scenarioIssues(spec: Spec): readonly SpecIssue[] {
  const loads = Object.entries(spec.producers).filter(([, load]) => load.enabled);
  const nothing: SpecIssue[] =
    loads.length === 0
      ? [issue('contradiction', ['producers'], 'No producer is enabled, so there is nothing to measure.')]
      : [];
  return [
    ...nothing,
    ...labIssues(spec),
    ...Object.entries(spec.topics).flatMap(([name]) => topicIssues(spec, name)),
    ...loads.flatMap(([name, load]) => loadIssues(spec, name, load)),
    ...propertyIssues(spec),
  ];
}

function issue(code: IssueCode, path: SpecPath, message: string, at: 'key' | 'value' = 'value'): SpecIssue {
  return { code, path, at, message };
}

/** The client hosts of a lab: c1, c2, … */
export function clientNames(spec: Spec): readonly string[] {
  return Array.from({ length: spec.lab.clients.count }, (_, i) => `c${i + 1}`);
}

function labIssues(spec: Spec): SpecIssue[] {
  const found: SpecIssue[] = [];
  if (spec.lab.clients.apart === 'node')
    found.push(
      issue(
        'contradiction',
        ['lab', 'clients', 'apart'],
        'A local lab has one machine, so clients cannot be on nodes of their own; write apart: none.',
      ),
    );
  if (spec.settle.quiet > spec.settle.limit)
    found.push(
      issue(
        'contradiction',
        ['settle', 'quiet'],
        'settle.quiet is longer than settle.limit, so no machine can ever be quiet in time.',
      ),
    );
  return found;
}

function topicIssues(spec: Spec, name: string): SpecIssue[] {
  const topic = spec.topics[name];
  if (!topic) return [];
  const found: SpecIssue[] = [];
  const brokers = spec.lab.brokers.count;
  if (topic.replication > brokers) {
    found.push(
      issue(
        'contradiction',
        ['topics', name, 'replication'],
        `${topic.replication} copies need ${topic.replication} brokers, the lab has ${brokers}; lower topics.${name}.replication or raise lab.brokers.count.`,
      ),
    );
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
  return found;
}

function loadIssues(spec: Spec, name: string, load: ProducerSpec): SpecIssue[] {
  const at = (key: string) => ['producers', name, key];
  const found: SpecIssue[] = [];
  const topics = Object.keys(spec.topics);
  if (!topics.includes(load.topic))
    found.push(
      issue(
        'unknown-name',
        at('topic'),
        `Producer "${name}" writes to topic "${load.topic}", which is not in topics. ${suggestion(load.topic, topics)}`,
      ),
    );
  const hosts = clientNames(spec);
  load.on?.forEach((host, i) => {
    if (!hosts.includes(host))
      found.push(
        issue(
          'unknown-name',
          [...at('on'), i],
          `There is no client host "${host}". The lab has ${hosts.join(', ')} (lab.clients.count).`,
        ),
      );
    else if (load.on?.indexOf(host) !== i)
      found.push(
        issue(
          'contradiction',
          [...at('on'), i],
          `Host "${host}" stands twice; processes are spread over the hosts in turn.`,
        ),
      );
  });
  if (load.records !== undefined && load.records < load.processes)
    found.push(
      issue(
        'contradiction',
        at('records'),
        `${load.records} records cannot be spread over ${load.processes} processes.`,
      ),
    );
  const twin = Array.from({ length: load.processes }, (_, i) => `${name}-${i + 1}`).find((process) =>
    Object.hasOwn(spec.producers, process),
  );
  if (load.processes > 1 && twin !== undefined)
    found.push(
      issue(
        'contradiction',
        at('processes'),
        `The processes of "${name}" are called ${name}-1, ${name}-2, …, and a producer "${twin}" is there already; rename one.`,
      ),
    );
  const { config } = load;
  if (config['enable.idempotence'] === 'true' && config['acks'] !== undefined && config['acks'] !== 'all') {
    found.push(
      issue(
        'contradiction',
        [...at('config'), 'enable.idempotence'],
        `Kafka refuses enable.idempotence: true with acks ${config['acks']}; set it to false or leave it out.`,
      ),
    );
  }
  const tooShort = windowIssue(spec, load);
  if (tooShort !== null)
    found.push(
      issue(
        'contradiction',
        at(load.for === undefined ? (load.records === undefined ? 'bytes' : 'records') : 'for'),
        tooShort,
      ),
    );
  return found;
}

/** Only where the length of the load is known beforehand: for a time, or a count at a fixed rate. */
function windowIssue(spec: Spec, load: ProducerSpec): string | null {
  const lengthMs = load.for ?? fixedLengthMs(spec, load);
  if (lengthMs === null) return null;
  const rampMs = spec.window.ramp === 'auto' ? 0 : spec.window.ramp;
  const neededMs = rampMs + spec.window.min + SHORTEST_TAIL_MS;
  if (lengthMs > neededMs) return null;
  const s = (ms: number) => `${Math.round(ms / 100) / 10} s`;
  return `A load of ${s(lengthMs)} has no room for a steady window of ${s(spec.window.min)} (ramp ${s(rampMs)}, tail ${s(SHORTEST_TAIL_MS)} more). Make it longer than ${s(neededMs)}, or window.min shorter.`;
}

function fixedLengthMs(spec: Spec, load: ProducerSpec): number | null {
  const { rate } = load;
  if (rate.kind === 'max') return null;
  const recordsPerS = rate.kind === 'records' ? rate.recordsPerS : rate.bytesPerS / spec.payload.json.size;
  const records = load.records ?? (load.bytes ?? 0) / spec.payload.json.size;
  return (records / recordsPerS) * 1000;
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
  ];
}
