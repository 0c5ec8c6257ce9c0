import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  parseAllDocuments,
  visit,
  type YAMLError,
} from 'yaml';
import { type ParsedSpec, parseSpec } from './check.ts';
import type { IssueCode, Position, SpecIssue, SpecPath } from './issue.ts';
import { type Layer, placedIn } from './layers.ts';
import { shapeIssues } from './shape.ts';
import { textPositions } from './text-position.ts';

/** The longest text of a spec, in characters. */
export const MAX_TEXT = 1024 * 1024;
/** The most entries of maps and lists, counted by what separates them: a spec has some dozens. */
const MAX_ENTRIES = 5_000;
/** YAML's own parser recurses: a text nested deeper than this is refused before it is parsed. */
const MAX_NESTING = 200;
const EMPTY = 'The spec is empty. It needs at least name, question and one factor.';

/** One document of a text that may hold several; or why it is none. */
export type ReadDocument =
  | { readonly ok: true; readonly document: Layer }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/**
 * Reads a spec from YAML or JSON text. Every mistake comes back at once with line, column and an excerpt
 * with a caret; whatever the text is, nothing is thrown. `json` of the answer is what
 * `temporal workflow start --input-file` wants.
 */
export function readSpec(text: string, fileName: string): ParsedSpec {
  const [first, second] = readDocuments(text, fileName);
  if (first === undefined || !first.ok) return { ok: false, issues: first?.issues ?? [] };
  if (second !== undefined) {
    const message = 'This text holds several specs (documents), and one is wanted.';
    const position = second.ok ? second.document.find([], 'value')?.position : second.issues[0]?.position;
    const issue: SpecIssue = { code: 'contradiction', path: [], at: 'value', message };
    return { ok: false, issues: [position ? { ...issue, position } : issue] };
  }
  const result = parseSpec(first.document.json);
  if (result.ok) return result;
  return { ok: false, issues: placedIn([first.document], first.document, result.issues) };
}

/**
 * The documents of a YAML or JSON text, of which at least one comes back; those without content are left out when
 * there are others. Nothing is thrown.
 */
export function readDocuments(text: string, fileName: string): readonly ReadDocument[] {
  const source = text.replace(/^\uFEFF/, '');
  const place = textPositions(source, fileName);
  const refuse = (code: IssueCode, message: string, offset = 0): readonly ReadDocument[] => [
    { ok: false, issues: [{ code, path: [], at: 'value', message, position: place(offset) }] },
  ];
  if (source.length > MAX_TEXT) return refuse('too-large', 'A spec has at most 1 MiB.');
  const deep = tooDeep(source);
  if (deep !== null)
    return refuse('too-large', `The spec is nested deeper than ${MAX_NESTING} levels.`, deep);
  if (manyEntries(source))
    return refuse('too-large', `A spec has at most ${MAX_ENTRIES} lines and entries; this text has more.`);
  try {
    const parsed = parseAllDocuments(source, {
      prettyErrors: false,
      // The parser compares each key with every other; ours are looked up.
      uniqueKeys: false,
      version: '1.2',
      logLevel: 'silent',
      stringKeys: true,
      merge: true,
    });
    const documents = Array.isArray(parsed) ? parsed : [];
    const some = documents.filter((d) => !isEmpty(d) || d.errors.length > 0);
    return some.length === 0
      ? refuse('missing', EMPTY, startOf(documents[0]?.contents) ?? 0)
      : some.map((document) => readDocument(document, place));
  } catch (error) {
    // The YAML library gives up on some hostile texts (deep flow collections) by throwing.
    return refuse(
      'syntax',
      `This text cannot be read as YAML: ${error instanceof Error ? error.message.split('\n')[0] : 'unknown reason'}.`,
    );
  }
}

function isEmpty({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === '');
}

function readDocument(document: Document.Parsed, place: (offset: number) => Position): ReadDocument {
  const broken = syntaxIssues(document, place);
  if (broken.length > 0) return { ok: false, issues: broken };
  let json: unknown;
  try {
    json = document.toJS({ maxAliasCount: 50 });
  } catch {
    const message = 'The aliases of this text stand for more than a spec can hold; write out fewer of them.';
    const position = place(startOf(document.contents) ?? 0);
    return { ok: false, issues: [{ code: 'too-large', path: [], at: 'value', message, position }] };
  }
  const find: Layer['find'] = (path, at) => {
    const { offset, depth } = offsetOf(document, path, at);
    return { depth, position: place(offset) };
  };
  const layer: Layer = { json, find };
  const odd = shapeIssues(json);
  return odd.length > 0
    ? { ok: false, issues: placedIn([layer], layer, odd) }
    : { ok: true, document: layer };
}

