import { InfrastructureError } from '../errors.ts';
import { labDepartures } from '../lab-departures.ts';

/** One broker of a local lab: a combined KRaft node. */
export interface NodePlace {
  /** `b1`. */
  readonly name: string;
  readonly nodeId: number;
  readonly brokerPort: number;
  readonly controllerPort: number;
  /** Absolute; holds config, data and logs of this node. */
  readonly folder: string;
}

/** Settings that make the nodes a lab; a spec cannot change them. */
function wiring(node: NodePlace, all: readonly NodePlace[]): Readonly<Record<string, string>> {
  return {
    'process.roles': 'broker,controller',
    'node.id': String(node.nodeId),
    'controller.quorum.voters': all.map((n) => `${n.nodeId}@127.0.0.1:${n.controllerPort}`).join(','),
    listeners: `PLAINTEXT://127.0.0.1:${node.brokerPort},CONTROLLER://127.0.0.1:${node.controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${node.brokerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': `${node.folder}/data`,
  };
}

/** Everything one node is given, with who decided it. */
export function brokerSettings(
  node: NodePlace,
  all: readonly NodePlace[],
  fromSpec: Readonly<Record<string, string>>,
): ReadonlyMap<string, { readonly value: string; readonly from: 'lab' | 'spec' | 'wiring' }> {
  const fixed = wiring(node, all);
  const clash = Object.keys(fromSpec).find((name) => name in fixed);
  if (clash !== undefined) {
    throw new InfrastructureError(
      'broker-setting',
      `lab.brokers.config.${clash} is set by the local lab itself.`,
      `Remove ${clash} from lab.brokers.config.`,
    );
  }
  const settings = new Map<string, { value: string; from: 'lab' | 'spec' | 'wiring' }>();
  for (const [name, value] of Object.entries(labDepartures(all.length)))
    settings.set(name, { value, from: 'lab' });
  for (const [name, value] of Object.entries(fromSpec)) settings.set(name, { value, from: 'spec' });
  for (const [name, value] of Object.entries(fixed)) settings.set(name, { value, from: 'wiring' });
  return settings;
}

/** The node's server.properties. */
export function renderBrokerConfig(
  node: NodePlace,
  all: readonly NodePlace[],
  fromSpec: Readonly<Record<string, string>>,
): string {
  const lines = [...brokerSettings(node, all, fromSpec)].map(
    ([name, { value }]) => `${name}=${escapeProperty(value)}`,
  );
  return `${lines.join('\n')}\n`;
}

/** Java reads properties files as ISO 8859-1, with \ as escape and line ends as ends: a value must not become a second setting. */
function escapeProperty(value: string): string {
  return value
    .replace(/\\/g, '\\\\')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r')
    .replace(/^ /, '\\ ')
    .replace(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Logging of a broker: warnings to stderr (the capsule keeps and caps it), and to its own file what tells whether a
 * measurement was disturbed: leader elections (state.change.logger) and ISR changes (kafka.cluster.Partition) are
 * logged at INFO. Times are milliseconds since the epoch. The file is bounded.
 */
export function renderBrokerLogging(logFile: string): string {
  return `rootLogger.level = WARN
rootLogger.appenderRef.err.ref = ERR
rootLogger.appenderRef.file.ref = FILE
logger.state.name = state.change.logger
logger.state.level = INFO
logger.partition.name = kafka.cluster.Partition
logger.partition.level = INFO
logger.server.name = kafka.server.KafkaRaftServer
logger.server.level = INFO
appender.err.type = Console
appender.err.name = ERR
appender.err.target = SYSTEM_ERR
appender.err.layout.type = PatternLayout
appender.err.layout.pattern = %d{UNIX_MILLIS} %p %c %m%n%xEx{6}
appender.err.filter.warn.type = ThresholdFilter
appender.err.filter.warn.level = WARN
appender.file.type = RollingFile
appender.file.name = FILE
appender.file.fileName = ${logFile}
appender.file.filePattern = ${logFile}.%i
appender.file.layout.type = PatternLayout
appender.file.layout.pattern = %d{UNIX_MILLIS} %p %c %m%n%xEx{6}
appender.file.policies.type = Policies
appender.file.policies.size.type = SizeBasedTriggeringPolicy
appender.file.policies.size.size = 32MB
appender.file.strategy.type = DefaultRolloverStrategy
appender.file.strategy.max = 2
`;
}
