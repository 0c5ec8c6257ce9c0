import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { resolveHome } from '../lab/home.ts';
import { type ParsedSpec, parseSpec } from '../spec/check.ts';
import { suggestion } from '../spec/did-you-mean.ts';
import { formatIssues, type SpecIssue } from '../spec/issue.ts';
import { laidOver, type Layer, placedIn } from '../spec/layers.ts';
import { isMap, type Json, withSetting } from '../spec/levels.ts';
import { type Overrides, overrideLayers } from '../spec/overrides.ts';
import { type ReadDocument, readDocuments } from '../spec/read-yaml.ts';
import type { Spec } from '../spec/schema.ts';
import type { Env } from '../temporal/home.ts';
import { EXIT } from './exit-codes.ts';
import { extended, type FileLayer } from './extends.ts';
import { CommandFailure } from './failure.ts';
import { payloadsRead } from './payloads-read.ts';
import { readText } from './spec-files.ts';
import type { SpecOptions } from './spec-options.ts';
import { overridesOf } from './spec-overrides.ts';

const AS_WRITTEN: SpecOptions = { set: [], only: [] };
const NAME_ONE = 'Name a file with a spec, or - for stdin.';
/** More mistakes than anybody reads. */
const MOST_SHOWN = 50;

export interface LoadedSpec {
  readonly spec: Spec;
  /** The workflow's argument: what `assay resolve` prints. */
  readonly json: unknown;
  /** Which of several documents of its file it is, from 1; null = the only one. */
  readonly document: number | null;
  /** What the user should know, but may be meant. */
  readonly notes: readonly string[];
  /** Finds where the mistakes stand that only the plan shows. */
  readonly place: (issues: readonly SpecIssue[]) => readonly SpecIssue[];
}

export interface LoadOptions {
  /** What the command line changes, and which document it wants. */
  readonly options?: SpecOptions;
  /** Keep payload files in the home of this environment: the spec is about to be submitted. */
  readonly keepIn?: Env;
}

/**
 * Reads and checks the one spec of a file, or of stdin for `-`.
 *
 * @throws CommandFailure with every mistake and its place, exit code 2; also when there are several and none is chosen.
 */
export function loadSpec(file: string, how: LoadOptions = {}): LoadedSpec {
  const specs = loadSpecs(file, how);
  const [only] = specs;
  if (only !== undefined && specs.length === 1) return only;
  const names = specs.map(({ spec, document }) => `  ${document}: ${spec.name}`).join('\n');
  throw new CommandFailure(
    EXIT.usage,
    `${file} holds ${specs.length} specs, and this takes one; choose with --doc N or --doc NAME:\n${names}`,
  );
}

/**
 * Reads and checks every spec of a file: fragments that it extends laid below, what the command line sets laid over.
 *
 * @throws CommandFailure with every mistake of all of them and its place, exit code 2.
 */
export function loadSpecs(
  file: string,
  { options = AS_WRITTEN, keepIn }: LoadOptions = {},
): readonly LoadedSpec[] {
  if (file === '') throw new CommandFailure(EXIT.usage, `The name of the spec is empty. ${NAME_ONE}`);
  const name = file === '-' ? 'stdin' : file;
  const read = readText(file, { regular: false });
  if (!read.ok) throw new CommandFailure(EXIT.usage, `${name}: ${read.why}. ${NAME_ONE}`);
  const path = resolve(file === '-' ? 'stdin' : file);
  const overrides = overridesOf(options);
  const documents = chosen(readDocuments(read.text, name), options.doc, name);
  const loaded = documents.map(({ read, number }) => loadDocument(read, number, path, overrides, keepIn));
  const issues = loaded.flatMap((one) => ('issues' in one ? one.issues : []));
  if (issues.length > 0) throw new CommandFailure(EXIT.usage, mistakesText(issues, name));
  return loaded.flatMap((one) => ('issues' in one ? [] : [one]));
}

function mistakesText(issues: readonly SpecIssue[], name: string): string {
  const count = issues.length === 1 ? 'One mistake' : `${issues.length} mistakes`;
  const more = issues.length > MOST_SHOWN ? `\n… and ${issues.length - MOST_SHOWN} more` : '';
  return `${formatIssues(issues.slice(0, MOST_SHOWN), name)}${more}\n${count}; nothing was started.`;
}

