/** What one producer process of a trial is asked to do. */
export interface ProducerTask {
  readonly bootstrapServers: string;
  readonly topic: string;
  readonly records: number;
  /** null = as fast as it can. */
  readonly recordsPerS: number | null;
  readonly payloadFile: string;
  /** null = no transactions. */
  readonly transaction: { readonly id: string; readonly durationMs: number } | null;
  readonly config: Readonly<Record<string, string>>;
  /** Absolute path, on the client's host, of a properties file that says how to connect; absent = PLAINTEXT. */
  readonly clientProperties?: string | null;
}

export const PRODUCER_MAIN = 'org.apache.kafka.tools.ProducerPerformance';

/**
 * Limits that every load gets unless the spec sets them: without metadata the tool waits max.block.ms for each
 * record, and a dead partition would hold its records for two minutes.
 */
const LIMITS: Readonly<Record<string, string>> = { 'max.block.ms': '15000', 'delivery.timeout.ms': '45000' };

/** Arguments of ProducerPerformance 4.x. The client's id is part of them, so that metric rows can be told apart. */
export function producerArguments(task: ProducerTask): string[] {
  const config = { ...LIMITS, ...task.config };
  const { transaction } = task;
  const throughput = task.recordsPerS === null ? '-1' : String(Math.max(1, Math.round(task.recordsPerS)));
  return [
    '--bootstrap-server',
    task.bootstrapServers,
    '--topic',
    task.topic,
    '--num-records',
    String(task.records),
    '--throughput',
    throughput,
    '--payload-file',
    task.payloadFile,
    '--reporting-interval',
    '1000',
    '--print-metrics',
    ...(transaction === null
      ? []
      : ['--transactional-id', transaction.id, '--transaction-duration-ms', String(transaction.durationMs)]),
    // What stands in the spec is said last: where both name a property, the tool takes that.
    ...(task.clientProperties == null ? [] : ['--command-config', task.clientProperties]),
    '--command-property',
    ...Object.entries(config).map(([name, value]) => `${name}=${value}`),
  ];
}
