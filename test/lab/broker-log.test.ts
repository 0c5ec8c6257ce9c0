import { describe, expect, it } from 'vitest';
import { parseBrokerLog } from '../../src/lab/broker-log.ts';

// lines as Kafka 4.3.1 wrote them when a broker was paused for 14 s (ids shortened)
const REGISTRATION = (replicas: string, isr: string) =>
  `partition registration PartitionRegistration(replicas=[${replicas}], directories=[C, X, p], isr=[${isr}], removingReplicas=[], addingReplicas=[], elr=[], lastKnownElr=[], leader=1`;
const FIRST_LEADER =
  '1796046400000 INFO state.change.logger [Broker id=1] Leader t.a-0 with topic id Some(j) starts at leader epoch 0 from offset 0 with partition epoch 0, high watermark 0, ISR [1,2,3], adding replicas [] and removing replicas [] . Previous leader None and previous leader epoch was -1.';
const NEW_LEADER =
  '1796046464413 INFO state.change.logger [Broker id=1] Leader t.a-5 with topic id Some(j) starts at leader epoch 1 from offset 0 with partition epoch 1, high watermark 0, ISR [1,2], adding replicas [] and removing replicas [] . Previous leader Some(3) and previous leader epoch was 0.';
const FENCED = `1796046464437 INFO state.change.logger [Broker id=1] Skipped the become-leader state change for t.a-3 with topic id Some(j), ${REGISTRATION('1, 2, 3', '1, 2')}`;
const GROWN = `1796046471667 INFO state.change.logger [Broker id=1] Skipped the become-leader state change for t.a-3 with topic id Some(j), ${REGISTRATION('1, 2, 3', '1, 2, 3')}`;
const LAGGED =
  '1796046480000 INFO kafka.cluster.Partition [Partition t.a-3 broker=1] Shrinking ISR from 1,2,3 to 1,2. Leader: (highWatermark: 10, endOffset: 20).';
const kinds = (text: string, since = 0, topic = 't.a') =>
  parseBrokerLog('b1', text, since, topic).map((e) => e.kind);

describe('parseBrokerLog', () => {
  it('finds elections and shrunken ISR, whether by fencing or by lag', () => {
    expect(kinds([NEW_LEADER, FENCED, LAGGED].join('\n'))).toEqual([
      'leader-elected',
      'isr-shrunk',
      'isr-shrunk',
    ]);
    expect(parseBrokerLog('b1', NEW_LEADER, 0, 't.a')[0]).toMatchObject({
      broker: 'b1',
      atMs: 1_796_046_464_413,
    });
  });

  it('takes neither the first leader of a topic nor a growing ISR for a disturbance', () => {
    expect(kinds([FIRST_LEADER, GROWN].join('\n'))).toEqual([]);
  });

  it('looks at one topic only, whose name may be part of another, and only since the given time', () => {
    expect(kinds([NEW_LEADER, FENCED].join('\n'), 0, 'a')).toEqual([]);
    expect(kinds([NEW_LEADER, FENCED].join('\n'), 0, 't')).toEqual([]);
    expect(kinds([NEW_LEADER, FENCED].join('\n'), 1_796_046_464_430)).toEqual(['isr-shrunk']);
  });

  it('names a full disk, also inside a stack trace, and errors of the topic or of no topic', () => {
    const text = [
      '1796046480000 ERROR org.apache.kafka.storage.internals.log.LogDirFailureChannel Error while appending records to t.a-3 in dir /d',
      'java.io.IOException: No space left on device',
      '1796046480001 ERROR kafka.server.ReplicaManager [ReplicaManager broker=1] Error processing append operation on partition assay.other.b1.a1.main.00000000-1',
      '1796046480002 WARN org.apache.kafka.clients.NetworkClient [RaftManager id=1] Connection to node 2 could not be established.',
    ].join('\n');
    expect(kinds(text)).toEqual(['error', 'disk-full']);
    expect(kinds(text, 1_796_046_480_001)).toEqual([]);
  });

  it('reads the layout of the official image, with and without the kubelet’s times', () => {
    const inImage = (line: string) => {
      const [, ms, level, logger, message] = /^(\d+) (\S+) (\S+) (.*)$/.exec(line) ?? [];
      const at = new Date(Number(ms)).toISOString().replace('T', ' ').replace('.', ',').slice(0, -1);
      return `[${at}] ${level} ${message} (${logger})`;
    };
    const text = [FIRST_LEADER, NEW_LEADER, FENCED, GROWN, LAGGED].map(inImage).join('\n');
    const found = parseBrokerLog('b1', text, 0, 't.a');
    expect(found.map((e) => e.kind)).toEqual(['leader-elected', 'isr-shrunk', 'isr-shrunk']);
    expect(found[0]?.atMs).toBe(1_796_046_464_413);
    const stamped = text
      .split('\n')
      .map((line, i) => `2026-11-30T20:00:0${i}.123456789Z ${line}`)
      .join('\n');
    expect(parseBrokerLog('b1', stamped, 0, 't.a').map((e) => e.atMs)).toEqual(
      [1, 2, 4].map((second) => Date.UTC(2026, 10, 30, 20, 0, second, 123)),
    );
    const error = '[2026-11-30 21:12:14,770] ERROR Error while appending to t.a-3 (kafka.log.UnifiedLog)';
    const trace = 'java.io.IOException: No space left on device';
    expect(kinds(`${error}\n${trace}`)).toEqual(['error', 'disk-full']);
  });
});
