import { propertyIssues } from './check-scenario.ts';
import { pathText, type SpecIssue, type SpecPath } from './issue.ts';
import { applyLevels, expandPath, isMap, type Json, type Level, levelsOf } from './levels.ts';
import { SCENARIO_WORDS } from './scenarios.ts';
import { type Spec, specSchema } from './schema.ts';
import { fromZod } from './zod-issues.ts';

/** Factors by themselves: names, paths, levels, and whether two of them set one thing. */
export function factorIssues(spec: Spec, json: Json): readonly SpecIssue[] {
  const issues: SpecIssue[] = [];
  const owners = new Map<string, string>();
  for (const [name, factor] of Object.entries(spec.factors)) {
    if (SCENARIO_WORDS.includes(name))
      issues.push({
        code: 'contradiction',
        path: ['factors', name],
        at: 'key',
        message: `"${name}" is a word of the scenario language; give the factor another name.`,
      });
    const levels = levelsOf(factor);
    const seen = new Set<string>();
    const said = new Set<string>();
    for (const level of levels) {
      const path = ['factors', name, 'levels', level.key];
      if (seen.has(level.label))
        issues.push({
          code: 'contradiction',
          path,
          at: 'value',
          message: `The level "${level.label}" stands twice in factor "${name}".`,
        });
      seen.add(level.label);
      for (const issue of levelIssues(spec, json, name, level)) {
        const key = `${pathText(issue.path)} ${issue.message}`;
        if (!said.has(key)) issues.push(issue);
        said.add(key);
      }
    }
    issues.push(...overlaps(spec, name, levels, owners));
  }
  return issues;
}

/** One level applied alone: its paths, and whether the language allows its values there. */
function levelIssues(spec: Spec, json: Json, name: string, level: Level): readonly SpecIssue[] {
  const ofList = typeof level.key === 'number';
  const where = (path: string): SpecPath =>
    ofList ? ['factors', name, 'set'] : ['factors', name, 'levels', level.key, path];
  const broken = level.sets.flatMap(([path]): SpecIssue[] => {
    const expanded = expandPath(spec, path);
    return expanded.ok
      ? []
      : [
          {
            code: 'unknown-name',
            path: where(path),
            at: ofList ? 'value' : 'key',
            message: expanded.message.trim(),
          },
        ];
  });
  if (broken.length > 0) return broken;
  const applied = applyLevels(json, spec, { [name]: level.label });
  const read = specSchema.safeParse(applied);
  const issues = read.success
    ? newProperties(spec, read.data)
    : fromZod(read.error.issues, specSchema, applied);
  return issues.map((issue) => {
    const brings = settingOf(spec, level, issue);
    const path =
      issue.at === 'key' && brings !== null
        ? where(brings.setting)
        : ofList || brings === null
          ? ['factors', name, 'levels', level.key]
          : where(brings.setting);
    return {
      ...issue,
      path: issue.at === 'key' && ofList ? path : [...path, ...(brings?.inside ?? [])],
      at: issue.at === 'key' && !ofList ? 'key' : 'value',
      // A wrong path is wrong for every level alike, and said once.
      message:
        issue.at === 'key' && ofList
          ? issue.message
          : `Level "${level.label}" at ${pathText(issue.path)}: ${issue.message}`,
    };
  });
}

/** The setting of a level that brings an issue, and the steps into its value when that is a map. */
function settingOf(
  spec: Spec,
  level: Level,
  issue: SpecIssue,
): { readonly setting: string; readonly inside: SpecPath } | null {
  for (const [setting, value] of level.sets) {
    const expanded = expandPath(spec, setting);
    const target = (expanded.ok ? expanded.paths : []).find(
      (path) => startsWith(issue.path, path) || startsWith(path, issue.path),
    );
    if (target) return { setting, inside: isMap(value) ? issue.path.slice(target.length) : [] };
  }
  return null;
}

/** Unknown Kafka properties that a level brings in; those of the spec as written are reported at their own place. */
function newProperties(spec: Spec, applied: Spec): readonly SpecIssue[] {
  const written = new Set(propertyIssues(spec).map((issue) => pathText(issue.path)));
  return propertyIssues(applied).filter((issue) => !written.has(pathText(issue.path)));
}

function startsWith(path: SpecPath, head: SpecPath): boolean {
  return head.every((step, i) => path[i] === step);
}

/** Two factors (or one level twice) that set one path: which of them would win is nobody's guess. */
function overlaps(
  spec: Spec,
  name: string,
  levels: readonly Level[],
  owners: Map<string, string>,
): readonly SpecIssue[] {
  const issues: SpecIssue[] = [];
  const mine = new Set<string>();
  for (const level of levels) {
    const inLevel: string[] = [];
    for (const [written] of level.sets) {
      const expanded = expandPath(spec, written);
      for (const path of (expanded.ok ? expanded.paths : []).map((p) => `${p.join('\u0000')}\u0000`)) {
        const clash = [...owners].find(([other]) => other.startsWith(path) || path.startsWith(other));
        const twice = inLevel.find((other) => other.startsWith(path) || path.startsWith(other));
        const say = clash
          ? `The factors "${clash[1]}" and "${name}" both set ${written}; couple them in one factor with named levels.`
          : `The level "${level.label}" sets ${written} twice.`;
        if ((clash || twice !== undefined) && !issues.some((i) => i.message === say))
          issues.push({ code: 'contradiction', path: ['factors', name], at: 'key', message: say });
        inLevel.push(path);
        mine.add(path);
      }
    }
  }
  for (const path of mine) owners.set(path, name);
  return issues;
}
