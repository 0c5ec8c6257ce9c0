import { realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { SpecIssue, SpecPath } from '../spec/issue.ts';
import type { Layer } from '../spec/layers.ts';
import { isMap, type Json } from '../spec/levels.ts';
import { readDocuments } from '../spec/read-yaml.ts';
import { readText, whyNot } from './spec-files.ts';

/** Fragments that extend fragments, at most. */
const MAX_DEPTH = 8;
/** Fragments of one spec, all together. */
const MAX_FRAGMENTS = 64;

/** A layer that was read from a file, and the folder from which its own file names are meant. */
export interface FileLayer extends Layer {
  readonly folder: string;
}

export interface Extended {
  /** What a later one says goes before an earlier one; the last is the document itself, without `extends`. */
  readonly layers: readonly FileLayer[];
  readonly issues: readonly SpecIssue[];
}

/**
 * The fragments that a document extends, each below what extends it. `file` is the path of the document, absolute;
 * `shown` is how the user named it.
 */
export function extended(document: Layer, file: string): Extended {
  const state: State = { issues: [], count: 0 };
  return { layers: layersOf(document, file, [realPath(file)], state), issues: state.issues };
}

interface State {
  readonly issues: SpecIssue[];
  count: number;
}

function layersOf(
  document: Layer,
  file: string,
  chain: readonly string[],
  state: State,
): readonly FileLayer[] {
  const own: FileLayer = { ...document, folder: dirname(file) };
  if (!isMap(document.json) || document.json['extends'] === undefined) return [own];
  const { extends: names, ...json } = document.json;
  const say = (message: string, path: SpecPath = ['extends']): void => {
    const position = document.find(path, 'value')?.position;
    const issue: SpecIssue = { code: 'wrong-value', path, at: 'value', message };
    state.issues.push(position ? { ...issue, position } : issue);
  };
  const below = namesOf(names, say).flatMap((name, i) =>
    fragment(name, file, chain, state, (message) => say(message, ['extends', i])),
  );
  return [...below, { ...own, json: json satisfies Json }];
}

function namesOf(names: unknown, say: (message: string, path?: SpecPath) => void): readonly string[] {
  if (!Array.isArray(names)) {
    say('Expected a list of files, e.g. [./fragments/lab.yaml].');
    return [];
  }
  return names.flatMap((name, i) => {
    if (typeof name === 'string' && name.trim() !== '') return [name];
    say('Expected the name of a file.', ['extends', i]);
    return [];
  });
}

function fragment(
  name: string,
  from: string,
  chain: readonly string[],
  state: State,
  say: (message: string) => void,
): readonly FileLayer[] {
  const path = resolve(dirname(from), name);
  state.count += 1;
  if (state.count > MAX_FRAGMENTS) {
    if (state.count === MAX_FRAGMENTS + 1) say(`A spec is made of at most ${MAX_FRAGMENTS} fragments.`);
    return [];
  }
  const real = realPath(path);
  if (chain.includes(real)) {
    say(`"${name}" extends itself, by way of ${chain.length === 1 ? 'this file' : 'the files it extends'}.`);
    return [];
  }
  if (chain.length > MAX_DEPTH) {
    say(`Fragments extend each other at most ${MAX_DEPTH} deep.`);
    return [];
  }
  const read = readText(path, { regular: true });
  if (!read.ok) {
    say(`"${name}" cannot be extended: ${read.why} (looked for beside the file that names it).`);
    return [];
  }
  const [document, second] = readDocuments(read.text, shownPath(path));
  if (second !== undefined) {
    say(`"${name}" holds several documents, and a fragment is one.`);
    return [];
  }
  if (document === undefined || !document.ok) {
    state.issues.push(...(document?.issues ?? []));
    return [];
  }
  if (!isMap(document.document.json)) {
    say(`"${name}" is no fragment of a spec: expected a section of key: value lines.`);
    return [];
  }
  return layersOf(document.document, path, [...chain, real], state);
}

/** Relative to where the user stands, when it lies below. */
function shownPath(path: string): string {
  const here = `${process.cwd()}/`;
  return path.startsWith(here) ? path.slice(here.length) : path;
}

/** One name for one file, links followed; the name itself where there is none. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    return `${path} ${whyNot(error as NodeJS.ErrnoException)}`;
  }
}
