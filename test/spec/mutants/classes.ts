import { keysAt } from '../../../src/spec/schema-keys.ts';
import { specSchema } from '../../../src/spec/schema.ts';
import { BASES, linesOf, nodes, type Path, renamed, replaced, some, text } from './bases.ts';

/** A spec that somebody got wrong, and what must be said of it. */
export interface Mutant {
  readonly what: string;
  readonly text: string;
  /** Codes of which one must come, on one of these lines; null = it may be planned. */
  readonly expected: { readonly codes: readonly string[]; readonly lines: Lines } | null;
}
interface Lines {
  readonly first: number;
  readonly last: number;
}

const ANY_VALUE = [
  'wrong-value',
  'wrong-type',
  'wrong-unit',
  'contradiction',
  'missing',
  'too-large',
  'unknown-key',
];
/** Every value of every base. */
export const all = BASES.flatMap(({ name, json }) => nodes(json).map((node) => ({ name, json, ...node })));
type Node = (typeof all)[number];

function mutant(node: Node, json: unknown, path: Path, codes: readonly string[], how: string): Mutant {
  const source = text(json);
  const what = `${node.name}: ${node.path.join('.')} ${how}`;
  return { what, text: source, expected: { codes, lines: linesOf(source, path) } };
}

/** Two letters swapped, one left out, one doubled. */
function typos(word: string): readonly string[] {
  const at = Math.floor(word.length / 2);
  const [a = '', b = ''] = [word[at - 1], word[at]];
  const made = [
    `${word.slice(0, at - 1)}${b}${a}${word.slice(at + 1)}`,
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + b + word.slice(at),
  ];
  return made.filter((one) => one !== word);
}

/** Keys of sections that have a fixed set of them; rules and levels of scenarios have their own tests. */
export function keyTypos(): readonly Mutant[] {
  const fixed = all.filter(({ path }) => {
    const key = path.at(-1);
    if (typeof key !== 'string' || path[0] === 'scenarios' || path.includes('levels')) return false;
    return keysAt(specSchema, path.slice(0, -1)).includes(key) && key.length > 2;
  });
  return some(fixed, 70, 1).flatMap((node, i) => {
    const known = keysAt(specSchema, node.path.slice(0, -1));
    const made = typos(String(node.path.at(-1))).filter((typo) => !known.includes(typo));
    const typo = made[i % made.length];
    if (typo === undefined) return [];
    const path = [...node.path.slice(0, -1), typo];
    return [mutant(node, renamed(node.json, node.path, typo), path, ['unknown-key'], `→ ${typo}`)];
  });
}

/** Names of Kafka's properties. */
export function propertyTypos(): readonly Mutant[] {
  const properties = all.filter(({ path }) => path.at(-2) === 'config' && path[0] !== 'factors');
  const written = properties.flatMap((node) =>
    typos(String(node.path.at(-1))).map((typo) =>
      mutant(
        node,
        renamed(node.json, node.path, typo),
        [...node.path.slice(0, -1), typo],
        ['unknown-property'],
        `→ ${typo}`,
      ),
    ),
  );
  const paths = all.filter(({ path, value }) => path.at(-1) === 'set' && String(value).includes('.config.'));
  const varied = paths.flatMap((node) =>
    typos(String(node.value).split('.config.')[1] ?? '').map((typo) =>
      mutant(
        node,
        replaced(node.json, node.path, `${String(node.value).split('.config.')[0]}.config.${typo}`),
        node.path,
        ['unknown-property'],
        `→ ${typo}`,
      ),
    ),
  );
  return some([...written, ...varied], 40, 2);
}

/** How people write units that are none. */
const WRONG_UNITS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^\d+(KiB|MiB|GiB)\/s$/, ['10MB/s', '10Mbit/s', '10MiB', '10']],
  [/^\d+k?\/s$/, ['20K/s', '20k', '20k/m', '20 per second']],
  [/^\d+(B|KiB|MiB|GiB)$/, ['64KB', '64k', '64', '64 kilobytes', '64kib']],
  [/^\d+(ms|s|m|h)$/, ['30sec', '30', '5min', 'half an hour', '30S']],
  [/^\d+(\.\d+)?%$/, ['5', '0.05', '5pct', 'five %']],
];

