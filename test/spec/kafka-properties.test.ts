import { describe, expect, it } from 'vitest';
import { isDynamic, nativeValue, propertyNames, unknownProperty } from '../../src/spec/kafka-properties.ts';
import { refusal } from '../../src/spec/refused-properties.ts';

const native = (...args: Parameters<typeof nativeValue>) => {
  const read = nativeValue(...args);
  return read.ok ? read.value : `✗ ${read.message}`;
};

describe("Kafka's property tables", () => {
  it('hold every name that Kafka 4.3.1 declares', () => {
    expect(propertyNames('producer')).toHaveLength(113);
    expect(propertyNames('consumer')).toHaveLength(116);
    expect(propertyNames('topic')).toHaveLength(34);
    expect(propertyNames('broker')).toHaveLength(360);
  });

  it('know which broker properties a running broker takes', () => {
    expect(isDynamic('num.io.threads')).toBe(true);
    expect(isDynamic('message.max.bytes')).toBe(true);
    expect(isDynamic('queued.max.requests')).toBe(false);
    expect(isDynamic('__proto__')).toBe(false);
  });

  it('suggest the near name, or the kind that knows it', () => {
    expect(unknownProperty('producer', 'lingr.ms')).toContain('Did you mean "linger.ms"?');
    expect(unknownProperty('producer', 'num.io.threads')).toContain('It is a broker property.');
    expect(unknownProperty('topic', 'something.of.a.plugin')).toContain('allowUnknown');
  });
});

describe('native values', () => {
  it('convert units where the name allows them', () => {
    expect(native('producer', 'batch.size', '64KiB')).toBe('65536');
    expect(native('producer', 'linger.ms', '1s')).toBe('1000');
    expect(native('topic', 'segment.bytes', '1GiB')).toBe('1073741824');
    expect(native('producer', 'batch.size', 16_384)).toBe('16384');
  });

  it('write acks -1 as all, text or number', () => {
    expect(native('producer', 'acks', -1)).toBe('all');
    expect(native('producer', 'acks', '-1')).toBe('all');
    expect(native('producer', 'acks', 1)).toBe('1');
  });

  it.each([
    ['buffer.memory', '64MiB', 'write "67108864"'],
    ['linger.ms', '64KiB', 'unknown unit of time'],
    ['batch.size', '64KB', '"64KiB"?'],
    ['batch.size', 'big', 'must be a whole number'],
    ['batch.size', -1, 'at least 0'],
    ['batch.size', '3GiB', 'below 2147483648'],
    ['enable.idempotence', 'yes', 'true or false'],
    ['compression.type', 'lz5', 'one of none, gzip, snappy, lz4, zstd'],
    ['compression.lz4.level', 18, 'at most 17'],
    ['acks', 2, 'one of all, -1, 0, 1'],
    ['buffer.memory', 2 ** 60, 'too large to be kept exactly'],
  ] as const)('refuse %s: %s', (name, value, hint) => {
    expect(native('producer', name, value)).toMatch(/^✗/);
    expect(native('producer', name, value)).toContain(hint);
  });

  it('leave names that Kafka does not know as they are, units by their ending', () => {
    expect(native('producer', 'plugin.wait.ms', '2s')).toBe('2000');
    expect(native('producer', 'plugin.mode', '5KiB')).toBe('5KiB');
  });
});

describe('refused properties', () => {
  it.each([
    ['producer', 'sasl.jaas.config', 'com.sun.security.auth.module.JndiLoginModule required;', 'secret'],
    ['producer', 'ssl.key.password', 'x', 'secret'],
    ['producer', 'my.plugin.password', 'x', 'secret'],
    ['producer', 'interceptor.classes', 'evil.Class', 'loads a class'],
    ['producer', 'partitioner.class', 'evil.Class', 'loads a class'],
    ['producer', 'key.serializer', 'evil.Class', 'loads a class'],
    ['producer', 'metric.reporters', 'evil.Class', 'loads a class'],
    ['broker', 'authorizer.class.name', 'evil.Class', 'loads a class'],
    ['broker', 'remote.log.storage.manager.class.path', '/tmp/x.jar', 'loads a class'],
    ['broker', 'replica.selector.class', 'evil.Class', 'loads a class'],
    ['producer', 'config.providers', 'file', 'Config providers'],
    ['producer', 'config.providers.file.param', 'x', 'Config providers'],
    ['producer', 'client.rack', '${env:HOME}', 'references'],
    ['producer', 'client.rack', 'ldap://somewhere/x', 'JNDI'],
    ['producer', 'client.rack', 'a\nbootstrap.servers=b', 'line break'],
    ['producer', 'bootstrap.servers', 'b:9092', 'set by Assay'],
    ['broker', 'listeners', 'PLAINTEXT://:1', 'set by Assay'],
    ['broker', 'log.dirs', '/', 'set by Assay'],
    ['producer', 'security.protocol', 'SSL', 'lab.clientProperties'],
    ['producer', 'a=b', 'x', 'letters, digits'],
  ] as const)('%s %s = %s', (kind, name, value, why) => expect(refusal(kind, name, value)).toContain(why));

  it('let ordinary settings pass', () => {
    for (const [kind, name] of [
      ['producer', 'acks'],
      ['producer', 'compression.type'],
      ['broker', 'num.io.threads'],
      ['topic', 'min.insync.replicas'],
      ['broker', 'auto.include.jmx.reporter'],
    ] as const) {
      expect(refusal(kind, name, '1'), name).toBeNull();
    }
  });
});
