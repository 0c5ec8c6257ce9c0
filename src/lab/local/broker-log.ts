import { readFileSync } from 'node:fs';
import type { BrokerEvent } from '../lab.ts';

/** A record of the broker's log: its line and the lines of its stack trace. */
const RECORD = /^(\d{13}) (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) (\S+) (.*)$/;

/**
 * Reads what disturbed a topic from one broker's log (format of renderBrokerLogging), as 4.3.1 words it:
 * - a new leader: "Leader t-5 … starts at leader epoch 1 … Previous leader Some(3)", from the new leader itself
 *   (the first leader of a new topic has epoch 0 and no predecessor);
 * - a smaller ISR because the controller fenced a broker: "… become-leader state change for t-3 … replicas=[1, 2, 3],
 *   … isr=[1, 2]"; because a follower lagged: "[Partition t-3 broker=1] Shrinking ISR from 1,2,3 to 1,2";
 * - errors, of the topic or of none (a broker's own), and "No space left on device" anywhere.
 */
export function parseBrokerLog(
  broker: string,
  text: string,
  sinceMs: number,
  topic: string,
): readonly BrokerEvent[] {
  const events: BrokerEvent[] = [];
  let atMs = 0;
  for (const line of text.split('\n')) {
    const match = RECORD.exec(line);
    if (match !== null) atMs = Number(match[1]);
    if (atMs < sinceMs || line === '') continue;
    const kind =
      match === null
        ? kindOfTrace(line)
        : kindOfRecord(match[2] ?? '', match[3] ?? '', match[4] ?? '', topic);
    if (kind !== null) events.push({ broker, atMs, kind, line: line.slice(0, 500) });
  }
  return events;
}

/** Events of all incarnations and the rolled-over files of one broker; a file that is not there has none. */
export function readBrokerLog(
  broker: string,
  file: string,
  sinceMs: number,
  topic: string,
): readonly BrokerEvent[] {
  return [`${file}.2`, `${file}.1`, file].flatMap((one) => {
    try {
      return parseBrokerLog(broker, readFileSync(one, 'utf8'), sinceMs, topic);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  });
}

function kindOfTrace(line: string): BrokerEvent['kind'] | null {
  return line.includes('No space left on device') ? 'disk-full' : null;
}

function kindOfRecord(
  level: string,
  logger: string,
  message: string,
  topic: string,
): BrokerEvent['kind'] | null {
  if (message.includes('No space left on device')) return 'disk-full';
  if (logger === 'state.change.logger' && namesPartitionOf(message, topic)) {
    if (/\bLeader \S+ .*Previous leader Some\(/.test(message)) return 'leader-elected';
    if (message.includes('become-leader') && isrIsSmaller(message)) return 'isr-shrunk';
  }
  if (
    logger === 'kafka.cluster.Partition' &&
    message.includes('Shrinking ISR') &&
    namesPartitionOf(message, topic)
  )
    return 'isr-shrunk';
  if (level !== 'ERROR' && level !== 'FATAL') return null;
  return namesPartitionOf(message, topic) || !/\bassay\.\S+-\d+\b/.test(message) ? 'error' : null;
}

function isrIsSmaller(message: string): boolean {
  const replicas = /replicas=\[([^\]]*)\]/.exec(message)?.[1]?.split(',').length ?? 0;
  const isr = /isr=\[([^\]]*)\]/.exec(message)?.[1]?.split(',').length ?? replicas;
  return isr < replicas;
}

/** `t-3` names topic t, `other.t-3` and `t-3-4` do not. */
function namesPartitionOf(message: string, topic: string): boolean {
  const escaped = topic.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w.-])${escaped}-\\d+(?![\\w-])`).test(message);
}