export function wrongUnits(): readonly Mutant[] {
  const made = all.flatMap((node) => {
    if (node.path[0] === 'contrasts') return [];
    const [, wrong = []] = WRONG_UNITS.find(([right]) => right.test(String(node.value))) ?? [];
    // A name under `config` decides itself what it takes; a bare number is one there.
    const inConfig = node.path.includes('config') || (node.path.includes('levels') && !isRate(node));
    const fits = wrong.filter((value) => !(inConfig && /^[\d.]+$/.test(value)));
    return fits.map((value) =>
      mutant(
        node,
        replaced(node.json, node.path, value),
        node.path,
        ['wrong-unit', 'wrong-value', 'contradiction'],
        `= ${value}`,
      ),
    );
  });
  return some(made, 70, 3);
}

function isRate({ value }: Node): boolean {
  return String(value).endsWith('/s');
}

/** A map where a value is wanted, a value where a section or list is. */
export function wrongTypes(): readonly Mutant[] {
  const made = all.flatMap((node) => {
    const isSection = typeof node.value === 'object' && node.value !== null;
    const wrong = isSection ? [5, 'x', true] : [{ zz: 1 }, [[1]]];
    // What a level sets may be any of them, as long as the language takes it there.
    const free =
      node.path.includes('levels') || node.path.includes('scenarios') || node.path.includes('except');
    return free || node.path.length > 4
      ? []
      : wrong.map((value) =>
          mutant(
            node,
            replaced(node.json, node.path, value),
            node.path,
            [...ANY_VALUE, 'unknown-name'],
            `= ${JSON.stringify(value)}`,
          ),
        );
  });
  return some(made, 60, 4);
}

const SWAPS: readonly (readonly [base: string, changes: readonly (readonly [Path, unknown])[], at: Path])[] =
  [
    ['nightly', [[['expect', 0, 'max'], '50MiB/s']], ['expect', 0]],
    ['nightly', [[['expect', 1, 'max'], 1.1]], ['expect', 1]],
    [
      'capacity',
      [
        [['search', 'from'], '300k/s'],
        [['search', 'to'], '20k/s'],
      ],
      ['search'],
    ],
    ['capacity', [[['search', 'from'], '300k/s']], ['search']],
    [
      'depletion',
      [
        [['design', 'deplete', 'upper'], '58MiB/s'],
        [['design', 'deplete', 'lower'], '74MiB/s'],
      ],
      ['design', 'deplete'],
    ],
    [
      'codec',
      [
        [['settle', 'quiet'], '60s'],
        [['settle', 'limit'], '5s'],
      ],
      ['settle'],
    ],
    [
      'codec',
      [
        [['topics', 'main', 'replication'], 2],
        [['topics', 'main', 'config', 'min.insync.replicas'], 3],
      ],
      ['topics', 'main'],
    ],
    ['codec', [[['topics', 'main', 'replication'], 5]], ['topics', 'main', 'replication']],
    ['codec', [[['lab', 'brokers', 'count'], 1]], ['topics', 'main', 'replication']],
    [
      'until',
      [
        [['design', 'until', 'max'], 8],
        [['design', 'blocks'], 20],
      ],
      ['design', 'until', 'max'],
    ],
    [
      'codec',
      [
        [['design', 'labs'], 8],
        [['design', 'blocks'], 7],
      ],
      ['design', 'labs'],
    ],
    ['codec', [[['window', 'min'], '40s']], ['producers', 'p', 'for']],
    [
      'codec',
      [
        [['producers', 'p', 'records'], 5],
        [['producers', 'p', 'processes'], 9],
        [['producers', 'p', 'for'], undefined],
      ],
      ['producers', 'p'],
    ],
    ['replay', [[['consumers', 'replay', 'records'], '40M']], ['consumers', 'replay', 'records']],
  ];

