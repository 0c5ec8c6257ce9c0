import { unreadable } from './tool-error.ts';

interface LogDirs {
  readonly brokers: readonly {
    readonly broker: number;
    readonly logDirs: readonly {
      readonly error: string | null;
      readonly logDir: string;
      readonly partitions: readonly { readonly partition: string; readonly size: number }[];
    }[];
  }[];
}

/** Broker id → bytes of its replicas of a topic. */
export type BytesByBroker = ReadonlyMap<number, number>;

/**
 * `kafka-log-dirs.sh --describe`: two lines for people, then one of JSON. A folder that reports an error, or output
 * without the JSON, is a ToolOutputError: bytes that were not seen are not 0.
 */
export function parseLogDirs(stdout: string, topic: string): BytesByBroker {
  const json = stdout.split('\n').find((line) => line.startsWith('{'));
  if (json === undefined) throw unreadable('kafka-log-dirs', stdout.trim().split('\n').at(-1) ?? '');
  const { brokers } = JSON.parse(json) as LogDirs;
  const bytes = new Map<number, number>();
  for (const { broker, logDirs } of brokers) {
    const broken = logDirs.find((dir) => dir.error !== null);
    if (broken !== undefined) throw unreadable('kafka-log-dirs', `${broken.logDir}: ${broken.error}`);
    const sizes = logDirs.flatMap((dir) => dir.partitions.filter((p) => isOf(topic, p.partition)));
    bytes.set(
      broker,
      sizes.reduce((sum, p) => sum + p.size, 0),
    );
  }
  return bytes;
}

/** `t-3` is a partition of t, `other.t-3` is not. */
function isOf(topic: string, partition: string): boolean {
  return partition.startsWith(`${topic}-`) && /^\d+$/.test(partition.slice(topic.length + 1));
}

/** Ids of the brokers that the cluster knows and that answered. */
export function brokersAnswering(stdout: string): readonly number[] {
  const list = /^Received log directory information from brokers ([\d,]+)$/m.exec(stdout)?.[1];
  return list === undefined ? [] : list.split(',').map(Number);
}
