import type { Spec } from '../spec/schema.ts';
import { recordBytesOf } from '../spec/payload-size.ts';
import type { Rate } from '../spec/units.ts';
import type { LoadPlan, Scenario, SearchCondition, SearchPlan } from './plan.ts';
import type { ResolvedScenario } from './scenarios.ts';

/** Steps of the grid around a candidate, each one resolution apart: enough for a monotone fit to show the bend. */
const GRID_STEPS = [-2, -1, 0, 1, 2];

/** A search and the scenarios of its grids; their rates are fixed after block 0, when the candidates are known. */
export interface Search {
  readonly search: SearchPlan;
  readonly scenarios: readonly Scenario[];
}

/**
 * Scenarios as a search runs them: the searched loads take their time at whatever rate is tried, so a rate that the
 * spec gives the producer, and the count that would follow from it, mean nothing.
 */
export function withSearchedLoads(
  spec: Spec,
  resolved: readonly ResolvedScenario[],
): readonly ResolvedScenario[] {
  if (spec.search === undefined) return resolved;
  const producer = producerOf(spec.search);
  return resolved.map((one) => {
    const written = one.settings.producers[producer];
    const names = namesOf(producer, written?.processes ?? 1);
    const durationMs = written?.for;
    const searched = (load: LoadPlan): LoadPlan =>
      load.kind === 'producer' && names.includes(load.name) && durationMs !== undefined
        ? { ...load, recordsPerS: null, count: { kind: 'duration', durationMs } }
        : load;
    return { ...one, scenario: { ...one.scenario, loads: one.scenario.loads.map(searched) } };
  });
}

function producerOf({ set }: NonNullable<Spec['search']>): string {
  return set.split('.')[1] ?? '';
}

/** The search of a spec over these scenarios; null when it asks for none. */
export function searchOf(spec: Spec, scenarios: readonly Scenario[]): Search | null {
  const { search } = spec;
  if (search === undefined) return null;
  const producer = producerOf(search);
  const loads = namesOf(producer, spec.producers[producer]?.processes ?? 1);
  const grids = scenarios.map((scenario) => ({ scenario, points: gridOf(scenario, search.resolution) }));
  return {
    search: {
      producer,
      loads,
      unit: search.from.kind === 'bytes' ? 'bytes/s' : 'records/s',
      fromPerS: recordsPerS(spec, search.from),
      toPerS: recordsPerS(spec, search.to),
      resolution: search.resolution,
      pass: conditionOf(search.pass),
      targets: grids.map(({ scenario, points }) => ({
        scenario: scenario.slug,
        grid: points.map((p) => p.slug),
      })),
    },
    scenarios: grids.flatMap(({ points }) => points),
  };
}

function namesOf(producer: string, processes: number): readonly string[] {
  return processes === 1 ? [producer] : Array.from({ length: processes }, (_, i) => `${producer}-${i + 1}`);
}

/** `baseline.at-2` … `baseline.at+2`: the candidate × (1 + resolution)^step. */
function gridOf(scenario: Scenario, resolution: number): readonly Scenario[] {
  return GRID_STEPS.map((step) => ({
    ...scenario,
    slug: `${scenario.slug}.at${step < 0 ? '' : '+'}${step}`,
    grid: { of: scenario.slug, factor: (1 + resolution) ** step },
  }));
}

function recordsPerS(spec: Spec, rate: Rate): number {
  if (rate.kind === 'records') return rate.recordsPerS;
  return rate.kind === 'bytes' ? rate.bytesPerS / Math.max(1, recordBytesOf(spec.payload) ?? 1) : 0;
}

function conditionOf(pass: NonNullable<Spec['search']>['pass']): SearchCondition {
  return {
    ...(pass.achieved === undefined ? {} : { achievedMin: pass.achieved.min }),
    ...(pass.p50 === undefined ? {} : { p50MaxMs: pass.p50.max }),
    ...(pass.p95 === undefined ? {} : { p95MaxMs: pass.p95.max }),
    ...(pass.p99 === undefined ? {} : { p99MaxMs: pass.p99.max }),
    ...(pass.p999 === undefined ? {} : { p999MaxMs: pass.p999.max }),
  };
}