/** A value as the command line writes it, read as YAML: `[c1, c2]`, `{}`, `null`, `64KiB`. */
export function readValue(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string } {
  const [read, more] = readDocuments(text, '');
  if (read === undefined || more !== undefined) return { ok: false, message: 'One value is wanted.' };
  if (!read.ok)
    return { ok: false, message: read.issues[0]?.message.replace(EMPTY, 'There is no value.') ?? '' };
  return { ok: true, value: read.document.json };
}

/** Errors and warnings of the YAML itself (unknown tags are mere warnings there), in words that say what to do. */
function syntaxIssues(document: Document.Parsed, place: (offset: number) => Position): readonly SpecIssue[] {
  const issues = [...document.errors, ...document.warnings].map((error): SpecIssue => {
    return { code: 'syntax', path: [], at: 'key', message: inWords(error), position: place(error.pos[0]) };
  });
  const { yaml } = document.directives;
  if (yaml.explicit && yaml.version !== '1.2') {
    const message = `A spec is YAML 1.2, and %YAML ${yaml.version} reads some values otherwise; take that line out.`;
    issues.push({ code: 'syntax', path: [], at: 'value', message, position: place(0) });
  }
  const say = (node: Node, message: string): void => {
    issues.push({ code: 'syntax', path: [], at: 'value', message, position: place(node.range?.[0] ?? 0) });
  };
  visit(document, {
    Alias(_, alias, ancestors) {
      const anchored = alias.resolve(document);
      if (anchored === undefined) say(alias, `The alias *${alias.source} has no anchor before it.`);
      else if (ancestors.includes(anchored))
        say(
          alias,
          `The alias *${alias.source} stands inside what &${alias.source} names: it would never end.`,
        );
    },
    Map(_, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? String(key.value) : null;
        if (name === null) continue;
        if (seen.has(name)) issues.push(twice(name, place((key as Node).range?.[0] ?? 0)));
        seen.add(name);
      }
    },
    Scalar(key, scalar) {
      const meant = key === 'key' ? null : oddNumber(scalar.value, scalar.source);
      if (meant !== null) say(scalar, meant);
    },
    Pair(_, pair) {
      if (isCollection(pair.key) || isAlias(pair.key))
        issues.push({
          code: 'syntax',
          path: [],
          at: 'key',
          message: 'A key is plain text, not a list, map or alias.',
          position: place((pair.key as Node).range?.[0] ?? 0),
        });
      else if (isScalar(pair.key) && pair.key.value === '<<' && !mergeable(document, pair.value))
        say(pair.key as Node, '<< takes in a map that has an anchor, e.g. <<: *common, or a list of such.');
    },
  });
  return issues;
}

function twice(key: string, position: Position): SpecIssue {
  const message = `The key ${key === '' ? '' : `"${key.slice(0, 60)}" `}stands twice in one section; keep one of them.`;
  return { code: 'duplicate-key', path: [], at: 'key', message, position };
}

function inWords(error: YAMLError): string {
  if (error.code === 'TAB_AS_INDENT') return 'A tab is used as indentation; YAML allows only spaces.';
  const text = error.message.split('\n')[0] ?? '';
  const fix = FIXES.find(([start]) => text.startsWith(start))?.[1];
  return `This is no valid YAML: ${fix ?? text.replace(/\.?$/, '.')}`;
}

/** What people got wrong when the parser says this. */
const FIXES: readonly (readonly [start: string, fix: string])[] = [
  ['Nested mappings are not allowed', 'a text with ": " in it needs quotes.'],
  [
    'Implicit keys need to be on a single line',
    'expected "key: value"; is a colon, or the space after it, missing?',
  ],
  [
    'Implicit map keys need to be followed',
    'expected "key: value"; is a colon, or the space after it, missing?',
  ],
  ['All mapping items must start', 'this line is indented unlike the others of its section.'],
  ['Flow map in block collection', 'a { is not closed, or what follows it is not indented.'],
  ['Flow sequence in block collection', 'a [ is not closed, or what follows it is not indented.'],
  ['Plain value cannot start', 'a text that starts with @, % or a backtick needs quotes.'],
  ['Unexpected block-seq-ind on same line', 'a list with dashes begins on the line after its key.'],
];

