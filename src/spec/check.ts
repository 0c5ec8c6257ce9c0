import { propertyIssues, scenarioIssues } from './check-scenario.ts';
import { suggestion } from './did-you-mean.ts';
import { pathText, type SpecIssue, type SpecPath } from './issue.ts';
import { factorRuleIssues, nothingVaries } from './check-factors.ts';
import { questionIssues } from './check-questions.ts';
import { applyLevels, expandPath, filledIn, isMap, type Json, type Level, levelsOf } from './levels.ts';
import { type Combination, enumerateScenarios, SCENARIO_WORDS } from './scenarios.ts';
import { type Spec, specSchema } from './schema.ts';
import { shapeIssues } from './shape.ts';
import { findScenario, scenarioSlug } from './slugs.ts';
import { fromZod } from './zod-issues.ts';

/** A spec that may be run, beside the JSON it was read from; or every mistake in it. */
export type ParsedSpec =
  | { readonly ok: true; readonly spec: Spec; readonly json: Json }
  | { readonly ok: false; readonly issues: readonly SpecIssue[] };

/**
 * Checks plain JSON against the language and against itself. Never throws: every mistake comes back at once,
 * with its path. `json` of the answer is the input without its `x-…` keys (places for YAML anchors).
 */
export function parseSpec(input: unknown): ParsedSpec {
  const odd = shapeIssues(input);
  if (odd.length > 0) return { ok: false, issues: odd };
  const json = withoutExtras(input);
  const filled = isMap(json) ? filledIn(json) : json;
  const read = specSchema.safeParse(filled);
  if (!read.success)
    return {
      ok: false,
      issues: [...fromZod(read.error.issues, specSchema, filled), ...nothingVaries(filled)],
    };
  const spec = read.data;
  const plain = json as Json;
  const factors = [...nothingVaries(plain), ...factorIssues(spec, plain), ...factorRuleIssues(spec)];
  // Scenarios of broken factors would only repeat the same mistakes in other words.
  const issues = factors.length > 0 ? [...factors, ...scenarioIssues(spec)] : combinedIssues(spec, plain);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, spec, json: plain };
}

function withoutExtras(input: unknown): unknown {
  if (!isMap(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => !key.startsWith('x-')));
}

/** Factors by themselves: names, paths, levels, and whether two of them set one thing. */
function factorIssues(spec: Spec, json: Json): readonly SpecIssue[] {
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
    const setting = level.sets.find(([path]) =>
      (expandPath(spec, path) as { paths?: readonly SpecPath[] }).paths?.some((p) =>
        startsWith(issue.path, p),
      ),
    )?.[0];
    const path =
      issue.at === 'key' && setting !== undefined
        ? where(setting)
        : ofList || setting === undefined
          ? ['factors', name, 'levels', level.key]
          : where(setting);
    return {
      ...issue,
      path,
      at: issue.at === 'key' && !ofList ? 'key' : 'value',
      // A wrong path is wrong for every level alike, and said once.
      message:
        issue.at === 'key' && ofList
          ? issue.message
          : `Level "${level.label}" at ${pathText(issue.path)}: ${issue.message}`,
    };
  });
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

/** Scenarios and contrasts, and every scenario as a whole. */
function combinedIssues(spec: Spec, json: Json): readonly SpecIssue[] {
  const { scenarios, issues } = enumerateScenarios(spec);
  if (issues.length > 0) return issues;
  const slugs = new Map<string, Combination>();
  const twins: SpecIssue[] = [];
  for (const scenario of scenarios) {
    const slug = scenarioSlug(scenario);
    if (slugs.has(slug))
      twins.push({
        code: 'contradiction',
        path: ['scenarios'],
        at: 'key',
        message: `Two scenarios are called "${slug}".`,
      });
    slugs.set(slug, scenario);
  }
  return [
    ...twins,
    ...wholeScenarioIssues(spec, json, scenarios),
    ...contrastIssues(spec, scenarios),
    ...questionIssues(spec, scenarios),
  ];
}

