import type { Plan, ProducerLoad, Scenario } from '../design/plan.ts';
import type { LoadRecord, TrialRecord } from '../measure/trial-record.ts';
import { DEFAULT_BUFFER_BYTES, MIN_TAIL_MS, tailMs } from '../measure/windows.ts';

/** Sums of rounded lengths may leave a window by this much, as in the measurement itself. */
const EDGE_MS = 1;

/** A planned producer with everything that turns its records into bytes. */
export interface PlannedLoad {
  readonly load: ProducerLoad;
  readonly recordBytes: number;
  /** Copies on disk of each record. */
  readonly replication: number;
}

/** The producers of a scenario with record size and replication looked up. */
export function plannedLoads(plan: Plan, scenario: Scenario): readonly PlannedLoad[] {
  return producersOf(scenario).map((load) => {
    const payload = plan.payloads.find((p) => p.name === load.payload);
    const topic = scenario.topics.find((t) => t.name === load.topic);
    if (payload === undefined) throw new Error(`the plan has no payload ${load.payload}`);
    if (topic === undefined) throw new Error(`scenario ${scenario.slug} has no topic ${load.topic}`);
    return { load, recordBytes: payload.recordBytes, replication: topic.replication };
  });
}

/** The producers of a scenario. */
export function producersOf({ loads }: Pick<Scenario, 'loads'>): readonly ProducerLoad[] {
  return loads.flatMap((load) => (load.kind === 'producer' ? [load] : []));
}

/** The tail that will be cut of this load at a rate, ms: the same rule as for its measurement. */
export function plannedTailMs(planned: PlannedLoad, recordsPerS: number): number {
  // A load that keeps its asked rate never fills its buffer.
  if (planned.load.recordsPerS !== null) return MIN_TAIL_MS;
  const buffer = Number(planned.load.config['buffer.memory'] ?? DEFAULT_BUFFER_BYTES);
  return tailMs(buffer, recordsPerS * planned.recordBytes);
}

/** The tail of a load that ran, ms, and where it begins since the load's start; the last, partial line counts as time. */
export function tailOf({ planned, record }: LoadPair): { readonly tailMs: number; readonly fromMs: number } {
  const seriesMs = record.series.at(-1)?.endMs ?? 0;
  const rate = record.totalRecordsPerS ?? rateOfLines(record.series) ?? 0;
  const totalMs = record.finalCount === null || !(rate > 0) ? seriesMs : (1000 * record.finalCount) / rate;
  const tail = plannedTailMs(planned, rate);
  return { tailMs: tail, fromMs: Math.max(totalMs, seriesMs) - tail };
}

/** Records of each whole second since the load's start; an interval line spreads its records evenly over its length. */
export function perSecond(series: LoadRecord['series']): readonly number[] {
  const seconds = Math.floor((series.at(-1)?.endMs ?? 0) / 1000);
  const records = Array.from({ length: seconds }, () => 0);
  for (const line of series) {
    const startMs = line.endMs - line.lengthMs;
    for (let s = Math.max(0, Math.floor(startMs / 1000)); s * 1000 < line.endMs && s < seconds; s++) {
      const overlapMs = Math.min(line.endMs, (s + 1) * 1000) - Math.max(startMs, s * 1000);
      records[s] = (records[s] ?? 0) + (line.records * overlapMs) / line.lengthMs;
    }
  }
  return records;
}

/** Interval lines that lie wholly between two times since the load's start. */
export function linesBetween(
  series: LoadRecord['series'],
  fromMs: number,
  toMs: number,
): LoadRecord['series'] {
  return series.filter(
    (line) => line.endMs - line.lengthMs >= fromMs - EDGE_MS && line.endMs <= toMs + EDGE_MS,
  );
}

/** Σ records ÷ Σ elapsed of whole lines, records/s; null without any line (design §7). */
export function rateOfLines(lines: LoadRecord['series']): number | null {
  const elapsedMs = lines.reduce((sum, line) => sum + line.lengthMs, 0);
  return elapsedMs > 0 ? (1000 * lines.reduce((sum, line) => sum + line.records, 0)) / elapsedMs : null;
}

/** The steady lines of a load: after the ramp and before its tail. */
export function steadyLines(pair: LoadPair, rampMs: number): LoadRecord['series'] {
  return linesBetween(pair.record.series, rampMs, tailOf(pair).fromMs);
}

/** A load as planned and as it ran. */
export interface LoadPair {
  readonly planned: PlannedLoad;
  readonly record: LoadRecord;
}

/** Joins the loads of a trial with their plan, by name. */
export function pairLoads(plan: Plan, trial: TrialRecord): readonly LoadPair[] {
  const scenario = plan.scenarios.find((s) => s.slug === trial.scenario);
  if (scenario === undefined) return [];
  return plannedLoads(plan, scenario).flatMap((planned) => {
    const record = trial.loads.find((l) => l.name === planned.load.name);
    return record === undefined ? [] : [{ planned, record }];
  });
}
