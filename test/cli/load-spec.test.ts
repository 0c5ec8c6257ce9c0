import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandFailure } from '../../src/cli/failure.ts';
import { loadSpec, loadSpecs } from '../../src/cli/load-spec.ts';
import { makePlan } from '../../src/cli/make-plan.ts';
import type { SpecOptions } from '../../src/cli/spec-options.ts';
import { specWords } from '../../src/cli/spec-overrides.ts';

const FACTORS = 'factors: { f: { set: topics.main.partitions, levels: [1, 2] } }\n';
const HEAD = `name: x\nquestion: y?\n${FACTORS}`;
const NONE: SpecOptions = { set: [], only: [] };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-load-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const json = (text: string, options: SpecOptions = NONE) =>
  loadSpec(write('spec.yaml', text), { options }).json as Record<string, unknown>;

/** What the user is told of a spec that cannot be, without the folder. */
function told(text: string | Uint8Array, options: SpecOptions = NONE): string {
  try {
    loadSpecs(write('spec.yaml', text), { options });
  } catch (error) {
    expect(error).toBeInstanceOf(CommandFailure);
    expect((error as CommandFailure).exitCode).toBe(2);
    return (error as CommandFailure).message.replaceAll(`${folder}/`, '');
  }
  return '';
}

describe('extends', () => {
  it('lays the spec over its fragments in their order, map by map; null takes out; nothing of it is left', () => {
    write('a.yaml', 'settle: { quiet: 1s, drain: 1s, dirty: 1MiB }\nproducers: { p: { for: 20s } }\n');
    write('sub/b.yaml', 'extends: [deep/c.yaml]\nsettle: { drain: 2s, dirty: null }\n');
    write('sub/deep/c.yaml', 'x-note: [1]\nsettle: { drain: 9s, limit: 30s }\nallowUnknown: [a, b]\n');
    const text = `extends: [a.yaml, ./sub/b.yaml]\n${HEAD}allowUnknown: [c]\nsettle: { limit: 40s }\n`;
    expect(json(text)).toEqual({
      name: 'x',
      question: 'y?',
      factors: { f: { set: 'topics.main.partitions', levels: [1, 2] } },
      settle: { quiet: '1s', drain: '2s', limit: '40s' },
      producers: { p: { for: '20s' } },
      allowUnknown: ['c'],
    });
  });

  it('leaves null alone where nothing lies below: in a level it takes a setting out', () => {
    write('a.yaml', 'settle: { quiet: 1s }\n');
    const levels = '{ a: {}, b: { producers.p.for: null, producers.p.records: 1M } }';
    const text = `extends: [a.yaml]\nname: x\nquestion: y\nfactors: { f: { levels: ${levels} } }\n`;
    expect(json(text)['factors']).toMatchObject({ f: { levels: { b: { 'producers.p.for': null } } } });
  });

  it('points at the fragment from which a mistake comes', () => {
    write('a.yaml', '# a\nsettle:\n  quiet: 5\nproducers: { p: { for: 30s, config: { lingr.ms: 5 } } }\n');
    const said = told(`extends: [a.yaml]\n${HEAD}settle: { limit: 1 }\n`);
    expect(said).toContain('a.yaml:3:10: settle.quiet: A time needs a unit');
    expect(said).toContain('a.yaml:4:39: producers.p.config.lingr.ms: Kafka has no producer property');
    expect(said).toContain('spec.yaml:5:18: settle.limit: A time needs a unit');
  });

  it.each([
    [
      'a missing file',
      'extends: [gone.yaml]\n',
      'spec.yaml:1:11: extends[0]: "gone.yaml" cannot be extended',
    ],
    ['a folder', 'extends: [sub]\n', 'it is not a regular file'],
    ['a device', 'extends: [/dev/zero]\n', 'it is not a regular file'],
    ['no list', 'extends: a.yaml\n', 'Expected a list of files'],
    ['no name', 'extends: [5, ""]\n', 'extends[1]: Expected the name of a file'],
    ['itself', 'extends: [spec.yaml]\n', 'extends itself'],
    ['itself by a link', 'extends: [link.yaml]\n', 'extends itself'],
    ['a circle', 'extends: [round.yaml]\n', 'again.yaml:1:11: extends[0]: "round.yaml" extends itself'],
    ['a chain too long', 'extends: [d0.yaml]\n', 'at most 8 deep'],
    ['a broken fragment', 'extends: [broken.yaml]\n', 'broken.yaml:1:17: This is no valid YAML'],
    ['several documents', 'extends: [two.yaml]\n', 'a fragment is one'],
    ['a list', 'extends: [list.yaml]\n', 'no fragment of a spec'],
    ['too much', 'extends: [large.yaml]\n', 'at most 1 MiB'],
    ['a hostile name', 'extends: [proto.yaml]\n', 'proto.yaml:1:11: topics.__proto__'],
    ['a name with NUL', 'extends: ["a\\0b"]\n', 'control character'],
    ['a secret of the machine', 'extends: [/etc/hostname]\n', 'no fragment of a spec'],
  ])('refuses %s', (_, line, hint) => {
    symlinkSync('spec.yaml', join(folder, 'link.yaml'));
    write('sub/x', '');
    write('round.yaml', 'extends: [again.yaml]\n');
    write('again.yaml', 'extends: [round.yaml]\n');
    for (let i = 0; i < 12; i += 1) write(`d${i}.yaml`, `extends: [d${i + 1}.yaml]\n`);
    write('broken.yaml', 'lab: { brokers: \n');
    write('two.yaml', 'a: 1\n---\nb: 2\n');
    write('list.yaml', '- 1\n');
    write('large.yaml', `# ${'x'.repeat(1024 * 1024)}\n`);
    write('proto.yaml', 'topics: { __proto__: {} }\n');
    const said = told(`${line}${HEAD}`);
    rmSync(join(folder, 'link.yaml'));
    expect(said).toContain(hint);
    expect(said).not.toMatch(/\n\s+at /);
  });
});

