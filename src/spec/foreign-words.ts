import { closest } from './did-you-mean.ts';
import type { SpecPath } from './issue.ts';
import { declaration, type PropertyKind } from './kafka-properties.ts';

/*
 * Words that people bring along (from Kafka, its tools, other benchmarks) and keys that stand at the wrong place, with where
 * they belong. `*` is an entry of a map: the one that is meant, else the only one.
 */

const REPLICATION = 'topics.*.replication';
const RECORD_SIZE = 'payload.json.size';
const AMOUNT = { records: 'producers.*.records', for: 'producers.*.for' };
const BLOCKS = 'design.blocks';
const SET = 'factors.*.set';
const LEVELS = 'factors.*.levels';

/** Word without capitals, dots, dashes and underscores → path of the key that is meant. */
const WORDS: Readonly<Record<string, string>> = {
  rf: REPLICATION,
  replicas: REPLICATION,
  replicationfactor: REPLICATION,
  replication: REPLICATION,
  copies: REPLICATION,
  partition: 'topics.*.partitions',
  partitions: 'topics.*.partitions',
  duration: AMOUNT.for,
  durationms: AMOUNT.for,
  numrecords: AMOUNT.records,
  nummessages: AMOUNT.records,
  messages: AMOUNT.records,
  throughput: 'producers.*.rate',
  targetthroughput: 'producers.*.rate',
  ratelimit: 'producers.*.rate',
  rate: 'producers.*.rate',
  recordsize: RECORD_SIZE,
  messagesize: RECORD_SIZE,
  size: RECORD_SIZE,
  codec: 'producers.*.config.compression.type',
  compression: 'producers.*.config.compression.type',
  compressioncodec: 'producers.*.config.compression.type',
  linger: 'producers.*.config.linger.ms',
  batch: 'producers.*.config.batch.size',
  blocks: BLOCKS,
  repetitions: BLOCKS,
  repeats: BLOCKS,
  iterations: BLOCKS,
  runs: BLOCKS,
  seed: 'design.seed',
  labs: 'design.labs',
  until: 'design.until',
  warmup: 'design.warmup',
  retries: 'design.retries',
  deadline: 'design.deadline',
  budget: 'design.budget',
  brokers: 'lab.brokers',
  clients: 'lab.clients',
  target: 'lab.target',
  kafka: 'lab.brokers.kafka',
  path: SET,
  parameter: SET,
  values: LEVELS,
  options: LEVELS,
  variants: LEVELS,
};

const KINDS: readonly (readonly [kind: PropertyKind, config: string])[] = [
  ['producer', 'producers.*.config'],
  ['topic', 'topics.*.config'],
  ['consumer', 'consumers.*.config'],
  ['broker', 'lab.brokers.config'],
];

/** Sections in which the words mean what they mean at the top. */
const SPEAK_OF_LOADS = ['topics', 'producers', 'consumers', 'factors', 'payload', 'lab', 'design'];
/** Sections whose entries a path names with `*`. */
const MAPS = ['topics', 'producers', 'consumers', 'factors'];

/** The key that a word of others means; `section` is where it stands, `json` the spec that it stands in. */
export function keyMeant(word: string, section: SpecPath, json: unknown): string | null {
  // `retries` is a property of a producer, and at the top a word of ours.
  const target = KINDS.some(([, config]) => config.split('.')[0] === section[0])
    ? (propertyMeant(word, section) ?? wordMeant(word, section))
    : (wordMeant(word, section) ?? propertyMeant(word, section));
  return target === null ? null : withEntry(target, section, json);
}

/** `linger.ms`, `linger-ms` and `lingerMs` in a producer; what a topic declares stands in topics wherever it is written. */
function propertyMeant(word: string, section: SpecPath): string | null {
  const dotted = word.replaceAll(/[-_]/g, '.').replaceAll(/([a-z])([A-Z])/g, '$1.$2');
  const own = KINDS.filter(([, config]) => config.split('.')[0] === section[0]);
  for (const name of [word, dotted.toLowerCase()]) {
    const kind = [...own, ...KINDS].find(([one]) => declaration(one, name) !== undefined);
    if (kind !== undefined) return `${kind[1]}.${name}`;
  }
  return null;
}

function wordMeant(word: string, section: SpecPath): string | null {
  const plain = word.toLowerCase().replaceAll(/[-_.]/g, '');
  const target = Object.hasOwn(WORDS, plain) ? (WORDS[plain] ?? null) : null;
  const [root = ''] = section;
  // Elsewhere the same word may mean anything: a duration of settle is no load's.
  if (target === null || section.length > 2 || (section.length > 0 && !SPEAK_OF_LOADS.includes(String(root))))
    return null;
  if (target.startsWith('factors.') && root !== 'factors') return null;
  // Consumers have amounts too, and nothing else of a producer.
  return root === 'consumers' && Object.values(AMOUNT).includes(target)
    ? target.replace('producers', 'consumers')
    : target;
}

/** The path with the name of the entry in which the word stands, else of the only one there is. */
function withEntry(target: string, section: SpecPath, json: unknown): string {
  const [map = '', entry, ...rest] = target.split('.');
  if (entry !== '*' || !MAPS.includes(map)) return target;
  const all = typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[map] : undefined;
  const names = typeof all === 'object' && all !== null ? Object.keys(all) : [];
  const own = section[0] === map ? section[1] : undefined;
  const [only] = names.length === 1 ? names : [];
  return [map, own ?? only ?? '*', ...rest].join('.');
}

/** What to say of a key that is not known where it stands; empty when nothing is near. */
export function whereItBelongs(
  key: string,
  section: SpecPath,
  known: readonly string[],
  json: unknown,
): string {
  if (key.toLowerCase() === 'baseline' && section.length === 0)
    return 'The baseline is the first level of every factor: put it first in levels.';
  const meant = keyMeant(key, section, json);
  if (meant === null) return '';
  const [own, name] = [section.join('.'), meant.split('.').at(-1) ?? ''];
  if (meant === `${own}.${name}` && known.includes(name))
    return closest(key, known) === name ? '' : `Here it is called "${name}".`;
  if (meant.includes('.config.')) return `Kafka's own properties stand under config: ${meant}.`;
  return `It belongs elsewhere: ${meant}.`;
}

/** The key of the same section that an unknown one stands in for, by its meaning or its letters; null when none does. */
export function standsInFor(
  key: string,
  section: SpecPath,
  known: readonly string[],
  json: unknown,
): string | null {
  const meant = keyMeant(key, section, json);
  const name = meant?.split('.').at(-1) ?? '';
  if (meant === [...section, name].join('.') && known.includes(name)) return name;
  return meant === null ? closest(key, known) : null;
}
