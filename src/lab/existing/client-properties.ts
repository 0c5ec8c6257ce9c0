import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { declaration } from '../../spec/kafka-properties.ts';
import { InfrastructureError } from '../errors.ts';
import { parseProperties } from './java-properties.ts';

/** What may be told of a client properties file. Its values stay where they are but for these few. */
export interface ClientProperties {
  readonly path: string;
  /** Settings that are no secrets: protocol, mechanism, where certificates are. */
  readonly open: Readonly<Record<string, string>>;
  /** SHA-256 of `open`, sorted: shows that two experiments connected alike. */
  readonly openKeysSha256: string;
  /** Takes every secret of the file out of a text, e.g. of an error message. */
  hide(text: string): string;
}

const MOST_BYTES = 64 * 1024;
const OPEN = [
  'security.protocol',
  'sasl.mechanism',
  'ssl.protocol',
  'ssl.enabled.protocols',
  'ssl.cipher.suites',
  'ssl.endpoint.identification.algorithm',
  'ssl.truststore.type',
  'ssl.keystore.type',
];
/** How to reach brokers and prove who one is; nothing of it is what an experiment compares. */
const CONNECTS =
  /^(security\.|ssl\.|sasl\.|config\.providers|bootstrap\.servers$|client\.dns\.lookup$|reconnect\.backoff\.(max\.)?ms$|socket\.connection\.setup\.timeout\.(max\.)?ms$)/;
const NO_SECRET = /\.(location|class|url|type|algorithm|mechanism|name)$/;
/** `password="…"` of a JAAS line. */
const ASSIGNED = /(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s;]+))/g;
/** Shorter values would take words out of every sentence. */
const SHORTEST_SECRET = 3;

/**
 * Reads a Java client properties file, as the tools will.
 *
 * @throws InfrastructureError when it cannot be read, or sets what loads are measured with: that would be part of every
 * result and of no plan.
 */
export function readClientProperties(path: string): ClientProperties {
  const properties = parseProperties(readWhole(path));
  const measured = [...properties.keys()].filter((name) => !CONNECTS.test(name) && isKnown(name));
  if (measured.length > 0)
    throw new InfrastructureError(
      'client-properties',
      `${path} sets ${measured.join(', ')}: the plan would not know of it, and every load would have it.`,
      'Leave only what connects in that file (security.protocol, sasl.*, ssl.*), and write settings of loads into the spec.',
    );
  const open = Object.fromEntries(
    OPEN.flatMap((name) => {
      const value = properties.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const text = Object.entries(open)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}\n`);
  const secrets = secretsIn(properties);
  return {
    path,
    open,
    openKeysSha256: createHash('sha256').update(text.join('')).digest('hex'),
    hide: (shown) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[hidden]'), shown),
  };
}

function isKnown(name: string): boolean {
  return declaration('producer', name) !== undefined || declaration('consumer', name) !== undefined;
}

/** Says what is wrong with the file, and nothing of what is in it. */
function readWhole(path: string): string {
  const fix =
    'Name a Java client properties file on the machine of the worker that its user may read (lab.clientProperties).';
  try {
    const about = statSync(path);
    if (!about.isFile() || about.size > MOST_BYTES)
      throw new InfrastructureError('client-properties', `${path} is no properties file.`, fix);
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error instanceof InfrastructureError) throw error;
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'is not there' : 'cannot be read';
    throw new InfrastructureError('client-properties', `The client properties file ${path} ${why}.`, fix);
  }
}

/** Every value that is not known to be open, and what a JAAS line assigns but for names. Longest first. */
function secretsIn(properties: ReadonlyMap<string, string>): readonly string[] {
  const values = [...properties].flatMap(([name, value]) => {
    if (!/^(ssl|sasl)\./.test(name) || OPEN.includes(name) || NO_SECRET.test(name)) return [];
    const assigned = [...value.matchAll(ASSIGNED)].filter(([, key = '']) => !/^user(name)?$/i.test(key));
    return [value, ...assigned.map(([, , double, single, bare]) => double ?? single ?? bare ?? '')];
  });
  return [...new Set(values)]
    .filter((value) => value.length >= SHORTEST_SECRET && !/^(true|false|\d+)$/.test(value))
    .toSorted((a, b) => b.length - a.length);
}