describe('several documents', () => {
  const TWO = `${HEAD}---\nname: z\nquestion: y\n${FACTORS}---\n# nothing more\n`;

  it('are several specs; one is chosen by number or name', () => {
    const file = write('two.yaml', TWO);
    expect(loadSpecs(file).map((one) => [one.document, one.spec.name])).toEqual([
      [1, 'x'],
      [2, 'z'],
    ]);
    for (const doc of ['2', 'z']) expect(loadSpec(file, { options: { ...NONE, doc } }).spec.name).toBe('z');
  });

  it.each([
    ['none is chosen', TWO, undefined, 'choose with --doc N or --doc NAME:\n  1: x\n  2: z'],
    ['a name that is not there', TWO, 'y', 'There is no spec "y" in it.'],
    ['a number that is not there', TWO, '3', 'spec.yaml holds 2 specs. There is no spec "3"'],
    ['a name that stands twice', `${HEAD}---\n${HEAD}`, 'x', '2 of its specs are called "x"'],
  ])('say so when %s', (_, text, doc, hint) => {
    const file = write('spec.yaml', text);
    expect(() => loadSpec(file, { options: { ...NONE, doc } })).toThrow(hint);
  });

  it('show their mistakes all at once, each at its line', () => {
    const said = told(`${HEAD}settle: { quiet: 5 }\n---\nname: z\nquestion: y\nfactors: {}\n`);
    expect(said).toContain('spec.yaml:4:18: settle.quiet');
    expect(said).toContain('spec.yaml:8:1: factors: A spec needs at least one factor');
  });
});

