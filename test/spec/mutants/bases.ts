import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCollection, isMap, isPair, isScalar, parseDocument, stringify } from 'yaml';
import { isMap as isJsonMap, type Json } from '../../../src/spec/levels.ts';
import { readDocuments } from '../../../src/spec/read-yaml.ts';

/** Specs that together use every part of the language. */
const FILES = [
  'codec',
  'replay',
  'nightly',
  'capacity',
  'conditional',
  'backlog',
  'derived-counts',
  'depletion',
  'object-levels',
  'until',
  'broker-setting-dynamic',
];

export interface Base {
  readonly name: string;
  readonly json: Json;
}

export const BASES: readonly Base[] = FILES.map((name) => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'specs', `${name}.yaml`), 'utf8');
  const [read] = readDocuments(text, name);
  if (!read?.ok || !isJsonMap(read.document.json)) throw new Error(`${name} is broken`);
  const { extends: _extends, ...json } = read.document.json;
  return { name, json };
});

export type Path = readonly (string | number)[];

/** Every value of a JSON value with its path, sections before what is in them. */
export function nodes(
  json: unknown,
  path: Path = [],
): readonly { readonly path: Path; readonly value: unknown }[] {
  const inner = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return [
    ...(path.length > 0 ? [{ path, value: json }] : []),
    ...inner.flatMap(([key, value]) => nodes(value, [...path, Array.isArray(json) ? Number(key) : key])),
  ];
}

/** The JSON with the value at a path replaced. */
export function replaced(json: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  if (Array.isArray(json)) return json.map((one, i) => (i === key ? replaced(one, rest, value) : one));
  const inner = json as Json;
  // Not by a spread: a key of `__proto__` must stay a key.
  return fromEntries(Object.entries(inner).map(([k, v]) => [k, k === key ? replaced(v, rest, value) : v]));
}

/** The JSON with the last key of a path renamed, in its place. */
export function renamed(json: unknown, path: Path, name: string): unknown {
  const [key, ...rest] = path;
  if (Array.isArray(json)) return json.map((one, i) => (i === key ? renamed(one, rest, name) : one));
  return fromEntries(
    Object.entries(json as Json).map(([k, v]) =>
      k !== key ? [k, v] : rest.length === 0 ? [name, v] : [k, renamed(v, rest, name)],
    ),
  );
}

function fromEntries(entries: readonly (readonly [string, unknown])[]): Json {
  const made: Record<string, unknown> = {};
  for (const [key, value] of entries)
    Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true });
  return made;
}

/** As YAML, one setting a line. */
export function text(json: unknown): string {
  return stringify(json, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The lines, from 1, on which a path stands in a text: its key, and its value to the end of it. */
export function linesOf(source: string, path: Path): { readonly first: number; readonly last: number } {
  const document = parseDocument(source, { stringKeys: true, uniqueKeys: false });
  let node: unknown = document.contents;
  let from = 0;
  for (const step of path) {
    const found = isMap(node)
      ? node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === String(step))
      : undefined;
    const value = isCollection(node) && !isMap(node) ? node.items[Number(step)] : found?.value;
    from = startOf(found?.key) ?? startOf(value) ?? from;
    node = value;
  }
  const end = (node as { range?: readonly number[] } | null)?.range?.[1] ?? from;
  const line = (offset: number) => source.slice(0, offset).split('\n').length;
  return { first: line(from), last: Math.max(line(from), line(Math.max(from, end - 1))) };
}

function startOf(node: unknown): number | undefined {
  return (node as { range?: readonly number[] | null } | undefined)?.range?.[0];
}

/** Draws that are the same in every run. */
export function draws(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * most);
  };
}

/** `most` of a list, drawn, in the order of the list. */
export function some<T>(list: readonly T[], most: number, seed: number): readonly T[] {
  const draw = draws(seed);
  const left = [...list];
  while (left.length > most) left.splice(draw(left.length), 1);
  return left;
}
