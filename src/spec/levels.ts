import { suggestion } from './did-you-mean.ts';
import { keyMeant } from './foreign-words.ts';
import type { SpecPath } from './issue.ts';
import { declaration } from './kafka-properties.ts';
import type { FactorSpec, Spec } from './schema.ts';
import { METRICS } from './sections/questions.ts';

/** One level of a factor: its label, where it stands in the spec, and the settings it makes. */
export interface Level {
  readonly label: string;
  /** Below `factors.<name>.levels`: an index of the list or the name. */
  readonly key: string | number;
  /** [path as written, value]; null removes a setting. */
  readonly sets: readonly (readonly [path: string, value: unknown])[];
}

/** The levels of a factor in their order; the first is the baseline. */
export function levelsOf(factor: FactorSpec): readonly Level[] {
  if (Array.isArray(factor.levels)) {
    const path = factor.set ?? '';
    return factor.levels.map((value, key) => ({
      label: labelOf(path, value),
      key,
      sets: [[path, value]] as const,
    }));
  }
  return Object.entries(factor.levels).map(([label, sets]) => ({
    label,
    key: label,
    sets: Object.entries(sets),
  }));
}

function labelOf(path: string, value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(String).join('+');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, one]) => `${key}:${String(one)}`)
      .join('+');
  // Kafka reads -1 as all; one name for one thing.
  return path.endsWith('.config.acks') && String(value) === '-1' ? 'all' : String(value);
}

/** `producers.p.config.linger.ms` → its steps; what follows `config` is one Kafka name with its dots. */
export function splitPath(path: string): readonly string[] {
  const steps = path.split('.');
  const at = steps.indexOf('config');
  return at < 0 || at === steps.length - 1
    ? steps
    : [...steps.slice(0, at + 1), steps.slice(at + 1).join('.')];
}

const VARIABLE = ['topics', 'producers', 'consumers', 'payload', 'lab'];
/** Settings of the lab that a factor may set; each needs other brokers or clients, not another lab. */
const LAB_SETTINGS = ['lab.brokers.config.*', 'lab.brokers.heap', 'lab.brokers.jit', 'lab.clients.heap'];

type Expanded = { ok: true; paths: readonly SpecPath[] } | { ok: false; message: string };

/** The literal paths that a path with `*` stands for, or why it stands for none. */
export function expandPath(spec: Spec, path: string): Expanded {
  const steps = splitPath(path);
  const [section = ''] = steps;
  if (!VARIABLE.includes(section)) return none(`${nothing(path)} ${pathMeant(spec, path, section)}`);
  if (section === 'lab') return labPath(path, steps);
  if (section === 'payload')
    return steps.length < 2 ? none(`The path "${path}" names no setting.`) : { ok: true, paths: [steps] };
  return entryPath(spec, path, steps, section as 'topics' | 'producers' | 'consumers');
}

function nothing(path: string): string {
  return `The path "${path}" matches nothing that a factor can set.`;
}

/** What a path that begins with no section may stand for: a property of Kafka, or a word for a key. */
function pathMeant(spec: Spec, path: string, section: string): string {
  if (Object.hasOwn(spec, section))
    return `Only ${VARIABLE.slice(0, -1).join(', ')} and some of lab can vary.`;
  const meant = keyMeant(path, [], spec);
  return meant === null || !VARIABLE.includes(meant.split('.')[0] ?? '')
    ? suggestion(section, VARIABLE)
    : `"${meant}"?`;
}

function none(message: string): Expanded {
  return { ok: false, message: message.trim() };
}

function labPath(path: string, steps: readonly string[]): Expanded {
  const known = LAB_SETTINGS.some((one) => {
    const wanted = one.split('.');
    return (
      steps.length === wanted.length &&
      wanted.every((w, i) => (w === '*' ? steps[i] !== '*' : w === steps[i]))
    );
  });
  if (known) return { ok: true, paths: [steps] };
  const property = steps.slice(2).join('.');
  if (steps[1] === 'brokers' && declaration('broker', property) !== undefined)
    return none(underConfig(path, `lab.brokers.config.${property}`));
  return none(`A factor cannot set "${path}". Of the lab these can vary: ${LAB_SETTINGS.join(', ')}.`);
}

function underConfig(path: string, meant: string): string {
  return `The path "${path}" matches nothing: Kafka's own properties stand under config. "${meant}"?`;
}

const PROPERTIES_OF = { topics: 'topic', producers: 'producer', consumers: 'consumer' } as const;

function entryPath(
  spec: Spec,
  path: string,
  [, entry = '', ...rest]: readonly string[],
  section: 'topics' | 'producers' | 'consumers',
): Expanded {
  const names = Object.keys(spec[section]);
  if (entry === '' || rest.some((s) => s === '' || s === '*'))
    return none(`The path "${path}" names no single setting; write e.g. producers.*.config.acks.`);
  if (entry !== '*' && !names.includes(entry))
    return none(
      `The path "${path}" matches nothing: there is no ${section.slice(0, -1)} "${entry}". ${suggestion(entry, names)}`,
    );
  const property = rest.join('.');
  if (declaration(PROPERTIES_OF[section], property) !== undefined)
    return none(underConfig(path, `${section}.${entry}.config.${property}`));
  if (names.length === 0) return none(`The path "${path}" matches nothing: the spec has no ${section}.`);
  return { ok: true, paths: (entry === '*' ? names : [entry]).map((name) => [section, name, ...rest]) };
}

/** A plain JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A copy of `json` with one setting changed; sections on the way are made, null removes, a map is merged in. */
export function withSetting(json: Json, path: SpecPath, value: unknown): Json {
  const [key, ...rest] = path;
  if (key === undefined) return isMap(value) ? merged(json, value) : json;
  const { [key]: old, ...others } = json;
  if (rest.length > 0 || isMap(value))
    return { ...json, [key]: withSetting(isMap(old) ? old : {}, rest, value) };
  return value === null ? others : { ...json, [key]: value };
}

/** Whether a value is a plain map. */
export function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `over` laid on `json`, map by map; null removes, lists and values replace. */
export function merged(json: Json, over: Json): Json {
  return Object.entries(over).reduce((all, [key, value]) => withSetting(all, [key], value), json);
}

/**
 * The spec with the sections made that the language fills in by themselves, so that a path can reach into them:
 * one topic, and one producer unless the spec has loads of its own.
 */
export function filledIn(json: Json): Json {
  const loads = json['producers'] === undefined && json['consumers'] === undefined;
  return {
    topics: { main: {} },
    ...(loads ? { producers: { p: { for: '30s' } } } : {}),
    ...json,
    ...expectations(json),
  };
}

/** What is expected is expected of the metric of the spec, unless it says otherwise. */
function expectations({ metric, expect }: Json): Json {
  if (!METRICS.some((known) => known === metric) || !Array.isArray(expect)) return {};
  return {
    expect: expect.map((one: unknown) =>
      isMap(one) && one['metric'] === undefined ? { ...one, metric } : one,
    ),
  };
}

/** The spec as one scenario sees it, still as JSON: the chosen level of every factor applied at its paths. */
export function applyLevels(json: Json, spec: Spec, chosen: Readonly<Record<string, string>>): Json {
  let result = filledIn(json);
  for (const [name, factor] of Object.entries(spec.factors)) {
    const level = levelsOf(factor).find((l) => l.label === chosen[name]);
    for (const [path, value] of level?.sets ?? []) {
      const expanded = expandPath(spec, path);
      for (const target of expanded.ok ? expanded.paths : []) result = withSetting(result, target, value);
    }
  }
  return result;
}