describe('overrides', () => {
  it('are laid over the spec and recorded as typed', () => {
    const options: SpecOptions = {
      set: ['topics.main.replication=1', 'producers.*.config.linger.ms=0', 'settle={quiet: 1s}'],
      only: ['1'],
      blocks: 9,
      smoke: true,
    };
    const two = `${HEAD}producers: { p: { for: 30s }, q: { for: 30s } }\nsettle: { drain: 1s }\n`;
    expect(json(two, options)).toMatchObject({
      topics: { main: { replication: 1 } },
      producers: { p: { for: '30s', config: { 'linger.ms': 0 } }, q: { config: { 'linger.ms': 0 } } },
      settle: { quiet: '1s', drain: '1s' },
      only: ['1'],
      design: { blocks: 9 },
      smoke: true,
      overrides: [
        '--set topics.main.replication=1',
        '--set producers.*.config.linger.ms=0',
        '--set settle={quiet: 1s}',
        '--only 1',
        '--blocks 9',
        '--smoke',
      ],
    });
    const { overrides, scenarios } = makePlan(loadSpec(write('spec.yaml', two), { options }));
    expect(overrides).toHaveLength(6);
    expect(scenarios.map((s) => s.slug)).toEqual(['f=1']);
  });

  it('reach into what the language fills in, and into levels', () => {
    expect(json(HEAD, { ...NONE, set: ['producers.p.config.acks=1'] })['producers']).toEqual({
      p: { for: '30s', config: { acks: 1 } },
    });
    const levels =
      'name: x\nquestion: y\nfactors: { f: { levels: { a: {}, b: { topics.main.partitions: 2 } } } }\n';
    expect(json(levels, { ...NONE, set: ['factors.f.levels.b.topics.main.partitions=3'] })).toMatchObject({
      factors: { f: { levels: { b: { 'topics.main.partitions': 3 } } } },
    });
  });

  it('take out with null, and change what brings a time into a count', () => {
    const set = ['producers.p.for=null', 'producers.p.records=1M'];
    const made = json(`${HEAD}producers: { p: { for: 30s } }\n`, { ...NONE, set });
    expect(made['producers']).toEqual({ p: { records: '1M' } });
  });

  it('mean files from where the user stands, and come after fragments', () => {
    write('a.yaml', 'settle: { quiet: 1s }\n');
    expect(json(`extends: [a.yaml]\n${HEAD}`, { ...NONE, set: ['settle.quiet=2s'] })['settle']).toEqual({
      quiet: '2s',
    });
  });

  it.each([
    ['topics.man.partitions=3', 'There is no topic "man". Did you mean "main"?'],
    ['topics.main.partition=3', 'Did you mean "partitions"?'],
    ['tpics.main.partitions=3', 'Did you mean "topics"?'],
    ['topics.main.partitions=0', 'command line: topics.main.partitions: Expected a whole number from 1'],
    ['lab.brokers.heap=1GB', '"1GiB"?\n    --set lab.brokers.heap=1GB\n                           ^'],
    ['producers.p.config.lingr.ms=3', 'Did you mean "linger.ms"?'],
    ['consumers.c.records=3', 'There is no consumer "c"'],
    ['consumers.*.records=3', 'The path "consumers.*.records" matches nothing'],
    ['name.x=1', '"name" holds a single value'],
    ['factors.f.levels.0=1', 'is a list; give it whole'],
    ['extends=[a.yaml]', 'not set on the command line'],
    ['overrides=[]', 'not set on the command line'],
    ['x-a=1', 'There is no "x-a"'],
    ['topics..partitions=1', 'Write path=value'],
    ['topics.__proto__.partitions=1', 'There is no topic "__proto__"'],
    ['lab.brokers.config.__proto__=1', '"__proto__" cannot be used as a name'],
    ['topics.main.partitions', 'write path=value'],
    ['=3', 'write path=value'],
    ['topics.main.partitions=', 'There is no value. Write null'],
    ['topics.main.partitions=[', 'no valid YAML'],
    ['topics.main.partitions=1\n---\n2', 'One value is wanted'],
    [`question=${'x'.repeat(3_000)}`, 'longer than 1900 characters'],
  ])('refuse %s', (set, hint) => expect(told(HEAD, { ...NONE, set: [set] })).toContain(hint));

  it('refuse a scenario that is not there, and blocks of a search', () => {
    expect(told(HEAD, { ...NONE, only: ['f=3'] })).toContain(
      'command line: only[0]: There is no scenario "f=3"',
    );
    const search = 'search: { set: producers.p.rate, from: 1k/s, to: 9k/s, pass: { p99: { max: 9ms } } }\n';
    expect(told(`${HEAD}${search}`, { ...NONE, blocks: 6 })).toContain('--set search.confirm=6');
  });

  it('can be said again as words of a shell', () => {
    const options: SpecOptions = { set: ["question=it's $(id)"], only: ['f=1'], smoke: true, doc: '2' };
    expect(specWords('my spec.yaml', options)).toBe(
      `'my spec.yaml' --doc 2 --set 'question=it'\\''s $(id)' --only f=1 --smoke`,
    );
  });
});

describe('texts', () => {
  it('may begin with a byte order mark or be UTF-16 that has one', () => {
    const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    expect(loadSpec(write('spec.yaml', `\uFEFF${HEAD}`)).spec.name).toBe('x');
    expect(loadSpec(write('spec.yaml', utf16(HEAD))).spec.name).toBe('x');
    expect(loadSpec(write('spec.yaml', utf16(HEAD).swap16())).spec.name).toBe('x');
  });

  it.each([
    ['UTF-16 without a mark', Buffer.from(HEAD, 'utf16le'), 'UTF-16 without a byte order mark'],
    ['Latin-1', Buffer.from('name: x\nquestion: é?\n', 'latin1'), 'it is not UTF-8 text (line 2)'],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0xff]), 'not UTF-8 text'],
  ])('may not be %s', (_, bytes, hint) => expect(told(bytes)).toContain(hint));

  it('show the first of very many mistakes', () => {
    const many = Array.from({ length: 400 }, (_, i) => `k${i}: 1\n`).join('');
    const said = told(`${HEAD}${many}`);
    expect(said).toContain('… and 350 more\n400 mistakes; nothing was started.');
  });
});

