import { describe, expect, it } from 'vitest';
import { renderBrokerConfig, renderBrokerLogging } from '../../../src/lab/local/broker-config.ts';

const nodes = [1, 2, 3].map((n) => ({
  name: `b${n}`,
  nodeId: n,
  brokerPort: 20_000 + n,
  controllerPort: 20_010 + n,
  folder: `/labs/x/b${n}`,
}));
const [first, second] = nodes;
const settings = (text: string) =>
  new Map(
    text
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
const render = (config: Record<string, string>, of = second) =>
  settings(renderBrokerConfig(of ?? nodes[0]!, nodes, config));

describe('server.properties', () => {
  it('wires three combined nodes on loopback', () => {
    const config = render({});
    expect(config.get('controller.quorum.voters')).toBe(
      '1@127.0.0.1:20011,2@127.0.0.1:20012,3@127.0.0.1:20013',
    );
    expect(config.get('node.id')).toBe('2');
    expect(config.get('listeners')).toBe('PLAINTEXT://127.0.0.1:20002,CONTROLLER://127.0.0.1:20012');
    expect(config.get('log.dirs')).toBe('/labs/x/b2/data');
  });

  it('uses the broker name of the deletion delay: the topic name does nothing in a broker', () => {
    const config = render({});
    expect(config.get('log.segment.delete.delay.ms')).toBe('1000');
    expect(config.has('file.delete.delay.ms')).toBe(false);
  });

  it('lets a spec overrule what is not wiring, and refuses what is', () => {
    expect(render({ 'auto.create.topics.enable': 'true' }).get('auto.create.topics.enable')).toBe('true');
    expect(() => render({ listeners: 'PLAINTEXT://0.0.0.0:9092' })).toThrow(
      'lab.brokers.config.listeners is set by the local lab itself',
    );
  });

  it('keeps a value from becoming a second setting', () => {
    const config = render({ 'log.message.format': 'a\nlisteners=PLAINTEXT://0.0.0.0:1\\' });
    expect(config.get('log.message.format')).toBe('a\\nlisteners=PLAINTEXT://0.0.0.0:1\\\\');
    expect(config.get('listeners')).toBe('PLAINTEXT://127.0.0.1:20002,CONTROLLER://127.0.0.1:20012');
  });

  it('asks no more copies of internal topics than there are brokers', () => {
    const alone = settings(renderBrokerConfig(first!, [first!], {}));
    expect(alone.get('offsets.topic.replication.factor')).toBe('1');
    expect(alone.get('transaction.state.log.min.isr')).toBe('1');
  });
});

describe('logging of a broker', () => {
  it('keeps warnings on stderr and elections and ISR changes in its file', () => {
    const text = renderBrokerLogging('/labs/x/b1/broker.log');
    expect(text).toContain('appender.err.target = SYSTEM_ERR');
    expect(text).toMatch(/logger\.state\.name = state\.change\.logger\nlogger\.state\.level = INFO/);
    expect(text).toContain('appender.file.fileName = /labs/x/b1/broker.log');
  });
});
