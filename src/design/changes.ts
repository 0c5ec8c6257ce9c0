import type { ProducerSpec, Spec } from '../spec/schema.ts';

/** What differs between two scenarios. */
export interface Changes {
  /** Path → [denominator's value, numerator's value], implied settings included. */
  readonly changes: Readonly<Record<string, readonly [string, string]>>;
  /** Path → why it changes although no level names it. */
  readonly implied: Readonly<Record<string, string>>;
  /** More than one setting changes. */
  readonly confounded: boolean;
}

const DEFAULT = '(default)';

/** Compares two scenarios setting by setting, as written and as they take effect. */
export function changesBetween(denominator: Spec, numerator: Spec): Changes {
  const from = flat(denominator);
  const to = flat(numerator);
  const changes: Record<string, readonly [string, string]> = {};
  for (const path of [...new Set([...from.keys(), ...to.keys()])].toSorted()) {
    const pair = [from.get(path) ?? DEFAULT, to.get(path) ?? DEFAULT] as const;
    if (pair[0] !== pair[1]) changes[path] = pair;
  }
  const implied: Record<string, string> = {};
  for (const name of Object.keys(denominator.producers)) {
    const [before, after] = [denominator.producers[name], numerator.producers[name]];
    if (before && after) idempotence(`producers.${name}`, before, after, changes, implied);
    if (after?.enabled) countOrDuration(`producers.${name}`, after, implied);
  }
  return { changes, implied, confounded: distinctSettings(changes) > 1 };
}

/**
 * Kafka switches idempotence off by itself when acks, retries or in-flight requests contradict it and the
 * user does not insist: then two settings change and not one.
 */
function idempotence(
  path: string,
  before: ProducerSpec,
  after: ProducerSpec,
  changes: Record<string, readonly [string, string]>,
  implied: Record<string, string>,
): void {
  const key = `${path}.config.enable.idempotence`;
  const pair = [isIdempotent(before.config), isIdempotent(after.config)].map(String) as [string, string];
  delete changes[key];
  if (pair[0] === pair[1]) return;
  changes[key] = pair;
  const written = 'enable.idempotence';
  if (before.config[written] === undefined || after.config[written] === undefined) {
    implied[key] =
      'Kafka switches idempotence off by itself when acks is not all (or retries is 0, or more than 5 requests are in flight); set enable.idempotence: false everywhere to vary one thing.';
  }
}

function isIdempotent(config: Readonly<Record<string, string>>): boolean {
  const written = config['enable.idempotence'];
  if (written !== undefined) return written === 'true';
  return (
    (config['acks'] ?? 'all') === 'all' &&
    config['retries'] !== '0' &&
    Number(config['max.in.flight.requests.per.connection'] ?? 5) <= 5
  );
}

/** Of count and duration one is fixed, and the other follows the rate: said, but not a second cause. */
function countOrDuration(path: string, load: ProducerSpec, implied: Record<string, string>): void {
  if (load.rate.kind !== 'max') return;
  if (load.for !== undefined)
    implied[`${path}.records`] =
      `counted from block 0 for ${load.for / 1000} s, for each scenario by itself, the same in every block`;
  else implied[`${path}.duration`] = 'the count is fixed, so that a faster scenario runs for a shorter time';
}

/** One setting of several entries changed alike (producers.*.config.acks) counts once. */
function distinctSettings(changes: Readonly<Record<string, readonly [string, string]>>): number {
  return new Set(
    Object.entries(changes).map(
      ([path, pair]) =>
        `${path.replace(/^(topics|producers|consumers)\.[^.]+\./, '$1.*.')} ${pair.join(' ')}`,
    ),
  ).size;
}

function flat(spec: Spec): Map<string, string> {
  const found = new Map<string, string>();
  const add = (path: string, value: unknown): void => {
    if (value === undefined) return;
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('kind' in value)) {
      for (const [key, child] of Object.entries(value)) add(`${path}.${key}`, child);
    } else found.set(path, shown(path, value));
  };
  add('topics', spec.topics);
  add('producers', spec.producers);
  add('consumers', spec.consumers);
  add('payload', spec.payload);
  add('lab.brokers.config', spec.lab.brokers.config);
  add('lab.brokers.heap', spec.lab.brokers.heap);
  add('lab.brokers.jit', spec.lab.brokers.jit);
  add('lab.clients.heap', spec.lab.clients.heap);
  return found;
}

function shown(path: string, value: unknown): string {
  if (Array.isArray(value)) return `[${value.join(', ')}]`;
  if (/^(producers|consumers)\.[^.]+\.(for|idle|transactional)$/.test(path))
    return `${Number(value) / 1000} s`;
  if (/^(producers|consumers)\.[^.]+\.bytes$|^payload\..*\.size$|^lab\..*\.heap$/.test(path))
    return `${String(value)} B`;
  if (/^payload\..*\.padding$/.test(path)) return `${Math.round(Number(value) * 10_000) / 100} %`;
  if (/^producers\.[^.]+\.rate$/.test(path)) return shownRate(value as ProducerSpec['rate']);
  return String(value);
}

function shownRate(rate: ProducerSpec['rate']): string {
  if (rate.kind === 'max') return 'max';
  return rate.kind === 'records' ? `${rate.recordsPerS} records/s` : `${rate.bytesPerS} B/s`;
}