describe('payload files', () => {
  const spec = (file: string, more = '') =>
    `name: x\nquestion: y\npayload: { file: ${file} }\nfactors: { codec: { set: producers.p.config.compression.type, levels: [none, lz4] } }\n${more}`;
  const home = () => join(folder, 'home');
  const kept = () => readdirSync(join(home(), 'payloads'));

  it('are read, counted, and kept in the home by their hash; the spec has what was read', () => {
    write('records/ours.jsonl', 'one\ntwo\nthree\n');
    const file = write('spec.yaml', spec('records/ours.jsonl'));
    const loaded = loadSpec(file, { keepIn: { ASSAY_HOME: home() } });
    const sha256 = createHash('sha256').update('one\ntwo\nthree\n').digest('hex');
    const made = loaded.json as { payload: { file: { sha256: string } } };
    expect(made.payload.file).toMatchObject({ name: 'records/ours.jsonl', sha256, bytes: 14, lines: 3 });
    expect(kept()).toEqual([made.payload.file.sha256]);
    expect(readFileSync(join(home(), 'payloads', made.payload.file.sha256), 'utf8')).toBe(
      'one\ntwo\nthree\n',
    );
    expect(makePlan(loaded).payloads).toMatchObject([{ kind: 'file', lines: 3 }]);
  });

  it('are meant from the file that names them; nothing is kept of what is only looked at', () => {
    write('sub/theirs.jsonl', 'one\ntwo\n');
    write('sub/payload.yaml', 'payload: { file: theirs.jsonl }\n');
    rmSync(home(), { recursive: true, force: true });
    const text = `extends: [sub/payload.yaml]\n${HEAD}`;
    expect(json(text)['payload']).toMatchObject({ file: { name: 'theirs.jsonl', lines: 2 } });
    expect(readdirSync(folder)).not.toContain('home');
  });

  it('may be levels, when the levels have names; and be filled in', () => {
    write('a.jsonl', 'one\ntwo\n');
    write('b.jsonl', 'one\ntwo\nthree\n');
    const levels = 'levels: { a: { payload.file: a.jsonl }, b: { payload.file: b.jsonl } }';
    const fill = 'topics: { main: { fill: { records: 5, payload: { file: a.jsonl } } } }\n';
    const made = json(`name: x\nquestion: y\nfactors: { f: { ${levels} } }\n${fill}`);
    expect(made['factors']).toMatchObject({ f: { levels: { b: { 'payload.file': { lines: 3 } } } } });
    expect(made['topics']).toMatchObject({ main: { fill: { payload: { file: { lines: 2 } } } } });
    const list = 'factors: { f: { set: payload.file, levels: [a.jsonl, b.jsonl] } }\n';
    expect(told(`name: x\nquestion: y\n${list}`)).toContain('Files of records need named levels');
  });

  it('say when the last line has no newline', () => {
    write('ours.jsonl', 'one\ntwo');
    const { notes } = loadSpec(write('spec.yaml', spec('ours.jsonl')));
    expect(notes).toEqual([expect.stringContaining('the last line has no newline')]);
  });

  it.each([
    ['a missing file', null, 'spec.yaml:3:18: payload.file: "ours.jsonl": there is no such file.'],
    ['an empty file', '', 'it is empty'],
    ['an empty line', 'one\n\ntwo\n', 'line 2 is empty'],
    ['an empty last line', 'one\ntwo\n\n', 'line 3 is empty'],
    ['CRLF', 'one\r\ntwo\r\n', 'line 1 ends with CRLF'],
    ['NUL', 'one\ntw\0o\n', 'not UTF-8 text (at or after line 1)'],
    ['another encoding', Buffer.from('é\n', 'latin1'), 'not UTF-8 text'],
    ['one line, with codecs', 'one\n', 'Every record is the same'],
    ['one line again and again, with codecs', 'one\n'.repeat(500), 'Every record is the same'],
  ])('refuse %s', (_, content, hint) => {
    if (content === null) rmSync(join(folder, 'ours.jsonl'), { force: true });
    else write('ours.jsonl', content);
    expect(told(spec('ours.jsonl'))).toContain(hint);
  });

  it('find lines across the parts in which a large file is read', () => {
    const lines = Array.from({ length: 9_000 }, (_, i) => `${i} ${'é'.repeat(499)}`);
    write('ours.jsonl', `${lines.join('\n')}\n`);
    expect(json(spec('ours.jsonl'))['payload']).toMatchObject({ file: { lines: 9_000 } });
  });
});
