import { levelsOf } from '../spec/levels.ts';
import type { FactorSpec, Spec } from '../spec/schema.ts';
import type { PlotPlan } from './plan.ts';

/** The plot of a spec in which no broker setting varies. */
export const AS_WRITTEN = 'as-written';

/**
 * The broker settings of one scenario against those of the lab as it is provisioned, and how they are applied: by a
 * restart, unless every factor that sets one of them says `dynamic`.
 */
export function plotOf(spec: Spec, settings: Spec): PlotPlan {
  const before = spec.lab.brokers;
  const after = settings.lab.brokers;
  const names = new Set([...Object.keys(before.config), ...Object.keys(after.config)]);
  const config: Record<string, string | null> = {};
  for (const name of [...names].toSorted())
    if (before.config[name] !== after.config[name]) config[name] = after.config[name] ?? null;
  return { config, heapBytes: after.heap, jit: after.jit, apply: applyOf(spec) };
}

function applyOf(spec: Spec): PlotPlan['apply'] {
  const factors = Object.values(spec.factors).filter(setsBrokers);
  return factors.length > 0 && factors.every((factor) => factor.apply === 'dynamic') ? 'dynamic' : 'restart';
}

/** Whether some factor sets broker settings at all. */
export function variesBrokers(spec: Spec): boolean {
  return Object.values(spec.factors).some(setsBrokers);
}

function setsBrokers(factor: FactorSpec): boolean {
  return levelsOf(factor).some((level) => level.sets.some(([path]) => path.startsWith('lab.brokers.')));
}

/** Names plots by the broker settings in their levels' order of appearance: `plot-1`, `plot-2`, … */
export function plotNames(plots: readonly PlotPlan[]): {
  readonly names: readonly string[];
  readonly plots: Readonly<Record<string, PlotPlan>>;
} {
  const keys = plots.map((plot) => JSON.stringify(plot));
  const distinct = [...new Set(keys)];
  const nameOf = (key: string) => (distinct.length === 1 ? AS_WRITTEN : `plot-${distinct.indexOf(key) + 1}`);
  return {
    names: keys.map(nameOf),
    plots: Object.fromEntries(distinct.map((key) => [nameOf(key), JSON.parse(key) as PlotPlan])),
  };
}
