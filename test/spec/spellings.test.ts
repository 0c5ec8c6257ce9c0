import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../src/spec/check.ts';
import { scenarioSlug } from '../../src/spec/slugs.ts';
import { smallSpec } from './small-spec.ts';

const slug = (levels: Readonly<Record<string, string>>) => scenarioSlug({ name: null, levels });
const messages = (changes: object): string => {
  const read = parseSpec(smallSpec({ ...changes }));
  return read.ok ? '' : read.issues.map((i) => i.message).join('\n');
};

describe('the slug of a rate', () => {
  it('is one that can be read', () => {
    expect(slug({ rate: '10k/s' })).toBe('rate=10k-per-s');
    expect(slug({ rate: '50MiB/s', acks: 'all' })).toBe('rate=50MiB-per-s,acks=all');
  });

  it('is no other one: what cannot be read back gets a hash', () => {
    const all = ['10k/s', '10k-per-s', '10k/s/s', '10k/sec', '10k s'].map((rate) => slug({ rate }));
    expect(new Set(all).size).toBe(all.length);
    for (const one of all) expect(one).toMatch(/^[A-Za-z0-9=,._+-]{1,80}$/);
    expect(slug({ rate: '10k-per-s' })).toMatch(/^rate=10k-per-s-[0-9a-f]{8}$/);
  });
});

describe('what stands in a place near the right one', () => {
  it.each([
    ['producers.p.compression.type', '"producers.p.config.compression.type"?'],
    ['producers.*.acks', '"producers.*.config.acks"?'],
    ['topics.main.min.insync.replicas', '"topics.main.config.min.insync.replicas"?'],
    ['lab.brokers.num.io.threads', '"lab.brokers.config.num.io.threads"?'],
  ])('the path %s', (set, says) => {
    expect(messages({ factors: { f: { set, levels: [1, 2] } } })).toContain(says);
  });

  it('a list in place of a factor', () => {
    expect(messages({ factors: { codec: ['none', 'lz4'] } })).toContain(
      'write { set: PATH, levels: [none, lz4] }',
    );
  });
});

describe('an expectation', () => {
  it('is of the metric of the spec when it names none', () => {
    const of = (changes: object) => {
      const read = parseSpec(smallSpec({ ...changes, producers: { p: { for: '30s', rate: '5k/s' } } }));
      return read.ok ? read.spec.expect?.map((one) => one.metric) : read.issues;
    };
    expect(of({ metric: 'p99', expect: [{ of: '64KiB', max: '50ms' }] })).toEqual(['p99']);
    expect(of({ expect: [{ of: '64KiB', min: '1k/s' }] })).toEqual(['rate']);
    expect(of({ metric: 'p99', expect: [{ metric: 'rate', of: '64KiB', min: '1k/s' }] })).toEqual(['rate']);
  });
});

describe('a fill', () => {
  it('may be given in bytes', () => {
    const fill = { bytes: '1MiB', payload: { random: { size: '1KiB' } } };
    const read = parseSpec(smallSpec({ topics: { main: { fill } } }));
    expect(read.ok ? read.spec.topics['main']?.fill?.records : read.issues).toBe(1024);
  });
});
