import { declaration, type PropertyKind } from './kafka-properties.ts';

/** Properties that the lab, the perf tool or the run itself sets; a second value would break what is measured. */
const SET_BY_ASSAY: Readonly<Record<PropertyKind, readonly string[]>> = {
  producer: [
    'bootstrap.servers',
    'client.id',
    'transactional.id',
    'transaction.timeout.ms',
    'transaction.two.phase.commit.enable',
  ],
  consumer: [
    'bootstrap.servers',
    'client.id',
    'group.id',
    'group.instance.id',
    // By `from`; and ConsumerPerformance 4.3.1 switches checksums off after everything that it is given.
    'auto.offset.reset',
    'check.crcs',
  ],
  topic: [],
  broker: [
    'node.id',
    'broker.id',
    'process.roles',
    'listeners',
    'advertised.listeners',
    'listener.security.protocol.map',
    'inter.broker.listener.name',
    'controller.listener.names',
    'controller.quorum.voters',
    'controller.quorum.bootstrap.servers',
    'log.dir',
    'log.dirs',
    'metadata.log.dir',
    'cordoned.log.dirs',
    'early.start.listeners',
    'auto.create.topics.enable',
  ],
};

const CLASS_NAME =
  /(^|\.)(class|classes|class\.name|class\.path|class\.names)$|(^|\.)(reporters|interceptors|plugin\.path)$/;
const CLASS_LISTS = [
  'partition.assignment.strategy',
  'group.consumer.assignors',
  'group.share.assignors',
  'key.serializer',
  'value.serializer',
  'key.deserializer',
  'value.deserializer',
  'security.providers',
];
const SECRET = /password|passphrase|secret|(^|\.)private\.key|jaas\.config|credential/;
const JNDI = /jndi:|ldaps?:|rmi:|iiop:|JndiLoginModule|LdapLoginModule/i;

/**
 * Why a property of an untrusted spec is not passed on (design §11); null when it may be.
 * Holds for names listed in allowUnknown too.
 */
export function refusal(kind: PropertyKind, name: string, value: string): string | null {
  if (!/^[A-Za-z0-9_.-]{1,200}$/.test(name))
    return 'A property name has letters, digits, dots, dashes and underscores only.';
  // A line break would smuggle a second property into a properties file.
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(value))
    return `${name} holds a control character or line break, which a property cannot.`;
  if (value.length > 4_000) return `${name} is longer than 4,000 characters.`;
  if (SET_BY_ASSAY[kind].includes(name)) return `${name} is set by Assay itself; leave it out.`;
  const type = declaration(kind, name)?.split(' ')[0];
  if (type === 'password' || SECRET.test(name)) {
    return `${name} is a secret; a secret never stands in a spec. References to secrets are not supported yet in this version.`;
  }
  if (name.startsWith('config.providers') || /\$\{[^}]*\}/.test(value))
    return `Config providers and \${…} references are refused: they read files and variables of the worker.`;
  if (type === 'class' || CLASS_NAME.test(name) || CLASS_LISTS.includes(name))
    return `${name} loads a class by name, which a spec may not.`;
  if (JNDI.test(value) || name.startsWith('java.'))
    return `${name} would look up a name over the network (JNDI), which a spec may not.`;
  if (/^(ssl|sasl|security)\.|\.(ssl|sasl)\./.test(name))
    return `${name} belongs to authentication and encryption, which a spec does not set: labs are PLAINTEXT, and an existing cluster is reached as lab.clientProperties says.`;
  return null;
}
