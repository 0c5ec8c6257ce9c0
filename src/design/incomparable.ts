import type { LoadPlan, Metric, Scenario } from './plan.ts';

/** The loads that a metric speaks of. */
export function loadsOfMetric(metric: Metric, scenario: Scenario): readonly LoadPlan[] {
  if (metric === 'rate' || metric === 'byteRate') return scenario.loads;
  const kind = metric === 'consumeRate' ? 'consumer' : 'producer';
  return scenario.loads.filter((load) => load.kind === kind);
}

/**
 * Why two scenarios have no common measure in this metric; empty when they have. Rates with different denominators
 * (sent records, fetched records, both together) are different things (facts: statistics).
 */
export function incomparable(metric: Metric, over: Scenario, under: Scenario): { incomparable?: string } {
  const kinds = [over, under].map((s) =>
    [...new Set(loadsOfMetric(metric, s).map((load) => load.kind))].toSorted(),
  );
  const without = [over, under].find((_, i) => kinds[i]?.length === 0);
  if (without !== undefined) return { incomparable: `${without.slug} has no load that ${metric} speaks of` };
  const [a, b] = kinds.map((k) => k.join(' and '));
  if (a === b) return {};
  return {
    incomparable: `${over.slug} measures ${a} loads, ${under.slug} ${b} loads: their rates are different things`,
  };
}
