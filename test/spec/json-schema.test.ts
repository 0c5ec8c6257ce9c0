import { readdirSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { specJsonSchema } from '../../src/spec/json-schema.ts';
import { smallSpec } from './small-spec.ts';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const SPECS = ['examples', 'test/specs', 'test/e2e'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, ROOT))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`),
);

describe('schema/assay-spec.schema.json', () => {
  let valid: ValidateFunction;
  beforeAll(() => {
    valid = new Ajv({ strict: false, allErrors: true }).compile(
      JSON.parse(read('schema/assay-spec.schema.json')) as object,
    );
  });

  it('is current: `npm run schema` would change nothing', () => {
    expect(read('schema/assay-spec.schema.json')).toBe(`${JSON.stringify(specJsonSchema(), null, 2)}\n`);
  });

  it.each(SPECS)('takes %s, which names it in its first line', (path) => {
    const text = read(path);
    const up = path.split('/').slice(1).fill('..').join('/');
    expect(text.split('\n')[0]).toBe(`# yaml-language-server: $schema=${up}/schema/assay-spec.schema.json`);
    for (const document of parseAllDocuments(text)) {
      valid(document.toJS());
      expect(valid.errors ?? []).toEqual([]);
    }
  });

  it.each([
    ['a short spec', {}],
    ['anchors', { 'x-base': { any: ['thing'] } }],
    ['a fragment’s heir', { name: undefined, question: undefined, extends: ['./base.yaml'] }],
    [
      'a plugin’s property',
      { allowUnknown: ['my.plugin'], producers: { p: { for: '30s', config: { 'my.plugin': 1 } } } },
    ],
    ['counts of both kinds', { producers: { p: { records: 5000 }, q: { records: '10M' } } }],
    ['acks as a number', { producers: { p: { for: '30s', config: { acks: -1 } } } }],
    ['a map of warm-up', { design: { warmup: { passes: 2, agree: '5%' } } }],
  ])('takes %s', (_, changes) => {
    const spec = JSON.parse(JSON.stringify(smallSpec(changes))) as unknown;
    valid(spec);
    expect(valid.errors ?? []).toEqual([]);
  });

  it.each([
    ['an unknown key', { setle: {} }],
    ['an unknown key deep inside', { lab: { brokers: { cuont: 3 } } }],
    ['a Kafka property that is none', { producers: { p: { for: '30s', config: { 'lingr.ms': 5 } } } }],
    ['a word of another list', { producers: { p: { for: '30s', config: { 'compression.type': 'lz5' } } } }],
    ['a decimal size', { payload: { json: { size: '64KB' } } }],
    ['a bare time', { producers: { p: { for: 30 } } }],
    ['a rate without its per second', { producers: { p: { for: '30s', rate: '20k' } } }],
    ['a number out of range', { topics: { main: { replication: 10 } } }],
    ['a fraction of a broker', { lab: { brokers: { count: 2.5 } } }],
    ['a spec without a name', { name: undefined }],
    ['a metric that is none', { metric: 'p98' }],
    ['a scenario rule that is none', { scenarios: [{ corss: ['batch'] }] }],
  ])('refuses %s', (_, changes) => {
    expect(valid(JSON.parse(JSON.stringify(smallSpec(changes))))).toBe(false);
  });

  it('shows an editor what a key means, its default, and what Kafka says of a property', () => {
    const schema = parse(read('schema/assay-spec.schema.json')) as Record<string, never>;
    expect(schema).toMatchObject({
      properties: {
        settle: { properties: { quiet: { default: '5s', description: expect.any(String) as string } } },
      },
      definitions: { producer: { properties: { 'linger.ms': { description: 'Kafka: long [0,...]' } } } },
    });
  });
});
