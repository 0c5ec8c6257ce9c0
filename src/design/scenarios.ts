import { applyLevels, type Json } from '../spec/levels.ts';
import { enumerateScenarios } from '../spec/scenarios.ts';
import { type Spec, specSchema } from '../spec/schema.ts';
import { scenarioSlug } from '../spec/slugs.ts';
import { loadsOf } from './loads.ts';
import type { PayloadPlan, Scenario } from './plan.ts';

/** A scenario with the spec as it stands under its levels. */
export interface ResolvedScenario {
  readonly scenario: Scenario;
  readonly settings: Spec;
  readonly payloads: readonly PayloadPlan[];
}

/** All scenarios of a checked spec, in the order the spec writes them. `json` is what the spec was parsed from. */
export function resolveScenarios(spec: Spec, json: Json): readonly ResolvedScenario[] {
  return enumerateScenarios(spec).scenarios.map((combination) => {
    const settings = specSchema.parse(applyLevels(json, spec, combination.levels));
    const { loads, payloads } = loadsOf(settings);
    const used = new Set(loads.map((load) => load.topic));
    const topics = Object.entries(settings.topics)
      .filter(([name]) => used.has(name))
      .map(([name, topic]) => ({
        name,
        partitions: topic.partitions,
        replication: topic.replication,
        config: topic.config,
      }));
    return {
      scenario: { slug: scenarioSlug(combination), levels: combination.levels, topics, loads },
      settings,
      payloads,
    };
  });
}
