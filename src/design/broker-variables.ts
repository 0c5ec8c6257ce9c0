/**
 * Variables that the official image reads itself, and never takes for a broker property (kafka.docker.KafkaDockerWrapper of
 * 4.3.1, ExcludeServerPropsEnv). A property that comes out as one of them would pass options to the JVM.
 */
const OF_THE_IMAGE = new Set([
  'KAFKA_VERSION',
  'KAFKA_HEAP_OPTS',
  'KAFKA_LOG4J_OPTS',
  'KAFKA_OPTS',
  'KAFKA_JMX_OPTS',
  'KAFKA_JVM_PERFORMANCE_OPTS',
  'KAFKA_GC_LOG_OPTS',
  'KAFKA_LOG4J_ROOT_LOGLEVEL',
  'KAFKA_LOG4J_LOGGERS',
  'KAFKA_TOOLS_LOG4J_LOGLEVEL',
  'KAFKA_JMX_HOSTNAME',
]);

/**
 * The variable by which the official image takes a broker property: `num.io.threads` → `KAFKA_NUM_IO_THREADS`; a dash is
 * three underscores, an underscore two. Null for what cannot be said so.
 */
export function envNameOf(property: string): string | null {
  if (!/^[a-z0-9._-]+$/.test(property)) return null;
  const name = `KAFKA_${property.replaceAll('_', '__').replaceAll('-', '___').replaceAll('.', '_').toUpperCase()}`;
  return OF_THE_IMAGE.has(name) ? null : name;
}