/** Limits given the wrong way round. */
export function swappedLimits(): readonly Mutant[] {
  return SWAPS.map(([base, changes, at]) => {
    let json: unknown = BASES.find((one) => one.name === base)?.json;
    for (const [path, value] of changes) json = added(json, path, value);
    const source = text(json);
    const what = `${base}: ${changes.map(([path, value]) => `${path.join('.')} = ${String(value)}`).join(', ')}`;
    return { what, text: source, expected: { codes: ['contradiction'], lines: linesOf(source, at) } };
  });
}

/** The JSON with a setting added, or taken out with undefined. */
export function added(json: unknown, [key = '', ...rest]: Path, value: unknown): unknown {
  if (Array.isArray(json)) return json.map((one, i) => (i === key ? added(one, rest, value) : one));
  const section = (json ?? {}) as Record<string, unknown>;
  if (rest.length > 0) return { ...section, [key]: added(section[key], rest, value) };
  const { [key]: _old, ...others } = section;
  return value === undefined ? others : { ...others, [key]: value };
}

/** A line that stands twice, a level that stands twice. */
export function duplicates(): readonly Mutant[] {
  const leaves = all.filter(
    ({ path, value }) => typeof path.at(-1) === 'string' && typeof value !== 'object',
  );
  const lines = some(leaves, 25, 5).map((node): Mutant => {
    const source = text(node.json).split('\n');
    const { first } = linesOf(text(node.json), node.path);
    // The first key of a list's entry stands behind its dash.
    const copy = (source[first - 1] ?? '').replace(/^(\s*)- /, '$1  ');
    return {
      what: `${node.name}: ${node.path.join('.')} twice`,
      text: source.toSpliced(first, 0, copy).join('\n'),
      expected: { codes: ['duplicate-key'], lines: { first: first + 1, last: first + 1 } },
    };
  });
  const levels = all.filter(({ path, value }) => path.at(-1) === 'levels' && Array.isArray(value));
  const twice = levels.map((node) => {
    const values = node.value as readonly unknown[];
    const json = replaced(node.json, node.path, [...values, values[0]]);
    return mutant(node, json, [...node.path, values.length], ['contradiction'], 'with a level twice');
  });
  return [...lines, ...twice];
}

/** Lists in lists, maps in maps. */
export function deepNesting(): readonly Mutant[] {
  return some(all, 24, 6).map((node, i) => {
    const depth = [30, 120, 300, 5_000][i % 4] ?? 30;
    const marker = 'DEEP-HERE';
    const open = i % 2 === 0 ? '[' : '{a: ';
    const close = i % 2 === 0 ? ']' : '}';
    const source = text(replaced(node.json, node.path, marker));
    const lines = linesOf(source, node.path);
    const deep = source.replace(marker, () => `${open.repeat(depth)}${close.repeat(depth)}`);
    return {
      what: `${node.name}: ${node.path.join('.')} ${depth} deep`,
      text: deep,
      expected: { codes: ['too-large'], lines },
    };
  });
}

const HUGE = ['1e999', '99999999999999999999999', '-1e300', '9007199254740993e5', '.inf'];

/** Numbers that nothing has so many of. */
export function hugeNumbers(): readonly Mutant[] {
  const numbers = all.filter(
    ({ path, value }) =>
      typeof value === 'number' ||
      (typeof value === 'string' && /^\d/.test(value) && !path.includes('kafka')),
  );
  // A scenario's choice and a condition name a level: another mistake, at the same place.
  return some(numbers, 40, 7).map((node, i) => {
    const huge = HUGE[i % HUGE.length] ?? '1e999';
    const source = text(replaced(node.json, node.path, 'HUGE-HERE'));
    return {
      what: `${node.name}: ${node.path.join('.')} = ${huge}`,
      text: source.replace('HUGE-HERE', huge),
      expected: { codes: [...ANY_VALUE, 'unknown-name'], lines: linesOf(source, node.path) },
    };
  });
}

/** What a spec cannot do without, left out; what it refers to, not there. */
export function missingParts(): readonly Mutant[] {
  const root = { first: 1, last: 1 };
  return BASES.flatMap(({ name, json }): readonly Mutant[] =>
    ['name', 'question'].map((key) => ({
      what: `${name} without ${key}`,
      text: text(added(json, [key], undefined)),
      expected: { codes: ['missing'], lines: root },
    })),
  );
}
