import { levelsOf } from '../spec/levels.ts';
import { enumerateScenarios } from '../spec/scenarios.ts';
import type { Spec } from '../spec/schema.ts';
import { findScenario, scenarioSlug } from '../spec/slugs.ts';
import type { Bound } from '../spec/units.ts';
import type { DepletePlan, ExpectationPlan, Scenario, SeriesPlan, UntilPlan } from './plan.ts';

/** Looks at the data before this block are too early for a stopping rule (facts: statistics). */
const FIRST_LOOK = 8;

/** What the spec expects, with scenarios by their slugs. */
export function expectationsOf(spec: Spec): readonly ExpectationPlan[] {
  const { scenarios } = enumerateScenarios(spec);
  const slug = (reference: string): string => {
    const found = findScenario(spec, scenarios, reference);
    return found ? scenarioSlug(found) : reference;
  };
  return (spec.expect ?? []).map((expected) => {
    const { metric, min = null, max = null } = expected;
    const of = slug(expected.of);
    const versus = expected.versus === undefined ? null : slug(expected.versus);
    const bounds = [
      ...(min === null ? [] : [`≥ ${boundText(min)}`]),
      ...(max === null ? [] : [`≤ ${boundText(max)}`]),
    ];
    const text = `${metric} of ${of}${versus === null ? '' : ` ÷ ${versus}`} ${bounds.join(' and ')}`;
    return { text, metric, of, versus, min, max };
  });
}

/** `60 MiB/s`, `20000 records/s`, `50 ms`, `99.5 %`, `1.2`. */
export function boundText({ kind, value }: Bound): string {
  if (kind === 'bytes/s') return `${Number((value / 1024 ** 2).toPrecision(6))} MiB/s`;
  if (kind === 'share') return `${Number((value * 100).toPrecision(6))} %`;
  return kind === 'ratio' ? String(value) : `${value} ${kind}`;
}

/** The stopping rule; `blocks` is what the spec or the default asks for at least. */
export function untilOf(spec: Spec, blocks: number): UntilPlan | null {
  const { until } = spec.design;
  if (until === undefined) return null;
  const minBlocks = Math.min(until.max, Math.max(FIRST_LOOK, blocks));
  return { halfWidth: until.halfWidth, minBlocks, maxBlocks: until.max };
}

/** Series of factors with `while`: scenarios that differ in this factor only, in the order of its levels. */
export function seriesOf(spec: Spec, scenarios: readonly Scenario[]): readonly SeriesPlan[] {
  return Object.entries(spec.factors).flatMap(([name, factor]): readonly SeriesPlan[] => {
    if (factor.while === undefined) return [];
    const labels = levelsOf(factor).map((level) => level.label);
    const groups = Map.groupBy(
      scenarios.filter((s) => s.levels[name] !== undefined),
      ({ levels }) => JSON.stringify(Object.entries(levels).filter(([other]) => other !== name)),
    );
    return [...groups.values()].map((group) => ({
      factor: name,
      scenarios: group
        .toSorted((a, b) => labels.indexOf(a.levels[name] ?? '') - labels.indexOf(b.levels[name] ?? ''))
        .map((s) => s.slug),
      achievedMin: factor.while?.achieved.min ?? 0,
    }));
  });
}

/** How credits are used up before block 1: with the first scenario, as fast as it can. */
export function depleteOf(spec: Spec, scenarios: readonly Scenario[]): DepletePlan | null {
  const { deplete } = spec.design;
  const [first] = scenarios;
  if (deplete === undefined || first === undefined) return null;
  const { upper, lower, limit } = deplete;
  return { scenario: first.slug, upperBytesPerS: upper, lowerBytesPerS: lower, limitMs: limit };
}
