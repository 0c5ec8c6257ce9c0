import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../src/spec/check.ts';
import { pathText } from '../../src/spec/issue.ts';
import { smallSpec } from './small-spec.ts';

function mistakes(factors: unknown): string[] {
  const parsed = parseSpec(smallSpec({ factors }));
  return parsed.ok ? [] : parsed.issues.map((i) => `${pathText(i.path)}: ${i.message}`);
}
const broker = (name: string, levels: unknown[], apply?: string) => ({
  f: { set: `lab.brokers.config.${name}`, levels, ...(apply === undefined ? {} : { apply }) },
});

describe('broker settings', () => {
  it('are restarted by default, altered in running brokers where Kafka takes them', () => {
    expect(mistakes(broker('queued.max.requests', [100, 500]))).toEqual([]);
    expect(mistakes(broker('num.io.threads', [8, 4], 'dynamic'))).toEqual([]);
    expect(mistakes(broker('message.max.bytes', ['1MiB', '8MiB'], 'dynamic'))).toEqual([]);
  });

  it.each([
    ['queued.max.requests', [100, 500], 'Kafka reads queued.max.requests only when a broker starts'],
    ['num.io.threads', [8, 4, 16], 'not from 4 to 16. Use apply: restart'],
    ['log.cleaner.threads', [1, 4], 'between half and double'],
  ])('are refused in running brokers: %s %j', (name, levels, hint) => {
    expect(mistakes(broker(name, levels, 'dynamic'))).toEqual([expect.stringContaining(hint)]);
    expect(mistakes(broker(name, levels, 'dynamic'))[0]).toMatch(/^factors\.f\.apply: /);
    expect(mistakes(broker(name, levels))).toEqual([]);
  });

  it('of the process are never dynamic; of clients need no apply', () => {
    const heap = { f: { set: 'lab.brokers.heap', levels: ['512MiB', '1GiB'], apply: 'dynamic' } };
    expect(mistakes(heap)).toEqual([expect.stringContaining('belongs to the process')]);
    const acks = { f: { set: 'producers.p.config.acks', levels: ['all', 1], apply: 'restart' } };
    expect(mistakes(acks)).toEqual([expect.stringContaining('leave it out')]);
  });

  it('are found in named levels too, and unknown ones are unknown first', () => {
    const named = {
      f: { levels: { a: {}, b: { 'lab.brokers.config.queued.max.requests': 9 } }, apply: 'dynamic' },
    };
    expect(mistakes(named)).toEqual([expect.stringContaining('only when a broker starts')]);
    expect(mistakes(broker('num.io.thread', [4, 8], 'dynamic'))).toEqual([
      expect.stringContaining('Did you mean "num.io.threads"?'),
    ]);
  });
});

describe('conditions and series', () => {
  const codec = { set: 'producers.p.config.compression.type', levels: ['none', 'zstd'] };
  const level = { set: 'producers.p.config.compression.zstd.level', levels: [3, 9] };
  it.each([
    [{ level: { ...level, when: { codec: 'zstd' } }, codec }, 'must stand before "level"'],
    [{ codec, level: { ...level, when: { codek: 'zstd' } } }, 'Did you mean "codec"?'],
    [{ codec, level: { ...level, when: { codec: ['zstd', 'lz5'] } } }, 'has no level "lz5"'],
    [{ codec: { ...codec, while: { achieved: { min: '99%' } } } }, 'sets no producers.….rate'],
  ])('%j', (factors, hint) => expect(mistakes(factors)).toEqual([expect.stringContaining(hint)]));

  it('are right where they speak of what stands before, and of rates', () => {
    expect(mistakes({ codec, level: { ...level, when: { codec: 'zstd' } } })).toEqual([]);
    const rate = { set: 'producers.p.rate', levels: ['1k/s', '2k/s'], while: { achieved: { min: '99%' } } };
    expect(mistakes({ rate })).toEqual([]);
  });
});
