import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatIssues } from '../../src/spec/issue.ts';
import { readSpec } from '../../src/spec/read-yaml.ts';

const EXAMPLES = ['first-look', 'acks-by-replication', 'five-partition-counts'];
const example = (name: string) =>
  readFileSync(new URL(`../../examples/${name}.yaml`, import.meta.url), 'utf8');
const HEAD = 'name: x\nquestion: y?\nfactors: { f: { set: topics.main.partitions, levels: [1, 2] } }\n';
const issuesOf = (text: string) => {
  const read = readSpec(text, 'my.yaml');
  return read.ok ? [] : read.issues;
};

describe('readSpec', () => {
  it.each(EXAMPLES)('reads examples/%s.yaml', (name) => {
    const read = readSpec(example(name), name);
    expect(read.ok ? '' : formatIssues(read.issues)).toBe('');
  });

  it('reads JSON, and gives back what may be submitted as it is', () => {
    const read = readSpec(
      JSON.stringify({
        name: 'x',
        question: 'y',
        'x-note': 1,
        factors: { f: { set: 'topics.main.partitions', levels: [1, 2] } },
      }),
      'x.json',
    );
    expect(read.ok && read.json).toEqual({
      name: 'x',
      question: 'y',
      factors: { f: { set: 'topics.main.partitions', levels: [1, 2] } },
    });
  });

  it('shows line, column, excerpt with caret and what to write instead', () => {
    expect(
      formatIssues(issuesOf(`${HEAD}settle:\n  quiet: 5s\n  limt: 60s\nlab: { brokers: { heap: 1GB } }\n`)),
    ).toBe(
      [
        'my.yaml:6:3: settle.limt: Unknown key "limt". Did you mean "limit"?',
        '      limt: 60s',
        '      ^',
        'my.yaml:7:25: lab.brokers.heap: "1GB" has an unknown unit of size; "1GiB"?',
        '    lab: { brokers: { heap: 1GB } }',
        `    ${' '.repeat(24)}^`,
      ].join('\n'),
    );
  });

  it('says all mistakes at once, in the order of the text', () => {
    const lines = issuesOf(
      `${HEAD}settle: { quiet: 5, limit: x }\nwindow: { over: none }\nteardown: never\n`,
    ).map((i) => i.position?.line);
    expect(lines).toEqual([4, 4, 5, 6]);
  });

  it('points at the key where something is missing inside', () => {
    const [issue] = issuesOf(`${HEAD}producers:\n  load: { topic: main }\n`);
    expect(issue).toMatchObject({ code: 'missing', position: { line: 5 } });
  });

  it.each([
    ['a duplicate key', `${HEAD}name: z\n`, 'The key "name" stands twice', 4],
    ['a tab', `${HEAD}settle:\n\tquiet: 5s\n`, 'tab', 5],
    ['an alias without anchor', `${HEAD}topics: *gone\n`, 'no anchor', 4],
    ['an unknown tag', `${HEAD}topics: !!js/function "x"\n`, 'no valid YAML', 4],
    ['a list as key', `${HEAD}? [a]\n: b\n`, '', 4],
    ['a second document', `${HEAD}---\nname: z\n`, 'several specs', 5],
    ['an open bracket', `${HEAD}topics: { main: \n`, 'no valid YAML', 4],
    ['a hostile name', `${HEAD}topics: { __proto__: {} }\n`, 'cannot be used as a name', 4],
    ['a hostile name in a list', `${HEAD}topics: { constructor: {} }\n`, 'cannot be used as a name', 4],
    ['a huge number', `${HEAD}design: { blocks: 1e999 }\n`, 'too large', 4],
    ['a large count', `${HEAD}producers: { p: { records: 99999999999999999999 } }\n`, 'whole count', 4],
    ['an alias inside its anchor', `${HEAD}topics: &t { main: *t }\n`, 'would never end', 4],
    ['a merge key of nothing', `${HEAD}settle: { <<: 5 }\n`, '<< takes in a map', 4],
    ['an octal number', `${HEAD}topics: { main: { partitions: 010 } }\n`, 'write 10', 4],
    ['another octal number', `${HEAD}topics: { main: { partitions: 0o17 } }\n`, 'write 15', 4],
    ['a hexadecimal number', `${HEAD}topics: { main: { partitions: 0x10 } }\n`, 'write 16', 4],
    ['a duplicate key of a flow map', `${HEAD}settle: { quiet: 5s, quiet: 6s }\n`, '"quiet" stands twice', 4],
    ['a tab in a flow map', `${HEAD}settle: {\n\tquiet: 5 }\n`, 'quiet', 5],
    ['deep nesting', `${HEAD}topics: ${'{ a: '.repeat(5_000)}`, 'nested deeper', 4],
    ['deep lists', `${HEAD}topics:\n  ${'- '.repeat(5_000)}x\n`, 'nested deeper', 5],
    ['no text', '', 'The spec is empty', 1],
    ['only a comment', '# nothing\n', 'empty', 1],
    ['a mere word', 'hello', 'Expected a section', 1],
  ])('survives %s', (_, text, hint, line) => {
    const issues = issuesOf(text);
    expect(formatIssues(issues)).toContain(hint);
    expect(issues[0]?.position?.line).toBe(line);
  });

  it('survives an alias bomb', () => {
    const bomb = `x-a: &a [${'x,'.repeat(9)}x]\n${Array.from(
      { length: 12 },
      (_, i) =>
        `x-${i + 1}: &b${i + 1} [${Array(10)
          .fill(i === 0 ? '*a' : `*b${i}`)
          .join(', ')}]\n`,
    ).join('')}`;
    expect(issuesOf(`${bomb}${HEAD}`)).toHaveLength(1);
  });

  it('finds two keys alike wherever they stand, and the right line among very many', () => {
    const many = Array.from({ length: 2_000 }, (_, i) => `x-${i}: { a: 1 }\n`).join('');
    const issues = issuesOf(`${HEAD}${many}settle:\n  - { quiet: 1s, "quiet": 2s }\n`);
    expect(issues).toMatchObject([{ code: 'duplicate-key', position: { line: 2_005, column: 18 } }]);
  });

  it('takes in maps with merge keys, and finds mistakes in them', () => {
    const read = readSpec(`x-a: &a { quiet: 1s, drain: 2s }\n${HEAD}settle: { <<: *a, quiet: 3s }\n`, 'm');
    expect(read.ok && read.spec.settle).toMatchObject({ quiet: 3_000, drain: 2_000 });
    const issues = issuesOf(`x-a: &a { quiet: 5 }\n${HEAD}settle: { <<: [*a] }\n`);
    expect(issues).toMatchObject([{ path: ['settle', 'quiet'], position: { line: 1, column: 18 } }]);
  });

  it('follows aliases to the place of a mistake', () => {
    const issues = issuesOf(`x-s: &s { quiet: 5 }\n${HEAD}settle: *s\n`);
    expect(issues.map((i) => i.position?.line)).toEqual([1]);
  });
});

