import { producerRuns } from './check-loads.ts';
import { suggestion } from './did-you-mean.ts';
import type { SpecIssue, SpecPath } from './issue.ts';
import { expandPath, levelsOf } from './levels.ts';
import type { Combination } from './scenarios.ts';
import type { Spec } from './schema.ts';
import { findScenario, scenarioSlug } from './slugs.ts';

/** What the spec asks of its results: metric, expectations, search, and how blocks and labs go together. */
export function questionIssues(spec: Spec, scenarios: readonly Combination[]): readonly SpecIssue[] {
  return [
    ...metricIssues(spec),
    ...expectIssues(spec, scenarios),
    ...onlyIssues(spec, scenarios),
    ...searchIssues(spec),
    ...designIssues(spec),
  ];
}

function contradiction(path: SpecPath, message: string): SpecIssue {
  return { code: 'contradiction', path, at: 'value', message };
}

function unknownScenario(path: SpecPath, reference: string, scenarios: readonly Combination[]): SpecIssue {
  const known = [...scenarios.map(scenarioSlug), 'baseline'];
  const message = `There is no scenario "${reference}". ${suggestion(reference, known)}`.trim();
  return { code: 'unknown-name', path, at: 'value', message };
}

/** A metric of loads that no scenario has. A factor may switch loads on, so only what is nowhere is refused. */
function metricIssues(spec: Spec): readonly SpecIssue[] {
  const of = (metric: string, path: SpecPath): readonly SpecIssue[] => {
    if (metric === 'consumeRate' && Object.keys(spec.consumers).length === 0)
      return [contradiction(path, 'consumeRate needs a consumer; the spec has none.')];
    const producing = Object.keys(spec.producers).length > 0;
    return !producing && !['rate', 'byteRate', 'consumeRate'].includes(metric)
      ? [contradiction(path, `${metric} needs a producer; the spec has none.`)]
      : [];
  };
  return [
    ...of(spec.metric, ['metric']),
    ...(spec.expect ?? []).flatMap(({ metric }, i) => of(metric, ['expect', i, 'metric'])),
  ];
}

function expectIssues(spec: Spec, scenarios: readonly Combination[]): readonly SpecIssue[] {
  return (spec.expect ?? []).flatMap((expected, i): readonly SpecIssue[] => {
    const sides = [
      ['of', expected.of],
      ['versus', expected.versus],
    ] as const;
    const unknown = sides.flatMap(([key, reference]) =>
      reference === undefined || findScenario(spec, scenarios, reference)
        ? []
        : [unknownScenario(['expect', i, key], reference, scenarios)],
    );
    if (unknown.length > 0 || expected.versus === undefined) return unknown;
    const [of, versus] = [expected.of, expected.versus].map((r) => findScenario(spec, scenarios, r));
    return of === versus
      ? [contradiction(['expect', i, 'versus'], 'A scenario cannot be compared with itself.')]
      : [];
  });
}

function onlyIssues(spec: Spec, scenarios: readonly Combination[]): readonly SpecIssue[] {
  return (spec.only ?? []).flatMap((reference, i) =>
    findScenario(spec, scenarios, reference) ? [] : [unknownScenario(['only', i], reference, scenarios)],
  );
}

function searchIssues(spec: Spec): readonly SpecIssue[] {
  const { search } = spec;
  if (search === undefined) return [];
  const at = ['search', 'set'];
  const expanded = expandPath(spec, search.set);
  if (!expanded.ok) return [{ code: 'unknown-name', path: at, at: 'value', message: expanded.message }];
  const [path = []] = expanded.paths;
  if (expanded.paths.length !== 1 || path[0] !== 'producers' || path[2] !== 'rate' || path.length !== 3)
    return [
      contradiction(
        at,
        `A search sets the rate of one producer, e.g. producers.p.rate; not "${search.set}".`,
      ),
    ];
  const owner = Object.entries(spec.factors).find(([, factor]) =>
    levelsOf(factor).some((level) => level.sets.some(([p]) => p === search.set || p === 'producers.*.rate')),
  );
  const found: SpecIssue[] = [];
  if (owner)
    found.push(contradiction(at, `The factor "${owner[0]}" sets this rate too; search it, or vary it.`));
  const name = String(path[1]);
  const load = spec.producers[name];
  if (load && load.for === undefined)
    found.push(
      contradiction(
        ['producers', name],
        `A search runs "${name}" at many rates, so it needs a time and not a count; write for: 30s.`,
      ),
    );
  if (spec.contrasts)
    found.push(
      contradiction(['contrasts'], 'A search finds a capacity; it makes no contrasts. Leave them out.'),
    );
  if (spec.expect)
    found.push(contradiction(['expect'], 'Expectations on a search are not part of the language.'));
  return found;
}

function designIssues(spec: Spec): readonly SpecIssue[] {
  const { blocks, labs, until } = spec.design;
  const found: SpecIssue[] = [];
  if (until && blocks !== undefined && blocks > until.max)
    found.push(
      contradiction(['design', 'until', 'max'], `design.blocks ${blocks} is above until.max ${until.max}.`),
    );
  if (blocks !== undefined && labs > blocks)
    found.push(contradiction(['design', 'labs'], `${labs} labs cannot share ${blocks} blocks.`));
  if (until && labs > 1)
    found.push(
      contradiction(
        ['design', 'labs'],
        'Blocks are shared out over labs beforehand; leave until out, or labs.',
      ),
    );
  if (spec.search && (until || labs > 1))
    found.push(
      contradiction(['search'], 'A search has its own number of blocks (confirm); leave until and labs out.'),
    );
  if (spec.search && !Object.values(spec.producers).some(producerRuns))
    found.push(contradiction(['search', 'set'], 'No producer is enabled.'));
  return found;
}
