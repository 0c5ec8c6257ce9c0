import { suggestion } from './did-you-mean.ts';
import type { SpecPath } from './issue.ts';
import type { FactorSpec, Spec } from './schema.ts';

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

const VARIABLE = ['topics', 'producers', 'payload'];
const LATER = ['lab', 'consumers', 'search'];

/** The literal paths that a path with `*` stands for, or why it stands for none. */
export function expandPath(
  spec: Spec,
  path: string,
): { ok: true; paths: readonly SpecPath[] } | { ok: false; later: boolean; message: string } {
  const [section = '', entry = '', ...rest] = splitPath(path);
  const no = (message: string, later = false) => ({ ok: false as const, later, message });
  if (LATER.includes(section))
    return no(
      `"${path}": varying ${section} settings is part of the language, but not supported yet in this version.`,
      true,
    );
  if (!VARIABLE.includes(section)) {
    const say = Object.hasOwn(spec, section)
      ? `Only topics, producers and payload can vary.`
      : suggestion(section, [...VARIABLE, ...LATER]);
    return no(`The path "${path}" matches nothing that a factor can set. ${say}`);
  }
  if (section === 'payload')
    return entry === ''
      ? no(`The path "${path}" names no setting.`)
      : { ok: true, paths: [[section, entry, ...rest]] };
  const names = Object.keys(section === 'topics' ? spec.topics : spec.producers);
  if (rest.length === 0 || rest.some((s) => s === '' || s === '*'))
    return no(`The path "${path}" names no single setting; write e.g. producers.*.config.acks.`);
  if (entry !== '*' && !names.includes(entry))
    return no(
      `The path "${path}" matches nothing: there is no ${section.slice(0, -1)} "${entry}". ${suggestion(entry, names)}`,
    );
  return { ok: true, paths: (entry === '*' ? names : [entry]).map((name) => [section, name, ...rest]) };
}

/** A plain JSON object. */
export type Json = Readonly<Record<string, unknown>>;

/** A copy of `json` with one setting changed; sections on the way are made, null removes. */
export function withSetting(json: Json, path: SpecPath, value: unknown): Json {
  const [key, ...rest] = path;
  if (key === undefined) return json;
  const { [key]: old, ...others } = json;
  if (rest.length === 0) return value === null ? others : { ...json, [key]: value };
  const inner = typeof old === 'object' && old !== null && !Array.isArray(old) ? (old as Json) : {};
  return { ...json, [key]: withSetting(inner, rest, value) };
}

/**
 * The spec as one scenario sees it, still as JSON: the chosen level of every factor applied at its paths.
 * The sections that the language fills in are made first, so that a path can reach into them.
 */
export function applyLevels(json: Json, spec: Spec, chosen: Readonly<Record<string, string>>): Json {
  let result: Json = { topics: { main: {} }, producers: { p: { for: '30s' } }, ...json };
  for (const [name, factor] of Object.entries(spec.factors)) {
    const level = levelsOf(factor).find((l) => l.label === chosen[name]);
    for (const [path, value] of level?.sets ?? []) {
      const expanded = expandPath(spec, path);
      for (const target of expanded.ok ? expanded.paths : []) result = withSetting(result, target, value);
    }
  }
  return result;
}