describe('whatever the text, readSpec', () => {
  /** `spaced`: what the user wrote has spaces of its own, and messages quote it as it is. */
  const broken = (text: string, spaced = false) => {
    for (const issue of issuesOf(text)) {
      expect(issue.position?.line).toBeGreaterThan(0);
      expect(issue.position?.column).toBeGreaterThan(0);
      expect(issue.position?.excerpt).toMatch(/\n *\^$/);
      expect(issue.message).not.toMatch(/undefined|\[object|Invalid input/);
      if (!spaced) expect(issue.message).not.toMatch(/ {2}/);
    }
  };

  it('quotes a key that is made of spaces', () => {
    const issues = issuesOf(`${HEAD}lab: { target: local, "  ": 1 }\n`);
    expect(issues.map((issue) => issue.message)).toContainEqual(expect.stringContaining('Unknown key "  ".'));
  });

  it('never throws, and gives every issue a position: any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => broken(text, true)),
      { numRuns: 300 },
    );
  });

  it('never throws, and gives every issue a position: specs with lines cut, doubled or replaced', () => {
    const lines = EXAMPLES.flatMap((name) => example(name).split('\n'));
    const mutation = fc.record({
      name: fc.constantFrom(...EXAMPLES),
      at: fc.nat(60),
      what: fc.oneof(
        fc.constant(null),
        fc.constantFrom(...lines),
        fc.constantFrom(
          'topics: []',
          '  p: 5',
          '? x',
          '- -',
          'factors: { f: { levels: { a: null, b: {} } } }',
          'scenarios: [[]]',
          '  __proto__: x',
          'name: &a *a',
        ),
      ),
    });
    const mutated = ({ name, at, what }: { name: string; at: number; what: string | null }) =>
      example(name)
        .split('\n')
        .toSpliced(at, 1, ...(what === null ? [] : [what]))
        .join('\n');
    fc.assert(
      fc.property(mutation, (m) => broken(mutated(m))),
      { numRuns: 150 },
    );
  });

  it('never throws, and gives every issue a position: values of another kind anywhere', () => {
    const odd = fc.oneof(
      fc.constantFrom(
        null,
        true,
        -1,
        0,
        1.5,
        1e300,
        '',
        'x',
        '1e9',
        [],
        {},
        [[]],
        { a: { b: 1 } },
        '*',
        'producers.*',
        ['c1', 'c1'],
      ),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const keys = [
      'lab',
      'brokers',
      'clients',
      'payload',
      'json',
      'topics',
      'main',
      'producers',
      'p',
      'config',
      'acks',
      'factors',
      'batch',
      'set',
      'levels',
      'scenarios',
      'vary',
      'cross',
      'except',
      'contrasts',
      'design',
      'budget',
      'warmup',
      'window',
      'settle',
      'store',
      'teardown',
      'metric',
      'records',
      'for',
      'rate',
      'on',
      'processes',
    ];
    const path = fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 3 });
    const base = readSpec(example('first-look'), 'x');
    if (!base.ok) throw new Error('the example is broken');
    fc.assert(
      fc.property(path, odd, (steps, value) => {
        const spec = structuredClone(base.json) as Record<string, unknown>;
        let here = spec;
        for (const step of steps.slice(0, -1)) {
          if (typeof here[step] !== 'object' || here[step] === null) here[step] = {};
          here = here[step] as Record<string, unknown>;
        }
        here[steps.at(-1) ?? ''] = value;
        broken(JSON.stringify(spec, null, 2), JSON.stringify(value).includes(' '));
      }),
      { numRuns: 400 },
    );
  });
});

describe('a text that is no spec at all', () => {
  it('is refused before it is parsed when it has more entries than any spec', () => {
    const lines = Array.from({ length: 6_000 }, (_, i) => `key${i}: 1`).join('\n');
    const read = readSpec(lines, 'log.txt');
    expect(read.ok ? [] : read.issues.map((i) => i.message)).toEqual([
      'A spec has at most 5000 lines and entries; this text has more.',
    ]);
  });

  it('has no more mistakes printed than somebody reads', () => {
    const read = readSpec(Array.from({ length: 150 }, (_, i) => `key${i}: 1`).join('\n'), 'x.yaml');
    const text = formatIssues(read.ok ? [] : read.issues);
    expect(text.match(/Unknown key/g)?.length).toBeLessThanOrEqual(100);
    expect(text).toMatch(/… and \d+ more of them\.$/);
  });
});
