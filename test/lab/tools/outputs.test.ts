import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addConfig, parseConfigs } from '../../../src/lab/tools/configs-output.ts';
import { parseDescribe } from '../../../src/lab/tools/describe-output.ts';
import { parseLogDirs } from '../../../src/lab/tools/log-dirs-output.ts';
import { parseOffsets, recordsBetween } from '../../../src/lab/tools/offsets-output.ts';
import { complaintOf, isUnknownTopic, ToolOutputError } from '../../../src/lab/tools/tool-error.ts';
import { recorded } from '../kubernetes/support.ts';

const topic = 'assay.k.b1.a1.main.00000000';

describe('parseDescribe', () => {
  it('reads every partition with its leader, replicas in order of preference and sorted ISR', () => {
    const partitions = parseDescribe(recorded('describe').stdout);
    expect(partitions.map((p) => [p.partition, p.leader, p.replicas, p.isr])).toEqual([
      [0, 1, [1, 2, 3], [1, 2, 3]],
      [1, 2, [2, 3, 1], [1, 2, 3]],
      [2, 3, [3, 1, 2], [1, 2, 3]],
      [3, 1, [1, 2, 3], [1, 2, 3]],
    ]);
    expect(new Set(partitions.map((p) => p.topic))).toEqual(new Set([topic]));
  });

  it('keeps topics apart, and sees a moved leader, a short ISR and a partition without a leader', () => {
    const all = parseDescribe(recorded('describe-all').stdout);
    expect(all.map((p) => `${p.topic}-${p.partition}`)).toEqual([
      ...[0, 1, 2, 3].map((p) => `${topic}-${p}`),
      'lone-0',
      'lone-1',
    ]);
    const dead = parseDescribe(recorded('describe-dead').stdout);
    expect(dead[2]).toEqual({ topic, partition: 2, leader: 1, replicas: [3, 1, 2], isr: [1, 2] });
    expect(parseDescribe(recorded('describe-dead-lone').stdout)[0]).toEqual({
      topic: 'lone',
      partition: 0,
      leader: -1,
      replicas: [3],
      isr: [],
    });
  });

  it('reads the list of under-replicated partitions, which has no lines of topics', () => {
    expect(parseDescribe(recorded('under-replicated-none').stdout)).toEqual([]);
    expect(parseDescribe(recorded('under-replicated').stdout)).toHaveLength(5);
  });

  it('refuses output that was cut or reads otherwise', () => {
    const { stdout } = recorded('describe');
    const lines = stdout.trimEnd().split('\n');
    expect(() => parseDescribe(lines.slice(0, -1).join('\n'))).toThrow(ToolOutputError);
    expect(() => parseDescribe('Exception in thread "main"')).toThrow(ToolOutputError);
    expect(() => parseDescribe(stdout.replace('Leader: 2', 'Leader: ?'))).toThrow(ToolOutputError);
  });
});

