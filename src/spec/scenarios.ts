import { suggestion } from './did-you-mean.ts';
import type { SpecIssue, SpecPath } from './issue.ts';
import { levelsOf } from './levels.ts';
import type { Spec } from './schema.ts';
import { NAME } from './values.ts';

/** One combination of levels, as the spec asks for it. */
export interface Combination {
  /** Given by the user; null = named after its levels. */
  readonly name: string | null;
  /** Factor → label of its level; a conditional factor that does not apply is absent. */
  readonly levels: Readonly<Record<string, string>>;
}

/** More than this is no experiment that one lab finishes. */
export const MAX_SCENARIOS = 64;

/** Words of the scenario language, which therefore name no factor. */
export const SCENARIO_WORDS = ['name', 'vary', 'cross', 'zip', 'except'];

type Levels = Readonly<Record<string, string>>;
type Say = (path: SpecPath, message: string, at?: 'key' | 'value') => void;

/** Every factor at its first level, those left out that do not apply. */
export function baselineLevels(spec: Spec): Levels {
  return applicable(spec, firstLevels(spec));
}

/** Every factor at its first level, whether it applies or not. */
export function firstLevels(spec: Spec): Levels {
  return Object.fromEntries(
    Object.entries(spec.factors).map(([name, factor]) => [name, levelsOf(factor)[0]?.label ?? '']),
  );
}

/** Without the factors whose `when` is not met. A condition speaks of factors that stand before it, so one pass does. */
function applicable(spec: Spec, levels: Levels): Levels {
  const kept: Record<string, string> = {};
  for (const [name, factor] of Object.entries(spec.factors)) {
    const label = levels[name];
    const met = Object.entries(factor.when ?? {}).every(([other, allowed]) =>
      (Array.isArray(allowed) ? allowed : [allowed]).map(String).includes(kept[other] ?? ''),
    );
    if (met && label !== undefined) kept[name] = label;
  }
  return kept;
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

type Item = Readonly<Record<string, unknown>>;

function ofItem(spec: Spec, item: Item, path: SpecPath, say: Say): readonly Combination[] {
  const rule = (['vary', 'cross', 'zip'] as const).find((word) => Array.isArray(item[word]));
  if (rule === undefined) return [explicit(spec, item, path, say)];
  const names = knownFactors(spec, item[rule] as readonly unknown[], [...path, rule], say);
  const made = { vary: varied, cross: crossed, zip: zipped }[rule](spec, names, [...path, rule], say);
  const holes = holesOf(spec, item, path, say);
  return made
    .map((levels) => applicable(spec, levels))
    .filter((levels) => !holes.some((hole) => Object.entries(hole).every(([name, l]) => levels[name] === l)))
    .map((levels) => ({ name: null, levels }));
}

function holesOf(spec: Spec, item: Item, path: SpecPath, say: Say): readonly Levels[] {
  const except = (Array.isArray(item['except']) ? item['except'] : []) as readonly Item[];
  return except.map((choice, i) => chosen(spec, choice, [...path, 'except', i], say));
}

/** The baseline, and each other level of these factors with the rest at their first. */
function varied(spec: Spec, names: readonly string[]): readonly Levels[] {
  const base = firstLevels(spec);
  const others = names.flatMap((name) =>
    labels(spec, name)
      .slice(1)
      .map((label) => ({ ...base, [name]: label })),
  );
  return [base, ...others];
}

/** The first levels of these factors together, the second levels together, and so on. */
function zipped(spec: Spec, names: readonly string[], path: SpecPath, say: Say): readonly Levels[] {
  const lists = names.map((name) => labels(spec, name));
  const lengths = lists.map((list) => list.length);
  if (new Set(lengths).size > 1) {
    const counts = names.map((name, i) => `${name} has ${lengths[i]}`).join(', ');
    say(path, `Zipped factors need equally many levels: ${counts}.`);
    return [];
  }
  const base = firstLevels(spec);
  return Array.from({ length: lengths[0] ?? 0 }, (_, i) => ({
    ...base,
    ...Object.fromEntries(names.map((name, f) => [name, lists[f]?.[i] ?? ''])),
  }));
}

/** `{ name: odd, acks: 1 }`: the named levels, every other factor at its first. */
function explicit(
  spec: Spec,
  item: Readonly<Record<string, unknown>>,
  path: SpecPath,
  say: Say,
): Combination {
  const { name, ...choice } = item;
  const named = chosen(spec, choice, path, say);
  const levels = applicable(spec, { ...firstLevels(spec), ...named });
  const idle = Object.keys(named).find((factor) => !(factor in levels));
  if (idle !== undefined)
    say([...path, idle], `The factor "${idle}" does not apply here: ${whenText(spec, idle)}.`, 'key');
  if (name === undefined) return { name: null, levels };
  if (typeof name === 'string' && NAME.test(name)) return { name, levels };
  const rule =
    'A scenario name starts with a letter and has at most 40 letters, digits, dashes and underscores.';
  say([...path, 'name'], rule);
  return { name: null, levels };
}

/** `it exists only when codec is zstd`. */
function whenText(spec: Spec, name: string): string {
  const conditions = Object.entries(spec.factors[name]?.when ?? {}).map(
    ([other, allowed]) => `${other} is ${(Array.isArray(allowed) ? allowed : [allowed]).join(' or ')}`,
  );
  return `it exists only when ${conditions.join(' and ')}`;
}

function crossed(spec: Spec, names: readonly string[], path: SpecPath, say: Say): readonly Levels[] {
  const size = names.reduce((product, name) => product * labels(spec, name).length, 1);
  if (size > 1024) {
    say(path, `This crosses to ${size} combinations; at most 1024 can be formed, and ${MAX_SCENARIOS} run.`);
    return [];
  }
  return names.reduce<readonly Levels[]>(
    (all, name) => all.flatMap((levels) => labels(spec, name).map((label) => ({ ...levels, [name]: label }))),
    [firstLevels(spec)],
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
    if (!known.includes(name) && SCENARIO_WORDS.includes(name))
      say(
        [...path, name],
        `"${name}" takes a list of factors, e.g. ${name}: [${known.join(', ')}].`,
        'value',
      );
    else if (!known.includes(name))
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
