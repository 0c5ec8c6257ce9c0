import { scenarioIssues } from './check-scenario.ts';
import { factorIssues } from './check-levels.ts';
import { suggestion } from './did-you-mean.ts';
import { pathText, type SpecIssue } from './issue.ts';
import { factorRuleIssues, nothingVaries } from './check-factors.ts';
import { constantPayload } from './check-payload.ts';
import { questionIssues } from './check-questions.ts';
import { applyLevels, filledIn, isMap, type Json, levelsOf } from './levels.ts';
import { type Combination, enumerateScenarios } from './scenarios.ts';
import { type Spec, specSchema } from './schema.ts';
import { shapeIssues } from './shape.ts';
import { findScenario, scenarioSlug } from './slugs.ts';
import { withoutMistakes } from './without-mistakes.ts';
import { fromZod, withoutFollowing } from './zod-issues.ts';

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
  if (!read.success) {
    const issues = [...fromZod(read.error.issues, specSchema, filled), ...nothingVaries(filled)];
    const all = [...issues, ...furtherIssues(filled, issues)];
    return { ok: false, issues: withoutFollowing(all, specSchema, filled) };
  }
  const plain = json as Json;
  const issues = ownIssues(read.data, plain);
  return issues.length > 0 ? { ok: false, issues } : { ok: true, spec: read.data, json: plain };
}

/** What no single section knows, of a spec whose every section is right. */
function ownIssues(spec: Spec, plain: Json): readonly SpecIssue[] {
  const factors = [...nothingVaries(plain), ...factorIssues(spec, plain), ...factorRuleIssues(spec)];
  // Scenarios of broken factors would only repeat the same mistakes in other words.
  return factors.length > 0 ? [...factors, ...scenarioIssues(spec)] : combinedIssues(spec, plain);
}

/** With more mistakes than this nobody misses another one. */
const MOST_CUT_OUT = 100;

/** Misspelt names in what is right otherwise; anything else might only follow from the mistakes that are known. */
function furtherIssues(filled: unknown, issues: readonly SpecIssue[]): readonly SpecIssue[] {
  const few = issues.length <= MOST_CUT_OUT;
  const rest = few && isMap(filled) ? withoutMistakes(filled, issues) : null;
  const read = rest === null ? null : specSchema.safeParse(rest.json);
  if (rest === null || !read?.success) return [];
  const codes = rest.whole ? ['unknown-property', 'unknown-name'] : ['unknown-property'];
  return ownIssues(read.data, rest.json).filter((issue) => codes.includes(issue.code));
}

function withoutExtras(input: unknown): unknown {
  if (!isMap(input)) return input;
  return Object.fromEntries(Object.entries(input).filter(([key]) => !key.startsWith('x-')));
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
      ? [...scenarioIssues(read.data), ...constantPayload(spec, read.data)]
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
  const orAt = [...(entry.issue.orAt ?? []), spec.scenarios ? ['scenarios'] : ['factors']];
  return { ...entry.issue, orAt, message };
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
