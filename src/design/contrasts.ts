import { baselineLevels, enumerateScenarios } from '../spec/scenarios.ts';
import type { Spec } from '../spec/schema.ts';
import { findScenario, scenarioSlug } from '../spec/slugs.ts';
import { changesBetween } from './changes.ts';
import type { Contrast } from './plan.ts';
import { incomparable } from './incomparable.ts';
import { type ResolvedScenario, wanted } from './scenarios.ts';

/**
 * The primary contrasts: those the spec names, else each scenario against the baseline (every factor at its
 * first level; where no scenario is that, against the first).
 */
export function contrastsOf(spec: Spec, scenarios: readonly ResolvedScenario[]): readonly Contrast[] {
  return pairs(spec).flatMap(([numerator, denominator]): Contrast[] => {
    const [over, under] = [numerator, denominator].map((slug) =>
      scenarios.find((s) => s.scenario.slug === slug),
    );
    if (!over || !under) return [];
    return [
      {
        name: `${numerator} vs ${denominator}`,
        numerator,
        denominator,
        ...changesBetween(under.settings, over.settings),
        ...incomparable(spec.metric, over.scenario, under.scenario),
      },
    ];
  });
}

function pairs(spec: Spec): readonly (readonly [string, string])[] {
  const { scenarios: every } = enumerateScenarios(spec);
  const scenarios = wanted(spec);
  const slugOf = (reference: string) => {
    const found = findScenario(spec, every, reference);
    return found ? scenarioSlug(found) : reference;
  };
  if (spec.contrasts) return spec.contrasts.map(([over, under]) => [slugOf(over), slugOf(under)] as const);
  const base = baselineLevels(spec);
  const all = scenarios.map((s) => ({
    slug: scenarioSlug(s),
    isBase: Object.entries(base).every(([k, v]) => s.levels[k] === v),
  }));
  const reference = (all.find((s) => s.isBase) ?? all[0])?.slug ?? '';
  return all.filter((s) => s.slug !== reference).map((s) => [s.slug, reference] as const);
}