function wholeScenarioIssues(
  spec: Spec,
  json: Json,
  scenarios: readonly Combination[],
): readonly SpecIssue[] {
  const found = new Map<string, { issue: SpecIssue; in: Combination[] }>();
  const same = new Map<string, string>();
  const issues: SpecIssue[] = [];
  for (const scenario of scenarios) {
    const applied = applyLevels(json, spec, scenario.levels);
    const read = specSchema.safeParse(applied);
    const problems = read.success
      ? scenarioIssues(read.data)
      : fromZod(read.error.issues, specSchema, applied);
    for (const issue of problems) {
      const key = `${pathText(issue.path)} ${issue.message}`;
      const entry = found.get(key) ?? { issue, in: [] };
      entry.in.push(scenario);
      found.set(key, entry);
    }
    const settings = read.success
      ? JSON.stringify([
          read.data.topics,
          read.data.producers,
          read.data.consumers,
          read.data.payload,
          read.data.lab,
        ])
      : null;
    const twin = settings === null ? undefined : same.get(settings);
    const slug = scenarioSlug(scenario);
    if (twin !== undefined)
      issues.push({
        code: 'contradiction',
        path: ['factors'],
        at: 'key',
        message: `The scenarios "${twin}" and "${slug}" have the very same settings: some levels mean the same.`,
      });
    else if (settings !== null) same.set(settings, slug);
  }
  return [...issues, ...[...found.values()].map((entry) => placed(spec, scenarios, entry))];
}

/** Says in which scenarios an issue shows, and puts it at the level that brings it where one does. */
function placed(
  spec: Spec,
  all: readonly Combination[],
  entry: { issue: SpecIssue; in: readonly Combination[] },
): SpecIssue {
  const first = entry.in[0];
  if (first === undefined || entry.in.length === all.length) return entry.issue;
  const more = entry.in.length > 1 ? ` (and ${entry.in.length - 1} more)` : '';
  const message = `In scenario ${scenarioSlug(first)}${more}: ${entry.issue.message}`;
  for (const [name, factor] of Object.entries(spec.factors)) {
    const label = first.levels[name];
    const level = levelsOf(factor).find((l) => l.label === label);
    const brings =
      entry.in.every((s) => s.levels[name] === label) &&
      all.every((s) => s.levels[name] !== label || entry.in.includes(s));
    if (level && brings)
      return {
        ...entry.issue,
        path: ['factors', name, 'levels', level.key],
        at: typeof level.key === 'number' ? 'value' : 'key',
        message,
      };
  }
  return { ...entry.issue, path: spec.scenarios ? ['scenarios'] : ['factors'], at: 'key', message };
}

function contrastIssues(spec: Spec, scenarios: readonly Combination[]): readonly SpecIssue[] {
  const known = [...scenarios.map(scenarioSlug), 'baseline'];
  const issues: SpecIssue[] = [];
  const seen = new Set<string>();
  spec.contrasts?.forEach((pair, index) => {
    const both = pair.map((reference, side) => {
      const scenario = findScenario(spec, scenarios, reference);
      if (!scenario)
        issues.push({
          code: 'unknown-name',
          path: ['contrasts', index, side],
          at: 'value',
          message: `There is no scenario "${reference}". ${suggestion(reference, known)}`.trim(),
        });
      return scenario ? scenarioSlug(scenario) : null;
    });
    if (both.includes(null)) return;
    const key = both.toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1)).join(' ');
    const problem =
      both[0] === both[1]
        ? 'A scenario cannot be compared with itself.'
        : seen.has(key)
          ? 'This contrast stands twice.'
          : null;
    if (problem !== null)
      issues.push({ code: 'contradiction', path: ['contrasts', index], at: 'value', message: problem });
    seen.add(key);
  });
  return issues;
}
