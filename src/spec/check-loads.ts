import { suggestion } from './did-you-mean.ts';
import type { IssueCode, SpecIssue, SpecPath } from './issue.ts';
import { recordBytesOf } from './payload-size.ts';
import type { ConsumerSpec, ProducerSpec, Spec } from './schema.ts';

/** After the last send the buffer empties with the client idle: at least this is cut from a load's end (design §7). */
export const SHORTEST_TAIL_MS = 2_000;

/** Whether a producer runs at all; `processes: 0` is another way to leave it out. */
export function producerRuns(load: ProducerSpec): boolean {
  return load.enabled && load.processes > 0;
}

/** Whether a consumer runs at all. */
export function consumerRuns(load: ConsumerSpec): boolean {
  return load.enabled && load.processes > 0 && load.groups > 0;
}

/** The client hosts of a lab: c1, c2, … */
export function clientNames(spec: Spec): readonly string[] {
  return Array.from({ length: spec.lab.clients.count }, (_, i) => `c${i + 1}`);
}

function issue(code: IssueCode, path: SpecPath, message: string, at: 'key' | 'value' = 'value'): SpecIssue {
  return { code, path, at, message };
}

/** A producer in its scenario: topic, hosts, counts, window. */
export function producerIssues(spec: Spec, name: string, load: ProducerSpec): SpecIssue[] {
  const path: SpecPath = ['producers', name];
  const found = [
    ...topicOf(spec, path, `Producer "${name}" writes to`, load.topic),
    ...hostsOf(spec, path, load.on),
    ...processNames(spec, path, name, load.processes),
  ];
  if (load.records !== undefined && load.records < load.processes)
    found.push(
      issue(
        'contradiction',
        [...path, 'records'],
        `${load.records} records cannot be spread over ${load.processes} processes.`,
      ),
    );
  const tooShort = windowIssue(spec, load);
  const amount = load.for === undefined ? (load.records === undefined ? 'bytes' : 'records') : 'for';
  if (tooShort !== null)
    found.push({
      ...issue('contradiction', [...path, amount], tooShort),
      orAt: [
        ['window', 'ramp'],
        ['window', 'min'],
      ],
    });
  return found;
}

/** A consumer in its scenario: what it reads must be there, and its group must have a share for every member. */
export function consumerIssues(spec: Spec, name: string, load: ConsumerSpec): SpecIssue[] {
  const path: SpecPath = ['consumers', name];
  const processes = load.groups * load.processes;
  const found = [
    ...topicOf(spec, path, `Consumer "${name}" reads`, load.topic),
    ...hostsOf(spec, path, load.on),
    ...processNames(spec, path, name, processes),
  ];
  const topic = spec.topics[load.topic];
  if (topic === undefined) return found;
  if (load.processes > topic.partitions)
    found.push(
      issue(
        'contradiction',
        [...path, 'processes'],
        `${load.processes} members of a group share ${topic.partitions} partitions of "${load.topic}": some would read nothing, and the trial would be void. Use at most ${topic.partitions}.`,
      ),
    );
  const writers = Object.values(spec.producers).filter((p) => p.topic === load.topic && producerRuns(p));
  const filled = load.from === 'earliest' ? (topic.fill?.records ?? 0) : 0;
  if (filled === 0 && writers.length === 0)
    found.push(
      issue(
        'contradiction',
        [...path, load.from === 'latest' ? 'from' : 'topic'],
        `Nothing is in topic "${load.topic}" for consumer "${name}"${load.from === 'latest' ? ' from its end on' : ''}: fill it (topics.${load.topic}.fill), or let a producer write to it.`,
      ),
    );
  const most = writers.every((p) => p.records !== undefined)
    ? filled + writers.reduce((sum, p) => sum + (p.records ?? 0), 0)
    : null;
  if (load.records !== undefined && most !== null && most > 0 && load.records > most)
    found.push(
      issue(
        'contradiction',
        [...path, 'records'],
        `${load.records} records are asked, but topic "${load.topic}" will hold ${most}: the consumer would wait until its idle time is over, and the trial would be void.`,
      ),
    );
  return found;
}

function topicOf(spec: Spec, path: SpecPath, does: string, topic: string): SpecIssue[] {
  const topics = Object.keys(spec.topics);
  if (topics.includes(topic)) return [];
  const message = `${does} topic "${topic}", which is not in topics. ${suggestion(topic, topics)}`;
  return [issue('unknown-name', [...path, 'topic'], message.trim())];
}

function hostsOf(spec: Spec, path: SpecPath, on: readonly string[] | undefined): SpecIssue[] {
  const hosts = clientNames(spec);
  return (on ?? []).flatMap((host, i): SpecIssue[] => {
    const at = [...path, 'on', i];
    if (!hosts.includes(host))
      return [
        issue(
          'unknown-name',
          at,
          `There is no client host "${host}". The lab has ${hosts.join(', ')} (lab.clients.count).`,
        ),
      ];
    return on?.indexOf(host) === i
      ? []
      : [
          issue(
            'contradiction',
            at,
            `Host "${host}" stands twice; processes are spread over the hosts in turn.`,
          ),
        ];
  });
}

function processNames(spec: Spec, path: SpecPath, name: string, processes: number): SpecIssue[] {
  if (processes < 2) return [];
  const all = [...Object.keys(spec.producers), ...Object.keys(spec.consumers)];
  const twin = Array.from({ length: processes }, (_, i) => `${name}-${i + 1}`).find((p) => all.includes(p));
  if (twin === undefined) return [];
  const message = `The processes of "${name}" are called ${name}-1, ${name}-2, …, and a load "${twin}" is there already; rename one.`;
  return [issue('contradiction', [...path, 'processes'], message)];
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
  const recordBytes = recordBytesOf(spec.payload);
  if (rate.kind === 'max' || recordBytes === null) return null;
  const recordsPerS = rate.kind === 'records' ? rate.recordsPerS : rate.bytesPerS / recordBytes;
  const records = load.records ?? (load.bytes ?? 0) / recordBytes;
  return (records / recordsPerS) * 1000;
}