describe('parseOffsets', () => {
  it('reads each partition; latest − earliest is what is in the log', () => {
    const latest = parseOffsets(recorded('offsets-latest').stdout, topic);
    const earliest = parseOffsets(recorded('offsets-earliest').stdout, topic);
    expect(latest.get(3)).toBe(888n);
    expect(recordsBetween(earliest, latest, 4)).toBe(5000);
  });

  it('says nothing where a partition did not answer', () => {
    const latest = parseOffsets(recorded('offsets-dead').stdout, 'lone');
    expect([...latest.keys()]).toEqual([1]);
    expect(recordsBetween(latest, latest, 2)).toBeNull();
    expect(recordsBetween(new Map([[0, 0n]]), new Map([[1, 4n]]), 1)).toBeNull();
  });

  it('keeps to the topic and refuses other lines', () => {
    expect(parseOffsets('other:0:5\n', topic).size).toBe(0);
    expect(() => parseOffsets('WARN something', topic)).toThrow(ToolOutputError);
  });

  it('adds up any offsets, however large', () => {
    const offsets = fc.array(fc.tuple(fc.nat(2 ** 31), fc.nat(2 ** 31)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(offsets, (pairs) => {
        const text = (at: (pair: readonly [number, number]) => number) =>
          pairs.map((pair, p) => `t:${p}:${at(pair)}`).join('\n');
        const earliest = parseOffsets(
          text(([start]) => start),
          't',
        );
        const latest = parseOffsets(
          text(([start, more]) => start + more),
          't',
        );
        expect(recordsBetween(earliest, latest, pairs.length)).toBe(
          pairs.reduce((sum, [, more]) => sum + more, 0),
        );
      }),
    );
  });
});

describe('parseLogDirs', () => {
  it('adds up the replicas of a topic on each broker', () => {
    const each = 97_766 + 130_216 + 159_560 + 162_806;
    expect(parseLogDirs(recorded('logdirs').stdout, topic)).toEqual(
      new Map([1, 2, 3].map((broker) => [broker, each])),
    );
    expect(parseLogDirs(recorded('logdirs').stdout, 'main.00000000').get(1)).toBe(0);
    expect([...parseLogDirs(recorded('logdirs-unknown').stdout, 'nobody').values()]).toEqual([0, 0, 0]);
  });

  it('does not take what it could not see for nothing', () => {
    expect(() => parseLogDirs('Querying brokers for log directories information\n', topic)).toThrow(
      ToolOutputError,
    );
    const broken = recorded('logdirs').stdout.replace('"error":null', '"error":"KafkaStorageException"');
    expect(() => parseLogDirs(broken, topic)).toThrow(/KafkaStorageException/);
  });
});

describe('parseConfigs', () => {
  it('reads values and whether the running broker was altered', () => {
    const before = parseConfigs(recorded('configs-describe').stdout);
    expect(before.size).toBeGreaterThan(200);
    expect(before.get('num.io.threads')).toEqual({ value: '8', isAltered: false });
    expect(before.get('auto.create.topics.enable')).toEqual({ value: 'false', isAltered: false });
    expect(before.get('broker.rack')).toEqual({ value: null, isAltered: false });
    expect(before.get('authorizer.class.name')).toEqual({ value: '', isAltered: false });
    const after = parseConfigs(recorded('configs-describe-all-altered').stdout);
    expect(after.get('num.io.threads')).toEqual({ value: '5', isAltered: true });
    expect(after.get('log.cleanup.policy')).toEqual({ value: 'compact,delete', isAltered: true });
    expect(parseConfigs(recorded('configs-described-altered').stdout).size).toBe(3);
  });

  it('writes changes as the tool wants them: a list stands in brackets', () => {
    expect(
      addConfig([
        ['num.io.threads', '5'],
        ['log.cleanup.policy', 'compact,delete'],
      ]),
    ).toBe('num.io.threads=5,log.cleanup.policy=[compact,delete]');
  });
});

describe('complaintOf', () => {
  it.each([
    ['create-exists', 'TopicExistsException', false, /already exists/],
    ['create-bad-rf', 'InvalidReplicationFactorException', false, /only 3 broker/],
    ['create-bad-config', 'InvalidConfigurationException', false, /Unknown topic config name: nope/],
    ['create-bad-value', 'ConfigException', false, /Not a number of type LONG/],
    ['configs-bad', 'InvalidRequestException', false, /Cannot update these configs dynamically/],
  ])('%s: %s', (name, code, passing, message) => {
    const complaint = complaintOf(recorded(name));
    expect(complaint).toMatchObject({ code, passing });
    expect(complaint?.message).toMatch(message);
  });

  it('finds nothing wrong where the tool ended well', () => {
    for (const name of ['create', 'create-again', 'describe', 'delete-if-exists', 'configs-alter'])
      expect(complaintOf(recorded(name))).toBeNull();
  });

  it('knows what may pass: no answer in time, a leader on its way', () => {
    expect(complaintOf({ code: 137, stdout: '', stderr: '' })).toMatchObject({
      code: 'timeout',
      passing: true,
    });
    const moving =
      'Error: org.apache.kafka.common.errors.LeaderNotAvailableException: There is no leader for this partition';
    expect(complaintOf({ code: 1, stdout: '', stderr: moving })).toMatchObject({ passing: true });
  });

  it('knows a topic that is not there in the words of each tool', () => {
    for (const name of ['describe-unknown', 'offsets-unknown', 'delete-unknown'])
      expect(isUnknownTopic(recorded(name))).toBe(true);
    expect(isUnknownTopic(recorded('create-bad-rf'))).toBe(false);
    expect(isUnknownTopic(recorded('describe'))).toBe(false);
  });
});
