import { payloadRecordBytes } from '../design/payloads.ts';
import { trialId } from '../design/names.ts';
import type { LoadPlan, Plan, Scenario } from '../design/plan.ts';
import { stampOf } from '../design/smoke.ts';
import { cacheReading, type CacheReading } from './cache-class.ts';
import { type DerivedLoad, deriveLoad } from './derive-load.ts';
import { type DerivedMachine, deriveMachines } from './derive-machines.ts';
import type { CacheEvidence, Evidence, IdentityEvidence, TopicEvidence } from './evidence.ts';
import type { WallWindow } from './host-summary.ts';
import { metricValues } from './metric-values.ts';
import { reason, type Verdict } from './reasons.ts';
import type { AttemptEvidence, RawAttempt, TrialEvidence } from './trial-evidence.ts';
import { measureTrial, type TrialMeasurement } from './trial-rate.ts';
import type { TrialRecord } from './trial-record.ts';
import { verdict } from './verdict.ts';

/** Ramp that a trial of block 0 leaves out where it is long enough: the experiment's own comes from block 0. */
const PROVISIONAL_RAMP_MS = 5_000;

/**
 * The whole record of an attempt from its plan, its evidence and its raw files; `collect` stores it, `assay verify`
 * derives it again from the files alone. Pure: the same input gives the same record.
 *
 * @throws Error when the plan has no such scenario.
 */
export function deriveTrial(plan: Plan, attempt: AttemptEvidence, raw: RawAttempt): TrialRecord {
  const scenario = plan.scenarios.find((s) => s.slug === attempt.trial.scenario);
  if (scenario === undefined) throw new Error(`the plan has no scenario ${attempt.trial.scenario}`);
  const loads = scenario.loads.map((load) => {
    const settings = {
      asked: attempt.trial.counts[load.name] ?? 0,
      command: attempt.commands[load.name] ?? [],
      recordBytes: recordBytesOf(plan, load),
      recordsPerS: askedRate(attempt.trial.rates, load),
      feeders: feedersOf(scenario, load),
      allowedCores: attempt.clientCores,
    };
    return deriveLoad(load, settings, raw.loads[load.name]);
  });
  const measurement = measure(plan, attempt.trial, loads);
  const window = windowOf(measurement, attempt.seen);
  const sampled = attempt.machines.map(({ name, samples }) => ({
    name,
    samples: samples === null ? undefined : raw.samples[samples],
  }));
  const machines = deriveMachines(plan, scenario, window, sampled);
  const cache = cacheOf(window, scenario, attempt.seen, machines, measurement);
  const judged = verdict(evidenceOf(plan, attempt, scenario, loads, machines, measurement, cache));
  const record = recordOf(attempt, scenario, loads, machines, measurement, cache, judged, raw.files);
  return { ...record, ...stampOf(plan) };
}

/** Bytes of one record's value; 0 = the plan does not say. */
function recordBytesOf(plan: Plan, load: LoadPlan): number {
  const payload = load.kind === 'producer' ? load.payload : null;
  return payloadRecordBytes(plan.payloads, payload) ?? 0;
}

/** A consumer of an empty topic, or from its end on, reads what the producers of the trial write. */
function feedersOf({ topics, loads }: Scenario, load: LoadPlan): readonly string[] {
  if (load.kind !== 'consumer') return [];
  const filled = topics.find((t) => t.name === load.topic)?.fill ?? null;
  if (filled !== null && load.from === 'earliest') return [];
  return loads.flatMap((l) => (l.kind === 'producer' && l.topic === load.topic ? [l.name] : []));
}

/** A search gives its rate with the trial. */
function askedRate(rates: AttemptEvidence['trial']['rates'], load: LoadPlan): number | null {
  return load.kind === 'producer' ? (rates?.[load.name] ?? load.recordsPerS) : null;
}

/** Block 0 has no ramp yet: it leaves a provisional one out where enough is left, or none. */
function measure(
  { metric, window: { over } }: Plan,
  trial: AttemptEvidence['trial'],
  loads: readonly DerivedLoad[],
): TrialMeasurement {
  const measured = loads.map((l) => l.measured);
  if (trial.block > 0) return measureTrial(measured, { rampMs: trial.rampMs, metric, over });
  const cut = measureTrial(measured, { rampMs: PROVISIONAL_RAMP_MS, metric, over });
  return cut.rate !== null && cut.rate.windowMs >= PROVISIONAL_RAMP_MS
    ? cut
    : measureTrial(measured, { rampMs: 0, metric, over });
}

/** The steady window; without one, the time from prepare to the end of the loads. */
function windowOf(measurement: TrialMeasurement, seen: TrialEvidence): WallWindow {
  if (measurement.rate !== null) return measurement.rate;
  const starts = measurement.loads.flatMap((l) => (l.startedAtMs === null ? [] : [l.startedAtMs]));
  const fromMs = starts.length > 0 ? Math.min(...starts) : (seen.prepared?.atMs ?? seen.startedAtMs);
  return { fromMs, toMs: seen.loaded?.endedAtMs ?? seen.endedAtMs };
}

