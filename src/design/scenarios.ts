import { applyLevels, type Json } from '../spec/levels.ts';
import { enumerateScenarios } from '../spec/scenarios.ts';
import { type Spec, specSchema } from '../spec/schema.ts';
import { findScenario, scenarioSlug } from '../spec/slugs.ts';
import { loadsOf } from './loads.ts';
import type { PayloadPlan, PlotPlan, Scenario, TopicPlan } from './plan.ts';
import { plotNames, plotOf } from './plots.ts';
import { shrunk } from './smoke.ts';

/** A scenario with the spec as it stands under its levels. */
export interface ResolvedScenario {
  readonly scenario: Scenario;
  readonly settings: Spec;
  readonly payloads: readonly PayloadPlan[];
}

/** All scenarios that run of a checked spec, and the broker settings they run under. */
export interface ResolvedScenarios {
  readonly scenarios: readonly ResolvedScenario[];
  readonly plots: Readonly<Record<string, PlotPlan>>;
}

/** In the order the spec writes them. `json` is what the spec was parsed from. */
export function resolveScenarios(spec: Spec, json: Json): ResolvedScenarios {
  const combinations = wanted(spec);
  const settings = combinations.map(({ levels }) => {
    const applied = applyLevels(json, spec, levels);
    return specSchema.parse(spec.smoke ? shrunk(applied) : applied);
  });
  const { names, plots } = plotNames(settings.map((one) => plotOf(spec, one)));
  const scenarios = combinations.map((combination, i): ResolvedScenario => {
    const own = settings[i] as Spec;
    const { loads, fills, payloads } = loadsOf(own);
    const used = new Set(loads.map((load) => load.topic));
    const topics = Object.entries(own.topics)
      .filter(([name]) => used.has(name))
      .map(
        ([name, { partitions, replication, config }]): TopicPlan => ({
          name,
          partitions,
          replication,
          config,
          fill: fills[name] ?? null,
        }),
      );
    const { levels } = combination;
    const slug = scenarioSlug(combination);
    return { scenario: { slug, levels, plot: names[i] ?? '', topics, loads }, settings: own, payloads };
  });
  return { scenarios, plots };
}

/** Every scenario of the spec, or those that `only` names. */
export function wanted(spec: Spec): ReturnType<typeof enumerateScenarios>['scenarios'] {
  const { scenarios } = enumerateScenarios(spec);
  if (spec.only === undefined) return scenarios;
  const chosen = new Set(spec.only.map((reference) => findScenario(spec, scenarios, reference)));
  return scenarios.filter((scenario) => chosen.has(scenario));
}
