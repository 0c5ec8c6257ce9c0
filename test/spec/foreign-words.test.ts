import { describe, expect, it } from 'vitest';
import { pathText } from '../../src/spec/issue.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';

const NAMES = 'name: x\nquestion: y?\n';
const FACTOR = 'factors: { f: { set: topics.main.partitions, levels: [1, 2] } }\n';

/** `path: message` of every mistake. */
function said(text: string): string[] {
  const read = readSpec(text, 'x.yaml');
  return (read.ok ? [] : read.issues).map((issue) => `${pathText(issue.path)}: ${issue.message}`);
}

describe('a word of others is told once, with where it belongs', () => {
  it.each([
    ['blocks: 10', 'It belongs elsewhere: design.blocks.'],
    ['labs: 2', 'It belongs elsewhere: design.labs.'],
    ['retries: 1', 'It belongs elsewhere: design.retries.'],
    ['baseline: none', 'The baseline is the first level of every factor'],
    ['rf: 1', 'It belongs elsewhere: topics.main.replication.'],
    ['duration: 60s', 'It belongs elsewhere: producers.p.for.'],
    ['throughput: 5000', 'It belongs elsewhere: producers.p.rate.'],
    ['acks: 1', 'config: producers.p.config.acks.'],
    ['topics: { main: { rf: 1 } }', 'Here it is called "replication".'],
    ['topics: { main: { replication-factor: 1 } }', 'Here it is called "replication".'],
    ['topics: { main: { min.insync.replicas: 2 } }', 'config: topics.main.config.min.insync.replicas.'],
    ['topics: { main: {}, b: { cleanup.policy: delete } }', 'config: topics.b.config.cleanup.policy.'],
    ['topics: { main: {}, b: {} }\nrf: 1', 'It belongs elsewhere: topics.*.replication.'],
    ['producers: { p: { duration: 60s } }', 'Here it is called "for".'],
    ['producers: { p: { num-records: 5000 } }', 'Here it is called "records".'],
    ['producers: { p: { for: 60s, throughput: 5000 } }', 'Here it is called "rate".'],
    ['producers: { p: { for: 60s, acks: 1 } }', 'config: producers.p.config.acks.'],
    ['producers: { p: { for: 60s, retries: 1 } }', 'config: producers.p.config.retries.'],
    ['producers: { p: { for: 60s, lingerMs: 1 } }', 'config: producers.p.config.linger.ms.'],
    ['producers: { p: { for: 60s, batch_size: 1 } }', 'config: producers.p.config.batch.size.'],
    ['producers: { p: { for: 60s, compression: lz4 } }', 'config: producers.p.config.compression.type.'],
    ['consumers: { c: { duration: 60s } }', 'Here it is called "for".'],
    ['consumers: { c: { fetch.min.bytes: 1 } }', 'config: consumers.c.config.fetch.min.bytes.'],
    ['payload: { size: 200B }', 'It belongs elsewhere: payload.json.size.'],
    ['design: { repetitions: 10 }', 'Here it is called "blocks".'],
    ['lab: { brokers: { num.io.threads: 8 } }', 'config: lab.brokers.config.num.io.threads.'],
    ['settle: { duration: 5s }', 'Known here: quiet, limit'],
    ['producers: { p: { for: 60s, rate: 5000 } }', '"5000" is not a rate; "5000/s"?'],
    ['producers: { p: { for: 60s, rate: 5k } }', '"5k" is not a rate; "5k/s"?'],
    ['producers: { p: { for: 60s, rate: 5000 msgs/sec } }', '"5000/s"?'],
    ['producers: { p: { for: 60s, rate: "5,000/s" } }', 'has commas between its digits; "5000/s"?'],
    ['producers: { p: { for: 60s, rate: 0 } }', 'write max, 20k/s'],
    ['producers: { p: { records: "5,000" } }', 'has commas between its digits; "5000"?'],
    ['payload: { json: { size: "1,024B" } }', 'has commas between its digits; "1024B"?'],
    ['topics: { main: { partitions: "1,000" } }', 'write 1000 without quotes, commas'],
    ['metric: p99.9', '"p999"?'],
    ['metric: latency', '"p99"?'],
    ['metric: throughput', '"rate"?'],
    ['metric: byterate', '"byteRate"?'],
    [
      'topics: { main: { config: { compression.type: none } } }',
      'The codec that a producer sends with is another setting: producers.*.config.compression.type: none.',
    ],
  ])('%s', (line, says) => {
    const found = said(`${NAMES}${FACTOR}${line.replaceAll('\\n', '\n')}\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(says);
  });

  it.each([
    ['compression.type', '"producers.p.config.compression.type"?'],
    ['acks', '"producers.p.config.acks"?'],
    ['rf', '"topics.main.replication"?'],
    ['topics.main.rf', 'Here it is called "replication".'],
    ['producers.p.compression.type', '"producers.p.config.compression.type"?'],
  ])('a factor that sets %s', (path, says) => {
    const found = said(`${NAMES}factors: { f: { set: ${path}, levels: [1, 2] } }\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(says);
  });

  it('a key by another name is not missing as well', () => {
    expect(said(`${NAMES}factors: { f: { path: topics.main.partitions, values: [1, 2] } }\n`)).toEqual([
      'factors.f.path: Unknown key "path". Here it is called "set".',
      'factors.f.values: Unknown key "values". Here it is called "levels".',
    ]);
    expect(said(`${NAMES}factor: { f: { set: topics.main.partitions, levels: [1, 2] } }\n`)).toEqual([
      'factor: Unknown key "factor". Did you mean "factors"?',
    ]);
    expect(said(`nmae: x\nquestion: y?\n${FACTOR}`)).toEqual([
      'nmae: Unknown key "nmae". Did you mean "name"?',
    ]);
    // Another key that is missing is still told.
    expect(said(`nmae: x\n${FACTOR}`)).toHaveLength(2);
  });
});
