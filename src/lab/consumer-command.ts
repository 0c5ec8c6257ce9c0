/** What one consumer process of a trial is asked to do. */
export interface ConsumerTask {
  readonly bootstrapServers: string;
  readonly topic: string;
  readonly records: number;
  readonly group: string;
  readonly from: 'earliest' | 'latest';
  /** So long without a record ends the run early. */
  readonly idleMs: number;
  readonly config: Readonly<Record<string, string>>;
  /** Absolute path, on the client's host, of a properties file that says how to connect; absent = PLAINTEXT. */
  readonly clientProperties?: string | null;
}

export const CONSUMER_MAIN = 'org.apache.kafka.tools.ConsumerPerformance';

/** The tool sets these itself, after everything that is handed to it, from options of its own. */
const OPTIONS: Readonly<Record<string, string>> = {
  'max.partition.fetch.bytes': '--fetch-size',
  'receive.buffer.bytes': '--socket-buffer-size',
};

/**
 * Arguments of ConsumerPerformance 4.x, each property with a flag of its own. Never `--show-detailed-stats`: it prints no
 * summary and loses the tail.
 */
export function consumerArguments(task: ConsumerTask): string[] {
  const properties = Object.entries(task.config).flatMap(([name, value]) => {
    const option = OPTIONS[name];
    return option === undefined ? ['--command-property', `${name}=${value}`] : [option, value];
  });
  return [
    '--bootstrap-server',
    task.bootstrapServers,
    '--topic',
    task.topic,
    '--num-records',
    String(task.records),
    '--group',
    task.group,
    '--timeout',
    String(task.idleMs),
    '--reporting-interval',
    '1000',
    '--print-metrics',
    ...(task.from === 'latest' ? ['--from-latest'] : []),
    ...(task.clientProperties == null ? [] : ['--command-config', task.clientProperties]),
    ...properties,
  ];
}
