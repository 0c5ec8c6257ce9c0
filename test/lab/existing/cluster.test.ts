import { describe, expect, it } from 'vitest';
import {
  parseClusterId,
  parseEndpoints,
  parseKafkaVersion,
  parseNames,
  placingOrder,
  told,
} from '../../../src/lab/existing/cluster-calls.ts';
import { holderBeside, leasesIn, leaseTopic } from '../../../src/lab/existing/cluster-lease.ts';
import { interfacesTowards } from '../../../src/lab/existing/client-interfaces.ts';
import { namePattern, ownName } from '../../../src/lab/existing/own-names.ts';
import { consumerArguments } from '../../../src/lab/consumer-command.ts';
import { producerArguments } from '../../../src/lab/producer-command.ts';
import { whyNotReady } from '../../../src/lab/topic-layout.ts';

describe('names in somebody’s cluster', () => {
  const key = 'exp-0a1b2c3d';

  it.each([
    'orders',
    '__consumer_offsets',
    'assay.exp-0a1b2c3.b1',
    'assay-exp-0a1b2c3d.b1',
    'assay.exp-0a1b2c3d',
    'assay.exp-0a1b2c3d.b1|orders',
    'assay.exp-0a1b2c3d.b1,orders',
    '.*',
    '',
  ])('are left alone unless they are the experiment’s: %j', (name) => {
    expect(() => ownName(key, name)).toThrow('left alone');
    expect(() => namePattern(key, name)).toThrow('left alone');
  });

  it('are patterns that mean nothing else', () => {
    const name = 'assay.exp-0a1b2c3d.b0.p1.a1.main.00000000';
    const pattern = new RegExp(`^(?:${namePattern(key, name)})$`);
    expect(pattern.test(name)).toBe(true);
    expect(pattern.test(name.replaceAll('.', '-'))).toBe(false);
  });
});

describe('what a cluster answers', () => {
  /* As 4.3.1 prints it. */
  const ENDPOINTS = `ID         HOST      PORT       RACK STATE      ENDPOINT_TYPE  
2          10.0.0.2  9093       eu-1 b unfenced   broker         
1          10.0.0.1  9093       null unfenced   broker         
3          10.0.0.3  9093       eu-1 b fenced     broker         
`;

  it('names its brokers and racks; fenced ones take no replicas', () => {
    expect(parseEndpoints(ENDPOINTS)).toEqual([
      { id: 1, rack: null },
      { id: 2, rack: 'eu-1 b' },
    ]);
    expect(parseEndpoints('ID HOST PORT RACK ENDPOINT_TYPE\n7 h 9092 r broker\n')).toEqual([
      { id: 7, rack: 'r' },
    ]);
    expect(() => parseEndpoints('nothing of the kind')).toThrow('cannot read');
  });

  it('names itself and its version', () => {
    expect(parseClusterId('Cluster ID: U29tZWJvZHlzS2Fma2EwMA\n')).toBe('U29tZWJvZHlzS2Fma2EwMA');
    expect(() => parseClusterId('No cluster ID found. The Kafka version is probably too old.')).toThrow();
    const features =
      'Feature: metadata.version          SupportedMinVersion: 3.3-IV3          SupportedMaxVersion: 4.3-IV0          FinalizedVersionLevel: 4.2-IV1          Epoch: 118\n';
    expect(parseKafkaVersion(features)).toBe('4.3 (metadata.version 4.2-IV1)');
    expect(parseKafkaVersion('')).toBeNull();
  });

  it('lists names among what else the tool says', () => {
    expect(parseNames('WARN something\nassay.k.b1\norders\n', 'assay.')).toEqual(['assay.k.b1']);
  });
});

describe('replicas', () => {
  it('lie in different racks, placed alike for every attempt', () => {
    const racks = ['a', 'a', 'b', 'b', 'c', 'c'].map((rack, i) => ({ id: i + 1, rack }));
    expect(placingOrder(racks)).toEqual([1, 3, 5, 2, 4, 6]);
    expect(placingOrder(racks.toReversed().toSorted((a, b) => a.id - b.id))).toEqual([1, 3, 5, 2, 4, 6]);
    expect(placingOrder([{ id: 4, rack: null }])).toEqual([4]);
  });

  it('may use some of many brokers', () => {
    const one = { partition: 0, leader: 1, leaderEpoch: -1, replicas: [1, 2], isr: [1, 2] };
    expect(whyNotReady([one], 30)).toBeNull();
  });
});

describe('the lease of a cluster', () => {
  const until = Date.parse('2026-11-30T23:44:10Z');
  const topic = leaseTopic('one-00000000', until);

  it('is a topic of the experiment that says until when it counts', () => {
    expect(topic).toBe('assay.one-00000000.lease.20261130T2345Z');
    expect(leasesIn(['orders', topic, 'assay.one-00000000.b1.a1.main.x'])).toEqual([
      { topic, key: 'one-00000000', untilMs: Date.parse('2026-11-30T23:45:00Z') },
    ]);
  });

  it('keeps others out until then, and not the experiment itself', () => {
    expect(holderBeside([topic], 'two-00000000', until)?.key).toBe('one-00000000');
    expect(holderBeside([topic], 'one-00000000', until)).toBeNull();
    expect(holderBeside([topic], 'two-00000000', until + 120_000)).toBeNull();
    expect(holderBeside(['orders'], 'two-00000000', until)).toBeNull();
  });
});

describe('tools and loads', () => {
  it('are told the properties file by its path', () => {
    const call = { tool: 'kafka-topics', args: ['--list'] };
    expect(told(call, 'b:9092', '/c.properties').args).toEqual([
      '--bootstrap-server',
      'b:9092',
      '--command-config',
      '/c.properties',
      '--list',
    ]);
    // This tool wants its word first.
    expect(told({ tool: 'kafka-cluster', args: ['cluster-id'] }, 'b:9092', null).args).toEqual([
      'cluster-id',
      '--bootstrap-server',
      'b:9092',
    ]);
    const task = { bootstrapServers: 'b:9092', topic: 't', records: 1, config: { acks: 'all' } };
    const producer = { ...task, recordsPerS: null, payloadFile: '/p', transaction: null };
    const consumer = { ...task, group: 'g', from: 'earliest' as const, idleMs: 1 };
    for (const argv of [
      producerArguments({ ...producer, clientProperties: '/c.properties' }),
      consumerArguments({ ...consumer, clientProperties: '/c.properties' }),
    ])
      expect(argv.join(' ')).toContain('--command-config /c.properties');
    expect(producerArguments(producer).join(' ')).not.toContain('--command-config');
    expect(consumerArguments(consumer).join(' ')).not.toContain('--command-config');
  });
});

describe('interfaces towards the brokers', () => {
  it('are found by the routes of this machine, sending nothing', async () => {
    expect(await interfacesTowards('127.0.0.1:9092,localhost:9093')).toEqual(['lo']);
    expect(await interfacesTowards('no-such-host.invalid:9092')).toEqual([]);
  });
});
