import { suggestion } from './did-you-mean.ts';
import type { SpecIssue, SpecPath } from './issue.ts';
import { levelsOf } from './levels.ts';
import type { Spec } from './schema.ts';
import { NAME } from './values.ts';

/** One combination of levels, as the spec asks for it. */
export interface Combination {
  /** Given by the user; null = named after its levels. */
  readonly name: string | null;
  /** Factor → label of its level; every factor is there. */
  readonly levels: Readonly<Record<string, string>>;
}

/** More than this is no experiment that one lab finishes. */
export const MAX_SCENARIOS = 64;

/** Words of the scenario language, which therefore name no factor. */
export const SCENARIO_WORDS = ['name', 'vary', 'cross', 'except', 'zip'];

type Levels = Readonly<Record<string, string>>;
type Say = (path: SpecPath, message: string, at?: 'key' | 'value') => void;

/** Every factor at its first level. */
export function baselineLevels(spec: Spec): Levels {
  return Object.fromEntries(
    Object.entries(spec.factors).map(([name, factor]) => [name, levelsOf(factor)[0]?.label ?? '']),
  );
}

/** All scenarios in the order they are written, duplicates collapsed; and what is wrong with how they are asked for. */
export function enumerateScenarios(spec: Spec): {
  readonly scenarios: readonly Combination[];
  readonly issues: readonly SpecIssue[];
} {
  const issues: SpecIssue[] = [];
  const say: Say = (path, message, at = 'value') => issues.push({ code: 'unknown-name', path, at, message });
  const found = new Map<string, Combination>();
  const items = spec.scenarios ?? [{ vary: Object.keys(spec.factors) }];
  items.forEach((item, index) => {
    for (const scenario of ofItem(spec, item, ['scenarios', index], say)) {
      const key = JSON.stringify(scenario.levels);
      const same = found.get(key);
      // A name given to a combination that another line has asked for already still names it.
      found.set(key, same && scenario.name === null ? same : scenario);
    }
  });
  if (found.size === 0 && issues.length === 0)
    say(['scenarios'], 'No scenario is left: `except` removes every one. Remove one of its lines.', 'key');
  if (found.size > MAX_SCENARIOS)
    issues.push({
      code: 'too-large',
      path: ['scenarios'],
      at: 'key',
      message: `${found.size} scenarios; at most ${MAX_SCENARIOS} are supported. Vary fewer factors, or list the combinations that matter.`,
    });
  return { scenarios: [...found.values()], issues };
}

function ofItem(
  spec: Spec,
  item: Readonly<Record<string, unknown>>,
  path: SpecPath,
  say: Say,
): readonly Combination[] {
  if (Array.isArray(item['vary'])) {
    const names = knownFactors(spec, item['vary'], [...path, 'vary'], say);
    const base = baselineLevels(spec);
    return [
      base,
      ...names.flatMap((name) =>
        labels(spec, name)
          .slice(1)
          .map((label) => ({ ...base, [name]: label })),
      ),
    ].map((levels) => ({ name: null, levels }));
  }
  if (Array.isArray(item['cross'])) {
    const names = knownFactors(spec, item['cross'], [...path, 'cross'], say);
    const except = (Array.isArray(item['except']) ? item['except'] : []) as readonly Readonly<
      Record<string, unknown>
    >[];
    const holes = except.map((choice, i) => chosen(spec, choice, [...path, 'except', i], say));
    return crossed(spec, names, [...path, 'cross'], say)
      .filter(
        (levels) =>
          !holes.some((hole) => Object.entries(hole).every(([name, label]) => levels[name] === label)),
      )
      .map((levels) => ({ name: null, levels }));
  }
  return [explicit(spec, item, path, say)];
}

/** `{ name: odd, acks: 1 }`: the named levels, every other factor at its first. */
function explicit(
  spec: Spec,
  item: Readonly<Record<string, unknown>>,
  path: SpecPath,
  say: Say,
): Combination {
  const { name, ...choice } = item;
  const levels = { ...baselineLevels(spec), ...chosen(spec, choice, path, say) };
  if (name === undefined) return { name: null, levels };
  if (typeof name === 'string' && NAME.test(name)) return { name, levels };
  const rule =
    'A scenario name starts with a letter and has at most 40 letters, digits, dashes and underscores.';
  say([...path, 'name'], rule);
  return { name: null, levels };
}

function crossed(spec: Spec, names: readonly string[], path: SpecPath, say: Say): readonly Levels[] {
  const size = names.reduce((product, name) => product * labels(spec, name).length, 1);
  if (size > 1024) {
    say(path, `This crosses to ${size} combinations; at most 1024 can be formed, and ${MAX_SCENARIOS} run.`);
    return [];
  }
  return names.reduce<readonly Levels[]>(
    (all, name) => all.flatMap((levels) => labels(spec, name).map((label) => ({ ...levels, [name]: label }))),
    [baselineLevels(spec)],
  );
}

function labels(spec: Spec, name: string): readonly string[] {
  const factor = Object.hasOwn(spec.factors, name) ? spec.factors[name] : undefined;
  return factor ? levelsOf(factor).map((level) => level.label) : [];
}

function knownFactors(spec: Spec, names: readonly unknown[], path: SpecPath, say: Say): readonly string[] {
  const known = Object.keys(spec.factors);
  return [...new Set(names.map(String))].filter((name) => {
    if (known.includes(name)) return true;
    say([...path, names.indexOf(name)], `There is no factor "${name}". ${suggestion(name, known)}`);
    return false;
  });
}

function chosen(spec: Spec, choice: Readonly<Record<string, unknown>>, path: SpecPath, say: Say): Levels {
  const result: Record<string, string> = {};
  const known = Object.keys(spec.factors);
  for (const [name, value] of Object.entries(choice)) {
    // -1 is another way to write acks=all, in a choice as in a level.
    const label = String(value) === '-1' && labels(spec, name).includes('all') ? 'all' : String(value);
    if (!known.includes(name))
      say(
        [...path, name],
        `There is no factor "${name}". ${suggestion(name, [...known, ...SCENARIO_WORDS])}`,
        'key',
      );
    else if (!labels(spec, name).includes(label))
      say(
        [...path, name],
        `The factor "${name}" has no level "${label}". ${suggestion(label, labels(spec, name))}`,
      );
    else result[name] = label;
  }
  return result;
}