interface Chosen {
  readonly read: ReadDocument;
  readonly number: number | null;
}

function chosen(
  documents: readonly ReadDocument[],
  doc: string | undefined,
  file: string,
): readonly Chosen[] {
  const all = documents.map((read, i) => ({ read, number: documents.length === 1 ? null : i + 1 }));
  if (doc === undefined) return all;
  const names = documents.map((d) => (d.ok && isMap(d.document.json) ? d.document.json['name'] : undefined));
  const fits = all.filter((_, i) => names[i] === doc);
  // A spec may be called 2: then its name goes before its number.
  const found = fits.length > 0 ? fits : all.filter((_, i) => String(i + 1) === doc);
  if (found.length === 1) return found;
  const known = names.filter((n) => typeof n === 'string');
  const said =
    found.length > 1
      ? `${found.length} of its specs are called "${doc}"; choose by number.`
      : `There is no spec "${doc}" in it. ${suggestion(doc, known)}`;
  throw new CommandFailure(
    EXIT.usage,
    `${file} holds ${counted(documents.length)}. ${said.trim()} Nothing was started.`,
  );
}

function counted(n: number): string {
  return n === 1 ? '1 spec' : `${n} specs`;
}

function loadDocument(
  read: ReadDocument,
  document: number | null,
  path: string,
  overrides: Overrides,
  keepIn: Env | undefined,
): LoadedSpec | { readonly issues: readonly SpecIssue[] } {
  if (!read.ok) return read;
  const main = read.document;
  const { layers: files, issues: unread } = extended(main, path);
  if (unread.length > 0) return { issues: unread };
  const over = overrideLayers(laidOver(files), overrides);
  const layers = [...files, ...over.layers];
  const place = (issues: readonly SpecIssue[]) => placedIn(layers, main, issues);
  const parsed = parseSpec(laidOver(layers));
  if (!parsed.ok) return { issues: [...place(parsed.issues), ...over.issues] };
  if (over.issues.length > 0) return { issues: over.issues };
  return finished(parsed, document, files, place, keepIn);
}

/** A right spec with everything read that lies beside it. */
function finished(
  { spec, json }: Extract<ParsedSpec, { ok: true }>,
  document: number | null,
  files: readonly FileLayer[],
  place: (issues: readonly SpecIssue[]) => readonly SpecIssue[],
  keepIn: Env | undefined,
): LoadedSpec | { readonly issues: readonly SpecIssue[] } {
  const folderOf = (path: SpecIssue['path']) => files.findLast((file) => isWhole(file, path))?.folder;
  const home = keepIn === undefined ? null : resolveHome(keepIn);
  const payloads = payloadsRead(spec, json, (path) => folderOf(path) ?? process.cwd(), home);
  const store = absoluteStore(payloads.json);
  const issues = [...payloads.issues, ...('issue' in store ? [store.issue] : [])];
  if (issues.length > 0 || 'issue' in store) return { issues: place(issues) };
  // Once more: how large the records of a file are is known only now.
  const again = parseSpec(store.json);
  if (!again.ok) return { issues: place(again.issues) };
  return { spec: again.spec, json: store.json, document, notes: payloads.notes, place };
}

function isWhole(layer: Layer, path: SpecIssue['path']): boolean {
  return layer.find(path, 'value')?.depth === path.length;
}

/**
 * A results folder is meant from where the user stands, with `~` as in a shell; the worker stands elsewhere. What a
 * fragment says is meant alike.
 */
function absoluteStore(json: Json): { json: Json } | { issue: SpecIssue } {
  const store = json['store'];
  const folder = isMap(store) ? store['folder'] : undefined;
  if (typeof folder !== 'string' || isAbsolute(folder)) return { json };
  const [first = '', ...rest] = folder.split('/');
  if (first.startsWith('~') && first !== '~') {
    const message = `"${folder}" names another user's home, which is not looked up. Write the whole path (or ./${folder} for a folder of that name).`;
    return { issue: { code: 'wrong-value', path: ['store', 'folder'], at: 'value', message } };
  }
  const whole = first === '~' ? resolve(homedir(), ...rest) : resolve(folder);
  return { json: withSetting(json, ['store', 'folder'], whole) };
}
