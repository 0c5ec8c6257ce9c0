import type { ProducerSpec, Spec, TopicSpec } from '../spec/schema.ts';
import { levelsOf } from '../spec/levels.ts';
import type { Contrast, ProducerLoad, UntilPlan } from './plan.ts';
import type { ResolvedScenario } from './scenarios.ts';

/** What advice is given on: the spec as written, and what was drawn from it so far. */
export interface AdviceInput {
  readonly spec: Spec;
  readonly scenarios: readonly ResolvedScenario[];
  readonly contrasts: readonly Contrast[];
  /** As planned, or the most that the stopping rule allows. */
  readonly blocks: number;
  readonly until: UntilPlan | null;
}

/** A producer as it runs in one scenario. */
export interface RunningProducer {
  readonly scenario: string;
  /** Its name in the spec. */
  readonly name: string;
  readonly load: ProducerSpec;
  readonly topic: TopicSpec | undefined;
  readonly settings: Spec;
}

/** Every producer that runs, scenario by scenario. */
export function producersOf({ scenarios }: AdviceInput): readonly RunningProducer[] {
  return scenarios.flatMap(({ scenario, settings }) =>
    Object.entries(settings.producers)
      .filter(([, load]) => load.enabled && load.processes > 0)
      .map(([name, load]) => ({
        scenario: scenario.slug,
        name,
        load,
        topic: settings.topics[load.topic],
        settings,
      })),
  );
}

/** The producer loads of every scenario. */
export function producerLoads({ scenarios }: AdviceInput): readonly ProducerLoad[] {
  return scenarios.flatMap(({ scenario }) => scenario.loads.filter((load) => load.kind === 'producer'));
}

/** Whether something takes more than one value over the scenarios. */
export function varies(values: readonly unknown[]): boolean {
  return new Set(values).size > 1;
}

/** Whether some text of the spec speaks of something: its question, its name, its scenarios and levels. */
export function speaksOf(spec: Spec, words: RegExp): string | null {
  const named = (spec.scenarios ?? []).flatMap((s) => ('name' in s ? [String(s['name'])] : []));
  const levels = Object.values(spec.factors).flatMap((factor) => levelsOf(factor).map((l) => l.label));
  for (const text of [spec.question, spec.name, ...named, ...Object.keys(spec.factors), ...levels]) {
    const found = words.exec(text);
    if (found !== null) return found[0];
  }
  return null;
}