function mergeable(document: Document.Parsed, value: unknown): boolean {
  const node = isAlias(value) ? value.resolve(document) : value;
  if (isSeq(node)) return node.items.every((one) => !isSeq(one) && mergeable(document, one));
  return isMap(node);
}

/** A number that is read differently by others, or is not kept exactly. */
function oddNumber(value: unknown, source: string | undefined): string | null {
  if (typeof value !== 'number' || source === undefined) return null;
  if (/^[-+]?0[0-9]/.test(source))
    return `${source} is read as ${value} here and as an octal number elsewhere; write ${value}, or put it in quotes.`;
  if (/^[-+]?0[xo]/.test(source)) return `${source} is no decimal number; write ${value}.`;
  return null;
}

/** Where a path stands: its key or value, or the nearest section around it; and how many steps of it are there. */
function offsetOf(
  document: Document.Parsed,
  path: SpecPath,
  at: SpecIssue['at'],
): { offset: number; depth: number } {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [i, step] of path.entries()) {
    const found = child(document, node, step);
    if (found === undefined) return { offset, depth: i };
    const { key, value } = found;
    const wanted = i === path.length - 1 && at === 'value' ? startOf(value) : undefined;
    offset = wanted ?? startOf(key) ?? startOf(value) ?? offset;
    node = value;
  }
  return { offset, depth: path.length };
}

interface Child {
  readonly key: unknown;
  readonly value: unknown;
}

function child(document: Document.Parsed, parent: unknown, step: SpecPath[number]): Child | undefined {
  const node = isAlias(parent) ? parent.resolve(document) : parent;
  if (isSeq(node)) {
    const value = node.items[Number(step)];
    return value === undefined ? undefined : { key: undefined, value };
  }
  if (!isMap(node)) return undefined;
  const pairs = pairsOf(node);
  const own = pairs.get(String(step));
  if (own) return own;
  const { value } = pairs.get('<<') ?? {};
  const merged = isSeq(value) ? value.items : value === undefined ? [] : [value];
  return merged.map((one) => child(document, one, step)).find((found) => found !== undefined);
}

const indexed = new WeakMap<object, ReadonlyMap<string, Child>>();

/** The pairs of a map by their keys; a map of very many is looked at once. */
function pairsOf(map: { readonly items: readonly unknown[] }): ReadonlyMap<string, Child> {
  const known = indexed.get(map);
  if (known) return known;
  const pairs = new Map<string, Child>();
  for (const item of map.items)
    if (isPair(item) && isScalar(item.key)) pairs.set(String(item.key.value), item);
  indexed.set(map, pairs);
  return pairs;
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const { range, value } = node as { range?: readonly number[] | null; value?: unknown };
  // An empty value has no text of its own; its key is the better place.
  return range && !(value === null && range[0] === range[1]) ? range[0] : undefined;
}

/** Parsing takes a node for each entry, and each mistake in one a message: a text of a megabyte would keep a reader for minutes. */
function manyEntries(source: string): boolean {
  let entries = 0;
  for (let i = 0; i < source.length && entries <= MAX_ENTRIES; i += 1) {
    const c = source[i];
    if (c === '\n' || c === ',' || c === '[' || c === '{') entries += 1;
  }
  return entries > MAX_ENTRIES;
}

/** Offset at which brackets or indentation first nest deeper than a spec ever does; null = nowhere. */
function tooDeep(source: string): number | null {
  let open = 0;
  for (let i = 0; i < source.length; i += 1) {
    const c = source[i];
    if (c === '[' || c === '{') open += 1;
    else if (c === ']' || c === '}') open = Math.max(0, open - 1);
    if (open > MAX_NESTING) return i;
  }
  const dashes = /^[ \t]*(?:[-?][ \t]+){40}/m.exec(source);
  return dashes ? dashes.index : null;
}
