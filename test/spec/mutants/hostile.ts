import { BASES, linesOf, type Path, renamed, some, text } from './bases.ts';
import { added, all, type Mutant } from './classes.ts';

/** What somebody might write who wants more than a measurement. */
export const HOSTILE = [
  '$(touch /tmp/assay-owned)',
  '`touch /tmp/assay-owned`',
  '../../../../etc/cron.d/x',
  'a; rm -rf /',
  "x' || id '",
  '-rf',
  'a|b&c>d',
  '${jndi:ldap://127.0.0.1/x}',
  'a\u202Eb',
  'a\0b',
  'line\nbreak',
  '__proto__',
  'constructor',
  'x'.repeat(5_000),
  '%s%n%x',
  'Ünïcode',
];
const SMALL = {
  name: 'small',
  question: 'Which?',
  factors: { f: { set: 'topics.main.partitions', levels: [1, 2] } },
};

/** Names of topics, loads and factors. */
export function hostileNames(): readonly Mutant[] {
  const names = all.filter(
    ({ path }) =>
      path.length === 2 && ['topics', 'producers', 'consumers', 'factors'].includes(String(path[0])),
  );
  return HOSTILE.flatMap((name, i) =>
    some(names, 2, 20 + i).map((node) => {
      const json = renamed(node.json, node.path, name);
      const section = linesOf(text(json), node.path.slice(0, 1));
      const what = `${node.name}: ${String(node.path[0])} called ${JSON.stringify(name.slice(0, 40))}`;
      const codes = ['wrong-value', 'refused', 'too-large'];
      return { what, text: text(json), expected: { codes, lines: section } };
    }),
  );
}

/** Values of properties that a properties file, a class loader or a shell would obey. */
export function hostileProperties(): readonly Mutant[] {
  const { json } = BASES[0] ?? { json: {} };
  const rows: readonly (readonly [string, string, string])[] = [
    ['client.dns.lookup', 'use_all_dns_ips\nsasl.jaas.config=x', 'refused'],
    ['metric.reporters', 'com.evil.Reporter', 'refused'],
    ['interceptor.classes', 'com.evil.Interceptor', 'refused'],
    ['partitioner.class', 'com.evil.Partitioner', 'refused'],
    ['config.providers', 'file', 'refused'],
    ['config.providers.file.class', 'org.apache.kafka.common.config.provider.FileConfigProvider', 'refused'],
    ['client.rack', '${file:/etc/passwd:root}', 'refused'],
    ['client.rack', '${env:AWS_SECRET_ACCESS_KEY}', 'refused'],
    ['client.rack', 'jndi:ldap://127.0.0.1/x', 'refused'],
    ['sasl.jaas.config', 'com.sun.security.auth.module.JndiLoginModule required', 'refused'],
    ['ssl.key.password', 'hunter2', 'refused'],
    ['bootstrap.servers', 'evil:9092', 'refused'],
    ['transactional.id', 'x', 'refused'],
    ['security.protocol', 'SASL_SSL', 'refused'],
    ['client.rack', 'x'.repeat(4_100), 'refused'],
    ['java.naming.provider.url', 'rmi://x', 'refused'],
    ['linger.ms$(id)', '5', 'refused'],
    ['linger.ms\nacks', '5', 'refused'],
  ];
  return rows.map(([property, value, code]) => {
    const source = text(added(json, ['producers', 'p', 'config', property], value));
    const lines = linesOf(source, ['producers', 'p', 'config']);
    const what = `${property} = ${JSON.stringify(value.slice(0, 40))}`;
    return { what, text: source, expected: { codes: [code], lines } };
  });
}

/** Texts for people, and labels of levels: what can be shown may be anything. */
export function hostileValues(): readonly Mutant[] {
  const spots: readonly (readonly [Path, (value: string) => unknown])[] = [
    [['name'], (v) => v.slice(0, 60)],
    [['question'], (v) => v.slice(0, 400)],
    [['store'], (v) => ({ folder: v.slice(0, 400) })],
    [['x-note'], (v) => v.slice(0, 5_000)],
    [
      ['factors', 'rack'],
      (v) => ({ set: 'producers.p.config.client.rack', levels: ['a', v.slice(0, 3_000)] }),
    ],
    [['design', 'seed'], (v) => v.slice(0, 100)],
  ];
  return HOSTILE.flatMap((value) =>
    spots.map(([path, made]) => {
      const source = text(added(SMALL, path, made(value)));
      const what = `${path.join('.')} = ${JSON.stringify(value.slice(0, 40))}`;
      return { what, text: source, expected: null };
    }),
  );
}
