import { suggestion } from './did-you-mean.ts';
import { whereItBelongs } from './foreign-words.ts';
import type { SpecIssue, SpecPath } from './issue.ts';
import type { Layer } from './layers.ts';
import { filledIn, isMap, type Json, splitPath } from './levels.ts';
import { specSchema } from './schema.ts';
import { keysAt, reaches } from './schema-keys.ts';
import { shapeIssues } from './shape.ts';
import { excerptOf } from './text-position.ts';

/** What the command line changes in a spec. */
export interface Overrides {
  readonly sets: readonly Setting[];
  /** Scenarios that are run; empty = all. */
  readonly only: readonly string[];
  readonly blocks: number | null;
  readonly smoke: boolean;
}

/** One `--set path=value`. */
export interface Setting {
  /** As typed, without `--set`. */
  readonly text: string;
  readonly path: string;
  readonly value: unknown;
}

/** Sections whose entries are there already: the command line changes them, and adds none. */
const NAMED = ['topics', 'producers', 'consumers', 'factors'];
/** What a file says, or Assay itself. */
const NOT_SET = ['extends', 'overrides', 'only', 'smoke'];

/** The layers that lie over a spec, in the order of their options, each recorded in words in `overrides`; or what is wrong. */
export function overrideLayers(
  base: unknown,
  overrides: Overrides,
): { readonly layers: readonly Layer[]; readonly issues: readonly SpecIssue[] } {
  const layers: Layer[] = [...filledLayer(base, overrides.sets)];
  const issues: SpecIssue[] = [];
  for (const setting of overrides.sets) {
    const made = settingLayer(base, setting);
    if ('issue' in made) issues.push(made.issue);
    else layers.push(made.layer);
  }
  const { only, blocks, smoke } = overrides;
  if (only.length > 0) layers.push(optionLayer({ only }, ['only'], (i) => `--only ${only[Number(i ?? 0)]}`));
  if (blocks !== null) {
    const option = `--blocks ${blocks}`;
    if (isMap(base) && base['search'] !== undefined)
      issues.push(
        commandIssue(
          ['design', 'blocks'],
          'A search has a number of blocks of its own; use --set search.confirm=6.',
          option,
          1,
        ),
      );
    layers.push(optionLayer({ design: { blocks } }, ['design', 'blocks'], () => option));
  }
  if (smoke) layers.push(optionLayer({ smoke: true }, ['smoke'], () => '--smoke'));
  return { layers: [...layers, ...record(base, overrides)], issues };
}

/** Sections that the language fills in by itself are written down, so that a setting can go into them. */
function filledLayer(base: unknown, sets: readonly Setting[]): readonly Layer[] {
  if (!isMap(base)) return [];
  const filled = filledIn(base);
  const missing = Object.keys(filled).filter(
    (key) => !Object.hasOwn(base, key) && sets.some(({ path }) => path.startsWith(`${key}.`)),
  );
  if (missing.length === 0) return [];
  return [{ json: Object.fromEntries(missing.map((key) => [key, filled[key]])), find: () => null }];
}

/** What was typed, as it stands in the resolved spec. */
function overrideWords({ sets, only, blocks, smoke }: Overrides): readonly string[] {
  const words = [
    ...sets.map(({ text }) => `--set ${text}`),
    ...only.map((scenario) => `--only ${scenario}`),
    ...(blocks === null ? [] : [`--blocks ${blocks}`]),
    ...(smoke ? ['--smoke'] : []),
  ];
  return words.map((word) => word.replace(/\s+/g, ' ').trim());
}

function record(base: unknown, overrides: Overrides): readonly Layer[] {
  const words = overrideWords(overrides);
  if (words.length === 0) return [];
  const before: unknown = isMap(base) ? base['overrides'] : undefined;
  const all = [...(Array.isArray(before) ? before : []), ...words];
  return [optionLayer({ overrides: all }, ['overrides'], (i) => String(all[Number(i ?? 0)]))];
}

/** A layer of one option; `shown` is the option with its value, for the entry of a list where it has several. */
function optionLayer(
  json: Json,
  own: SpecPath,
  shown: (entry: SpecPath[number] | undefined) => string,
): Layer {
  return {
    json,
    find: (path) =>
      startsWith(path, own)
        ? { depth: path.length, position: commandPosition(shown(path[own.length]), 1) }
        : null,
  };
}

