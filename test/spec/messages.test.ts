import { describe, expect, it } from 'vitest';
import { pathText } from '../../src/spec/issue.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';

const NAMES = 'name: x\nquestion: y?\n';
const HEAD = `${NAMES}factors: { f: { set: topics.main.partitions, levels: [1, 2] } }\n`;

/** `line:column message` of every mistake. */
function said(text: string): string[] {
  const read = readSpec(text, 'x.yaml');
  const issues = read.ok ? [] : read.issues;
  return issues.map((i) => `${i.position?.line}:${i.position?.column} ${pathText(i.path)}: ${i.message}`);
}

describe('a mistake is said once, at its place, with what to write', () => {
  it.each([
    ['design: { deadline: 5s }', '4:21', 'at least 1m'],
    ['design: { deadline: 99999h }', '4:21', 'at most 720h'],
    ['lab: { brokers: { heap: 1MiB } }', '4:25', 'at least 256MiB'],
    ['design: { budget: { written: 5B } }', '4:30', 'at least 1MiB'],
    ['payload: { json: { padding: 0.05 } }', '4:29', 'e.g. "5%"'],
    ['payload: { json: { padding: 5 } }', '4:29', 'e.g. "5%"'],
    ['payload: { json: { padding: 101% } }', '4:29', 'at most 100%'],
    ['payload: { json: { padding: 95% } }', '4:29', 'leave 41 B. Make size larger or padding smaller'],
    ['payload: { json: { size: 50B } }', '4:26', 'Make size at least 96B'],
    ['payload: { json: { lines: 1e9 } }', '4:27', 'from 1 to 1000000'],
    ['payload: { json: { lines: 1000000, size: 64KiB } }', '4:27', 'more than 1 GiB'],
    ['payload: { json: {}, random: {} }', '4:30', 'json and random'],
    ['payload: { jsn: {} }', '4:12', 'Did you mean "json"?'],
    ['expect: [{ of: "1", versus: "2", min: 90% }]', '4:39', 'write a ratio, e.g. 0.9 (you wrote 90%)'],
    ['metric: p99\nexpect: [{ of: "1", max: 60MiB/s }]', '5:26', 'A bound of p99 is written like 50ms'],
    [
      'search: { set: producers.p.rate, from: 1k/s, to: 2k/s, pass: { p99: 50ms } }',
      '4:69',
      'write p99: { max: 50ms }',
    ],
    [
      'search: { set: producers.p.rate, from: 1k/s, to: 2k/s, pass: { achieved: 99% } }',
      '4:74',
      'write achieved: { min: 99% }',
    ],
    ['schedule: { cron: 30 25 * * * }', '4:19', 'hour "25": 25 is not from 0 to 23.'],
    ['schedule: { cron: 0 2 * * *, zone: Europe/Berln }', '4:36', 'Did you mean "Europe/Berlin"?'],
    ['topics: { main: { fill: { records: 5, bytes: 1GiB } } }', '4:46', 'exactly one of records and bytes'],
    ['topics: { main: { fill: {} } }', '4:25', 'one of records and bytes, e.g. bytes: 2GiB'],
    ['smallestEffectOfInterest: 500%', '4:27', 'at most 100%'],
    ['design: { warmup: { agree: 101% } }', '4:28', 'at most 100%'],
    ['design: { until: { halfWidth: 0% } }', '4:31', 'at least 0.1%'],
    ['design: { warmup: none }', '4:19', 'Expected auto, or { passes: 3, agree: 10% }'],
    ['design: { warmup: { pases: 3 } }', '4:21', 'Did you mean "passes"?'],
    ['teardown: { keep: 5 }', '4:19', '"5s" or "5ms"?'],
    ['window: { ramp: 40s }', '4:17', 'no room for a steady window'],
    ['window: { min: 40s }', '4:16', 'no room for a steady window'],
    ['lab: { brokers: { count: 1 } }', '4:26', '3 copies need 3 brokers'],
    ['lab: { pin: yes }', '4:13', '"yes" is text; write true.'],
    ['producers: { p: { for: 30s, enabled: off } }', '4:38', '"off" is text; write false.'],
    ['lab: { brokers: { kafka: 4.3 } }', '4:26', 'such as 4.3.1'],
    ['topics: { main: { partitions: 1_000 } }', '4:31', 'write 1000 without quotes, commas or underscores'],
    ['topics: { main: { partitions: .nan } }', '4:31', 'no number'],
    ['topics: { main: }', '4:11', 'write {} to keep every default'],
    ['producers: { p: { for: 1:30 } }', '4:24', 'is not a time'],
    ['producers: { p: { for: 2026-11-30 } }', '4:24', 'is not a time'],
    ['producers: { p: { records: 10K } }', '4:28', '"10k"?'],
    ['producers: { p: { for: 30s, rate: 50MB/s } }', '4:35', '"50MiB/s"?'],
    ['scenarios: [{ vary: [f], excpt: [] }]', '4:26', 'Did you mean "except"?'],
    ['scenarios: [{ vary: f }]', '4:21', 'takes a list of factors, e.g. vary: [f]'],
    ['scenarios: [{ vry: [f] }]', '4:20', 'A rule begins with vary, cross or zip'],
    ['scenarios: [5]', '4:13', 'Expected a rule such as vary: [acks]'],
    ['scenarios: [{ vary: [f], cross: [f] }]', '4:26', 'does not go together with vary'],
    ['contrasts: [[1, baseline]]', '4:14', 'a number needs quotes'],
    ['expect: [{ of: "1", min: 60MiB/s, max: 50MiB/s }]', '4:26', 'min is not below max'],
    ['expect: [{ of: "1", versus: "2", min: 5MiB/s }]', '4:39', 'a bound is a ratio'],
    ['expect: [{ metric: p99, of: "1", max: 5MiB/s }]', '4:39', 'written like 50ms'],
    [
      'search: { set: producers.p.rate, from: 9k/s, to: 2k/s, pass: { p99: { max: 5ms } } }',
      '4:40',
      'from is not below to',
    ],
    ['settle: { quiet: 70s }', '4:18', 'longer than settle.limit'],
    ['design: { deplete: { upper: 58MiB/s, lower: 74MiB/s } }', '4:29', 'the gate would open at once'],
    ['payload: { json: { size: 2MiB, lines: 10 } }', '4:26', 'do not fit the largest request'],
  ])('%s', (line, place, hint) => {
    const [first = '', ...more] = said(`${HEAD}${line}\n`);
    expect(first.startsWith(`${place} `), first).toBe(true);
    expect(first).toContain(hint);
    // Two limits of Kafka refuse a large record.
    expect(more).toHaveLength(hint.includes('largest request') ? 1 : 0);
  });

  it.each([
    ['set: "*", levels: [1, 2]', '3:22', 'matches nothing'],
    ['set: "producers.*", levels: [1, 2]', '3:46', 'Expected a section'],
    ['set: producers.p.confg.acks, levels: [1, 0]', '3:22', 'Did you mean "config"?'],
    ['set: lab.brokers.count, levels: [1, 3]', '3:22', 'lab.brokers.config.*'],
    ['levels: { a: {}, b: { producers.p.config.ack: 1 } }', '3:39', 'Did you mean "acks"?'],
    ['set: producers.p.config.acks, levels: [1, 2]', '3:59', 'one of all, -1, 0, 1'],
  ])('factors: { f: { %s } }', (factor, place, hint) => {
    const [first = ''] = said(`${NAMES}factors: { f: { ${factor} } }\n`);
    expect(first.startsWith(`${place} `), first).toBe(true);
    expect(first).toContain(hint);
  });

  it.each([
    ['extends: a: b', '4:10', 'needs quotes'],
    ['only\n', '4:1', 'is a colon, or the space after it, missing?'],
    ['lab: { brokers: { count: 3 }\n', '6:1', 'a { is not closed'],
    ['settle:\n  quiet: 5s\n limit: 6s', '6:1', 'indented unlike the others'],
    ['only: - f', '4:', 'begins on the line after its key'],
    ['metric: `rate`', '4:9', 'needs quotes'],
    ['metric: "rate', '5:1', 'Missing closing'],
    ['...\n%YAML 1.1\n---\nname: x', '1:1', 'several specs'],
  ])('broken YAML %j', (line, place, hint) => {
    const [first = ''] = said(`${HEAD}${line}\n`);
    expect(first.startsWith(place), first).toBe(true);
    expect(first).toContain(hint);
  });

  it('another version of YAML, which reads yes and 010 otherwise', () => {
    expect(said(`%YAML 1.1\n---\n${HEAD}`)).toEqual([expect.stringContaining('A spec is YAML 1.2')]);
    expect(said(`%YAML 1.2\n---\n${HEAD}`)).toEqual([]);
  });

  it('beside every other one: a broken section does not hide a misspelt name elsewhere', () => {
    const text = `${HEAD}lab: { brokers: { heap: 1GB } }\nproducers: { p: { topic: man, for: 30s, config: { lingr.ms: 5 } } }\ncontrasts: [[z, baseline]]\n`;
    expect(said(text).map((one) => one.split(' ')[0])).toEqual(['4:25', '5:26', '5:51', '6:14']);
  });

  it('and does not make up others that only follow from it', () => {
    expect(
      said(
        `${NAMES}topics: { ../x: {} }\nproducers: { p: { topic: ../x, for: 30s } }\n${HEAD.slice(NAMES.length)}`,
      ),
    ).toHaveLength(2);
    expect(said(`${HEAD}producers: { p: { for: 30 } }\n`)).toHaveLength(1);
  });
});
