import { payloadRecordBytes } from '../design/payloads.ts';
import { loadsOfMetric } from '../design/incomparable.ts';
import type { LoadPlan, Metric, Plan, Scenario } from '../design/plan.ts';

/** Bytes of a record of the loads that a metric speaks of; null when they differ or the plan does not say. */
export function recordBytesOf(
  plan: Pick<Plan, 'payloads'>,
  scenario: Scenario,
  metric: Metric,
): number | null {
  const sizes = new Set(
    loadsOfMetric(metric, scenario)
      .flatMap((load) => payloadsOf(scenario, load))
      .map((name) => payloadRecordBytes(plan.payloads, name)),
  );
  const [only = null] = sizes;
  return sizes.size === 1 ? only : null;
}

/** Payloads that a load sends, or that may be in the topic it reads. */
function payloadsOf(scenario: Scenario, load: LoadPlan): readonly string[] {
  if (load.kind === 'producer') return [load.payload];
  const fill = scenario.topics.find((t) => t.name === load.topic)?.fill;
  const written = scenario.loads.flatMap((l) =>
    l.kind === 'producer' && l.topic === load.topic ? [l.payload] : [],
  );
  return [...(fill ? [fill.payload] : []), ...written];
}