function evidenceOf(
  plan: Plan,
  { seen, trial }: AttemptEvidence,
  scenario: Scenario,
  loads: readonly DerivedLoad[],
  machines: readonly DerivedMachine[],
  measurement: TrialMeasurement,
  cache: CacheReading,
): Evidence {
  const { settled, verified, failure } = seen;
  return {
    loads: loads.map((l) => ({ ...l.evidence, usedCores: coresOf(machines, l.evidence.name) })),
    topics: scenario.topics.map((topic) => topicEvidence(topic.name, seen)),
    identities: identityEvidence(seen),
    events: verified?.events ?? [],
    // Unknown throttling is worth a flag only where a limit is set: local processes have none.
    machines: machines.map(({ name, summary, throttledShare }) => ({
      name,
      summary,
      ...(throttledShare === null ? {} : { throttledShare }),
    })),
    measurement,
    minWindowMs: trial.block === 0 ? 0 : plan.window.minMs,
    ...(plan.smoke === true ? { rehearsal: true as const } : {}),
    settle: settled === null ? null : { outcome: settled, dirtyBytes: plan.settle.dirtyBytes },
    caches: cachesOf(scenario, seen, cache),
    known: failure === null ? [] : [reason(failure.code, failure.message)],
  };
}

/** Where the consumers of the trial found their records. */
function cacheOf(
  window: WallWindow,
  scenario: Scenario,
  seen: TrialEvidence,
  machines: readonly DerivedMachine[],
  measurement: TrialMeasurement,
): CacheReading {
  const consumers = scenario.loads.flatMap((load, i) => {
    const rate = measurement.loads[i]?.steady ?? null;
    if (load.kind !== 'consumer' || rate === null) return [];
    return [{ rate, diskBytesPerRecord: seen.prepared?.fills?.[load.topic]?.diskBytesPerRecord ?? null }];
  });
  return cacheReading(machines[0]?.summary ?? null, window, consumers);
}

/** Of the topics that a consumer reads. */
function cachesOf(scenario: Scenario, seen: TrialEvidence, reading: CacheReading): CacheEvidence[] {
  const read = new Set(scenario.loads.flatMap((load) => (load.kind === 'consumer' ? [load.topic] : [])));
  return Object.entries(seen.prepared?.fills ?? {}).flatMap(([topic, { cache }]) =>
    cache === 'asis' || !read.has(topic) ? [] : [{ topic, asked: cache, reading }],
  );
}

function coresOf(machines: readonly DerivedMachine[], load: string): number | null {
  for (const { summary } of machines) {
    const cores = summary?.clientCores[load];
    if (cores != null) return cores;
  }
  return null;
}

function topicEvidence(topic: string, seen: TrialEvidence): TopicEvidence {
  const after = seen.verified?.topics[topic];
  const filled = seen.prepared?.fills?.[topic]?.records;
  return {
    topic,
    inLog: beyondFill(topic, seen),
    ...(filled === undefined ? {} : { filled }),
    before: seen.prepared?.topics[topic]?.partitions ?? null,
    after: after?.partitions ?? null,
  };
}

/** Records in the log that the trial's own loads put there. */
function beyondFill(topic: string, seen: TrialEvidence): number | null {
  const inLog = seen.verified?.topics[topic]?.inLog ?? null;
  return inLog === null ? null : inLog - (seen.prepared?.fills?.[topic]?.records ?? 0);
}

/** Only what was looked at twice says anything about a change. */
function identityEvidence({ prepared, verified }: TrialEvidence): IdentityEvidence[] {
  if (prepared === null || verified === null) return [];
  return Object.entries(prepared.identities).map(([who, before]) => {
    return { who, before, after: verified.identities[who] ?? null };
  });
}

function recordOf(
  { trial, seen, experimentKey, startedAt, endedAt }: AttemptEvidence,
  scenario: Scenario,
  loads: readonly DerivedLoad[],
  machines: readonly DerivedMachine[],
  measurement: TrialMeasurement,
  cache: CacheReading,
  judged: Verdict,
  raw: TrialRecord['raw'],
): TrialRecord {
  const { block, pass, position, attempt, lab } = trial;
  const records = loads.map((load, i) =>
    load.record(measurement.loads[i], { cpuCores: coresOf(machines, load.evidence.name), cache }),
  );
  return {
    format: 1,
    experimentKey,
    id: trialId(trial),
    block,
    pass,
    scenario: trial.scenario,
    attempt,
    ...(lab === undefined ? {} : { lab }),
    position,
    startedAt,
    endedAt,
    verdict: judged,
    rate: measurement.rate,
    values: metricValues(measurement, records),
    loads: records,
    settle: seen.settled,
    drain: seen.drained,
    offsets: scenario.topics.map((topic) => offsetsOf(topic.name, seen, loads)),
    host: machines[0]?.summary ?? null,
    phasesMs: seen.phasesMs,
    raw,
  };
}

function offsetsOf(
  topic: string,
  seen: TrialEvidence,
  loads: readonly DerivedLoad[],
): TrialRecord['offsets'][number] {
  const mine = loads.filter((l) => l.evidence.topic === topic && l.evidence.kind === 'producer');
  const counts = mine.map((l) => l.evidence.output.final?.records ?? null);
  const filled = seen.prepared?.fills?.[topic]?.records;
  const claimed = counts.includes(null) ? null : counts.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  const asked = mine.reduce((sum, l) => sum + l.evidence.asked, 0);
  const before = filled === undefined ? {} : { filled };
  return { topic, asked, claimed, inLog: beyondFill(topic, seen), ...before };
}
