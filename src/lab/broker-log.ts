import type { BrokerEvent } from './lab.ts';

/** A record of the broker's log: its first line, without the lines of a stack trace. */
interface LogRecord {
  readonly atMs: number;
  readonly level: string;
  readonly logger: string;
  readonly message: string;
}

/** As renderBrokerLogging has it: `1796046464413 INFO state.change.logger text`. */
const OWN = /^(\d{13}) (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) (\S+) (.*)$/;
/** As the official image has it: `[2026-11-30 21:12:14,770] INFO text (state.change.logger)`, in UTC there. */
const IMAGE =
  /^\[(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)[,.](\d{3})\] (TRACE|DEBUG|INFO|WARN|ERROR|FATAL) (.*?)(?: \(([\w.$]+)\))?$/;
/** What the kubelet puts before each line when it is asked for times. */
const KUBELET = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z) /;

/**
 * Reads what disturbed a topic from one broker's log (ours or the official image's, with or without the kubelet's times), as 4.3.1 words it:
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
    const [stampedMs, plain] = withoutStamp(line);
    const record = recordIn(plain);
    atMs = stampedMs ?? record?.atMs ?? atMs;
    if (atMs < sinceMs || plain === '') continue;
    const kind = record === null ? kindOfTrace(plain) : kindOfRecord(record, topic);
    if (kind !== null) events.push({ broker, atMs, kind, line: plain.slice(0, 500) });
  }
  return events;
}

function withoutStamp(line: string): readonly [number | null, string] {
  const match = KUBELET.exec(line);
  return match === null ? [null, line] : [Date.parse(match[1] ?? ''), line.slice(match[0].length)];
}

function recordIn(line: string): LogRecord | null {
  const own = OWN.exec(line);
  if (own !== null) {
    const [, ms, level = '', logger = '', message = ''] = own;
    return { atMs: Number(ms), level, logger, message };
  }
  const image = IMAGE.exec(line);
  if (image === null) return null;
  const [, day = '', time = '', ms = '', level = '', message = '', logger = ''] = image;
  return { atMs: Date.parse(`${day}T${time}.${ms}Z`), level, logger, message };
}

function kindOfTrace(line: string): BrokerEvent['kind'] | null {
  return line.includes('No space left on device') ? 'disk-full' : null;
}

function kindOfRecord({ level, logger, message }: LogRecord, topic: string): BrokerEvent['kind'] | null {
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
