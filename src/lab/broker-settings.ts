import type { BrokerSettings } from './lab.ts';
import type { LabPlan } from '../design/plan.ts';

/** The lab's own broker section with the settings of a plot laid on it; null takes a setting away. */
export function withSettings(brokers: LabPlan['brokers'], settings: BrokerSettings): LabPlan['brokers'] {
  const config: Record<string, string> = { ...brokers.config };
  for (const [name, value] of Object.entries(settings.config)) {
    if (value === null) delete config[name];
    else config[name] = value;
  }
  return { ...brokers, config, heapBytes: settings.heapBytes, jit: settings.jit };
}

/** What running brokers are told: a value to set, or null to go back to what they were started with. */
export function dynamicChanges(settings: BrokerSettings): ReadonlyMap<string, string | null> {
  return new Map(settings.varied.map((name) => [name, settings.config[name] ?? null]));
}