function settingLayer(base: unknown, setting: Setting): { layer: Layer } | { issue: SpecIssue } {
  const written = pathSteps(setting.path);
  const refuse = (message: string, path: SpecPath = written, column = 7): { issue: SpecIssue } => ({
    issue: commandIssue(path, message, `--set ${setting.text}`, column),
  });
  const [section = ''] = written;
  if (written.some((step) => step === ''))
    return refuse('Write path=value with the path of one setting, e.g. --set topics.main.partitions=12.', []);
  if (NOT_SET.includes(section)) return refuse(`"${section}" is not set on the command line.`);
  const filled = isMap(base) ? filledIn(base) : {};
  const paths = literalPaths(filled, written);
  const wrong = paths.length === 0 ? noEntries(filled, written) : unknownStep(filled, paths[0] ?? []);
  if (wrong !== null) return refuse(`The path "${setting.path}" matches nothing. ${wrong}`.trim());
  const json = paths.reduce<Json>((all, path) => withValue(all, path, setting.value), {});
  const odd = shapeIssues(json)[0];
  if (odd) return refuse(odd.message, odd.path, valueColumn(setting));
  return { layer: { json, find: (path, at) => findSetting(paths, setting, path, at) } };
}

function valueColumn({ text }: Setting): number {
  return '--set '.length + text.indexOf('=') + 2;
}

function findSetting(
  paths: readonly SpecPath[],
  setting: Setting,
  path: SpecPath,
  at: SpecIssue['at'],
): ReturnType<Layer['find']> {
  const own = paths.find((one) => startsWith(path, one));
  if (own === undefined) return null;
  const column = at === 'key' && path.length === own.length ? '--set '.length + 1 : valueColumn(setting);
  return { depth: path.length, position: commandPosition(`--set ${setting.text}`, column) };
}

/** As `splitPath`, and what follows the name of a level is one path of its own. */
function pathSteps(path: string): readonly string[] {
  const steps = path.split('.');
  return steps[0] === 'factors' && steps[2] === 'levels' && steps.length > 5
    ? [...steps.slice(0, 4), steps.slice(4).join('.')]
    : splitPath(path);
}

/** `producers.*.config.acks` → one path for each producer. */
function literalPaths(json: Json, steps: readonly string[]): readonly (readonly string[])[] {
  const [section = '', entry, ...rest] = steps;
  if (entry !== '*' || !NAMED.includes(section)) return [steps];
  const entries = json[section];
  return isMap(entries) ? Object.keys(entries).map((name) => [section, name, ...rest]) : [];
}

function noEntries(json: Json, [section = '']: readonly string[]): string {
  return Object.hasOwn(json, section)
    ? `There is none of ${section}.`
    : `The spec has no ${section} written down.`;
}

/** What is wrong with the first step that leads nowhere; null = the path is one of the language. */
function unknownStep(json: Json, path: readonly string[]): string | null {
  let here: unknown = json;
  for (const [i, step] of path.entries()) {
    const before = path.slice(0, i);
    if (Array.isArray(here)) return `"${before.join('.')}" is a list; give it whole, in brackets.`;
    const known = keysAt(specSchema, before);
    const names = isMap(here) ? Object.keys(here) : [];
    const named = i === 1 && NAMED.includes(path[0] ?? '');
    if (named && !names.includes(step))
      return `There is no ${path[0]?.slice(0, -1)} "${step}". ${suggestion(step, names)}`;
    if (!named && known.length > 0 && !known.includes(step))
      return `There is no "${step}"${i === 0 ? '' : ` in ${before.join('.')}`}. ${whereItBelongs(step, before, known, json) || suggestion(step, known)}`;
    if (!reaches(specSchema, path.slice(0, i + 1))) return `"${before.join('.')}" holds a single value.`;
    here = isMap(here) && Object.hasOwn(here, step) ? here[step] : undefined;
  }
  return null;
}

function withValue(json: Json, [key = '', ...rest]: readonly string[], value: unknown): Json {
  if (rest.length === 0) return { ...json, [key]: value };
  const inner = json[key];
  return { ...json, [key]: withValue(isMap(inner) ? inner : {}, rest, value) };
}

function startsWith(path: SpecPath, head: SpecPath): boolean {
  return head.every((step, i) => String(path[i]) === String(step));
}

function commandIssue(path: SpecPath, message: string, shown: string, column: number): SpecIssue {
  return { code: 'unknown-name', path, at: 'value', message, position: commandPosition(shown, column) };
}

function commandPosition(shown: string, column: number): NonNullable<SpecIssue['position']> {
  const text = shown.replaceAll(/\s/g, ' ');
  return { file: 'command line', line: 0, column, excerpt: excerptOf(text, column) };
}
