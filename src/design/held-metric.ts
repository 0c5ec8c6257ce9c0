import type { Metric } from '../spec/schema.ts';
import { loadsOfMetric } from './incomparable.ts';
import type { Scenario } from './plan.ts';

const RATES: readonly Metric[] = ['rate', 'byteRate', 'produceRate'];

/**
 * Whether a metric is what the spec asks for, as long as the lab keeps up: the rate of loads that all have a limit, and
 * the share of it that was achieved. It can only say whether the rate was kept, so no spread is usual for it.
 */
export function heldByLimit(metric: Metric, scenarios: readonly Scenario[]): boolean {
  if (metric === 'achieved') return true;
  const loads = scenarios.flatMap((scenario) => loadsOfMetric(metric, scenario));
  const limited = loads.every((load) => load.kind === 'producer' && load.recordsPerS !== null);
  return RATES.includes(metric) && loads.length > 0 && limited;
}
