import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readClientProperties } from '../../../src/lab/existing/client-properties.ts';
import { parseProperties } from '../../../src/lab/existing/java-properties.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-properties-'));
afterAll(() => rmSync(root, { recursive: true }));

function file(text: string): string {
  const path = join(root, 'client.properties');
  writeFileSync(path, text);
  return path;
}

const SCRAM = `# how we connect
security.protocol=SASL_SSL
sasl.mechanism = SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
    username="assay" password="s3cr\\\\"et!" ;
ssl.truststore.location: /etc/kafka/trust.p12
ssl.truststore.password	changeit
`;

describe('a properties file of Java', () => {
  it('is read as java.util.Properties reads it', () => {
    const text = [
      '# comment=1',
      '! comment=2',
      '',
      'a=1',
      '  b : 2 ',
      'c 3',
      'd',
      'e\\=f=g\\u00e4\\tx',
      'long=one, \\',
      '     two',
      'even=back\\\\',
      'a=last',
    ].join('\r\n');
    expect([...parseProperties(text)]).toEqual([
      ['a', 'last'],
      ['b', '2 '],
      ['c', '3'],
      ['d', ''],
      ['e=f', 'gä\tx'],
      ['long', 'one, two'],
      ['even', 'back\\'],
    ]);
  });
});

describe('a client properties file', () => {
  it('tells protocol and mechanism, and hides what is secret in a text', () => {
    const read = readClientProperties(file(SCRAM));
    expect(read.open).toEqual({ 'security.protocol': 'SASL_SSL', 'sasl.mechanism': 'SCRAM-SHA-512' });
    const said = 'assay: cannot log in with s3cr\\"et! or changeit from /etc/kafka/trust.p12';
    expect(read.hide(said)).toBe('assay: cannot log in with [hidden] or [hidden] from /etc/kafka/trust.p12');
    expect(JSON.stringify(read)).not.toMatch(/s3cr|changeit/);
  });

  it('has the same hash with another password, and another with another protocol', () => {
    const hash = readClientProperties(file(SCRAM)).openKeysSha256;
    expect(readClientProperties(file(SCRAM.replace('changeit', 'other'))).openKeysSha256).toBe(hash);
    expect(readClientProperties(file(SCRAM.replace('512', '256'))).openKeysSha256).not.toBe(hash);
  });

  it('is refused when it sets what is measured, by name and without the values', () => {
    expect(() => readClientProperties(file(`${SCRAM}acks=1\ncompression.type=lz4\n`))).toThrow(
      /sets acks, compression\.type: the plan would not know of it/,
    );
    // What no client knows is for somebody else.
    expect(() => readClientProperties(file(`${SCRAM}schema.registry.url=http://r\n`))).not.toThrow();
  });

  it('is refused when it is not there, or no file', () => {
    expect(() => readClientProperties(join(root, 'none'))).toThrow(/none is not there/);
    expect(() => readClientProperties(root)).toThrow(/is no properties file/);
  });
});
