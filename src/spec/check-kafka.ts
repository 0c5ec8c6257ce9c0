import { producerRuns } from './check-loads.ts';
import type { SpecIssue, SpecPath } from './issue.ts';
import { PRODUCER_DEFAULTS } from './kafka-defaults.ts';
import { recordBytesOf } from './payload-size.ts';
import type { ProducerSpec, Spec } from './schema.ts';

/*
 * Combinations that Kafka itself refuses: the client would not start, or every send would fail. The defaults are those
 * of the 4.3.1 client's own declarations.
 */

const DEFAULTS = {
  'max.in.flight.requests.per.connection': 5,
  'delivery.timeout.ms': 45_000,
  'request.timeout.ms': 30_000,
  'linger.ms': Number(PRODUCER_DEFAULTS['linger.ms']),
  'max.request.size': 1_048_576,
  'buffer.memory': 33_554_432,
} as const;
/** Length, offsets and header of a batch of one record. */
const BATCH_OVERHEAD_BYTES = 88;

/** Settings of one scenario that Kafka would refuse. */
export function kafkaIssues(spec: Spec): readonly SpecIssue[] {
  const loads = Object.entries(spec.producers).filter(([, load]) => producerRuns(load));
  return [
    ...loads.flatMap(([name, load]) => producerRefusals(spec, ['producers', name, 'config'], load)),
    ...loads.flatMap(([, load]) => topicRefusals(spec, load)).filter(firstOfPath()),
  ];
}

function contradiction(path: SpecPath, message: string): SpecIssue {
  return { code: 'contradiction', path, at: 'value', message };
}

/** Where a record got its size, when the limit that it breaks is a default that nobody wrote. */
const RECORD_SIZE: readonly SpecPath[] = [
  ['payload', 'json', 'size'],
  ['payload', 'random', 'size'],
  ['payload', 'file'],
];

/** Several producers of one topic meet the same wall; it is said once. */
function firstOfPath(): (issue: SpecIssue) => boolean {
  const seen = new Set<string>();
  return ({ path }) => {
    const key = path.join('\u0000');
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
}

function numberOf(config: ProducerSpec['config'], name: keyof typeof DEFAULTS): number {
  return Number(config[name] ?? DEFAULTS[name]);
}

function producerRefusals(spec: Spec, path: SpecPath, load: ProducerSpec): readonly SpecIssue[] {
  return [
    ...idempotenceRefusals(path, load),
    ...timeRefusals(path, load.config),
    ...sizeRefusals(path, load.config, recordBytesOf(spec.payload)),
  ];
}

function idempotenceRefusals(path: SpecPath, load: ProducerSpec): readonly SpecIssue[] {
  const { config } = load;
  const acks = config['acks'] ?? PRODUCER_DEFAULTS.acks;
  const inFlight = numberOf(config, 'max.in.flight.requests.per.connection');
  const at = (name: string) => [...path, name];
  const found: SpecIssue[] = [];
  const transactional = load.transactional !== undefined;
  if (transactional && config['enable.idempotence'] === 'false')
    found.push(
      contradiction(at('enable.idempotence'), 'A transactional producer is idempotent; leave this out.'),
    );
  if (config['enable.idempotence'] !== 'true' && !transactional) return found;
  const who = transactional ? 'a transactional producer' : 'enable.idempotence: true';
  if (acks !== 'all')
    found.push(
      contradiction(
        at(config['enable.idempotence'] === 'true' ? 'enable.idempotence' : 'acks'),
        `Kafka refuses ${who} with acks ${acks}; set it to false or leave it out.`,
      ),
    );
  if (inFlight > 5)
    found.push(
      contradiction(
        at('max.in.flight.requests.per.connection'),
        `Kafka refuses ${who} with ${inFlight} requests in flight; 5 is the most.`,
      ),
    );
  if (config['retries'] === '0')
    found.push(contradiction(at('retries'), `Kafka refuses ${who} with retries 0; leave retries out.`));
  return found;
}

function timeRefusals(path: SpecPath, config: ProducerSpec['config']): readonly SpecIssue[] {
  const delivery = numberOf(config, 'delivery.timeout.ms');
  const least = numberOf(config, 'linger.ms') + numberOf(config, 'request.timeout.ms');
  if (delivery >= least) return [];
  const name =
    config['delivery.timeout.ms'] !== undefined
      ? 'delivery.timeout.ms'
      : config['request.timeout.ms'] !== undefined
        ? 'request.timeout.ms'
        : 'linger.ms';
  return [
    contradiction(
      [...path, name],
      `Kafka refuses delivery.timeout.ms ${delivery} (Assay sets 45000 unless you do): it must be at least linger.ms + request.timeout.ms, here ${least}.`,
    ),
  ];
}

function sizeRefusals(
  path: SpecPath,
  config: ProducerSpec['config'],
  recordBytes: number | null,
): readonly SpecIssue[] {
  if (recordBytes === null) return [];
  const found: SpecIssue[] = [];
  const whole = recordBytes + BATCH_OVERHEAD_BYTES;
  const limits = [
    ['max.request.size', 'the largest request'],
    ['buffer.memory', "the client's whole buffer"],
  ] as const;
  for (const [name, what] of limits)
    if (whole > numberOf(config, name))
      found.push({
        orAt: RECORD_SIZE,
        ...contradiction(
          [...path, name],
          `Records of ${recordBytes} B do not fit ${what} (${name} ${numberOf(config, name)}): every send would fail. Raise it, or make records smaller.`,
        ),
      });
  return found;
}

/** What the topic would refuse of every record. */
function topicRefusals(spec: Spec, load: ProducerSpec): readonly SpecIssue[] {
  const topic = spec.topics[load.topic];
  if (topic === undefined) return [];
  const path: SpecPath = ['topics', load.topic, 'config'];
  const recordBytes = recordBytesOf(spec.payload);
  const found: SpecIssue[] = [];
  const most = Number(
    topic.config['max.message.bytes'] ?? spec.lab.brokers.config['message.max.bytes'] ?? 1_048_588,
  );
  // A codec may still make it fit, so only what goes uncompressed is certain.
  const plain = (load.config['compression.type'] ?? 'none') === 'none';
  if (plain && recordBytes !== null && recordBytes + BATCH_OVERHEAD_BYTES > most)
    found.push({
      orAt: [['lab', 'brokers', 'config', 'message.max.bytes'], ...RECORD_SIZE],
      ...contradiction(
        [...path, 'max.message.bytes'],
        `Records of ${recordBytes} B are above max.message.bytes ${most} of topic "${load.topic}": every send would fail.`,
      ),
    });
  if ((topic.config['cleanup.policy'] ?? '').includes('compact'))
    found.push(
      contradiction(
        [...path, 'cleanup.policy'],
        `The perf tool sends records without keys, and a compacted topic refuses them all; use cleanup.policy: delete.`,
      ),
    );
  return found;
}
