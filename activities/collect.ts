import { beating, type Beat } from './beat.ts';
import { type Bench, scenarioOf } from './bench.ts';
import { collectLoad, type CollectedLoad } from './collect-load.ts';
import { collectMachines, type CollectedMachine } from './collect-machines.ts';
import type { HostActivities, TrialBrief, TrialEvidence, TrialInput } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { trialId } from '../src/design/names.ts';
import type { Scenario } from '../src/design/plan.ts';
import type { Evidence, IdentityEvidence, TopicEvidence } from '../src/measure/evidence.ts';
import { deservesNewAttempt, reason, type Verdict } from '../src/measure/reasons.ts';
import { measureTrial, type TrialMeasurement } from '../src/measure/trial-rate.ts';
import type { RawFile, TrialRecord } from '../src/measure/trial-record.ts';
import { verdict } from '../src/measure/verdict.ts';
import { asJson, trialFolder } from '../src/store/experiment-files.ts';
import type { Store } from '../src/store/store.ts';

/** Ramp that a trial of block 0 leaves out where it is long enough: the experiment's own comes from block 0. */
const PROVISIONAL_RAMP_MS = 5_000;

/** Puts every raw file of an attempt into the store, then its verdict. An attempt ends only when that is done. */
export function collectActivities(deps: ActivityDeps): Pick<HostActivities, 'collectTrial'> {
  return {
    collectTrial: ({ trial, evidence }) =>
      beating(async (beat) => collect(await deps.benches.open(trial.ref), trial, evidence, beat)),
  };
}

async function collect(
  bench: Bench,
  trial: TrialInput,
  seen: TrialEvidence,
  beat: Beat,
): Promise<TrialBrief> {
  beat.say({ phase: 'collect', text: 'storing raw files' });
  const scenario = scenarioOf(bench, trial);
  const loads = await Promise.all(
    scenario.loads.map((load) => collectLoad(bench, trial, seen.prepared, load)),
  );
  const measurement = measure(trial, loads);
  const machines = await collectMachines(bench, trial, scenario, windowOf(measurement, seen));
  const raw = await storeRaw(bench.store, trial, [
    ...loads.flatMap((l) => l.files),
    ...machines.flatMap((m) => m.files),
  ]);
  const judged = verdict(evidenceOf(bench, trial, scenario, seen, loads, machines, measurement));
  const record = recordOf(trial, scenario, seen, loads, machines, measurement, judged, raw);
  const stored = await bench.store.put(`${trialFolder(trial)}/trial.json`, asJson(record));
  return briefOf(trial, record, stored.sha256);
}

/** Block 0 has no ramp yet: it leaves a provisional one out where enough is left, or none. */
function measure(trial: TrialInput, loads: readonly CollectedLoad[]): TrialMeasurement {
  const measured = loads.map((l) => l.measured);
  if (trial.block > 0) return measureTrial(measured, { rampMs: trial.rampMs });
  const cut = measureTrial(measured, { rampMs: PROVISIONAL_RAMP_MS });
  return cut.rate !== null && cut.rate.windowMs >= PROVISIONAL_RAMP_MS
    ? cut
    : measureTrial(measured, { rampMs: 0 });
}

/** The steady window; without one, the time from prepare to the end of the loads. */
function windowOf(measurement: TrialMeasurement, seen: TrialEvidence): { fromMs: number; toMs: number } {
  if (measurement.rate !== null) return measurement.rate;
  const starts = measurement.loads.flatMap((l) => (l.startedAtMs === null ? [] : [l.startedAtMs]));
  const fromMs = starts.length > 0 ? Math.min(...starts) : (seen.prepared?.atMs ?? seen.startedAtMs);
  return { fromMs, toMs: seen.loaded?.endedAtMs ?? seen.endedAtMs };
}

async function storeRaw(
  store: Store,
  trial: TrialInput,
  files: readonly { name: string; content: Buffer }[],
): Promise<RawFile[]> {
  const raw: RawFile[] = [];
  for (const { name, content } of files) {
    const { sha256, bytes } = await store.put(`${trialFolder(trial)}/${name}`, content);
    raw.push({ path: name, sha256, bytes });
  }
  return raw;
}

function evidenceOf(
  bench: Bench,
  trial: TrialInput,
  scenario: Scenario,
  seen: TrialEvidence,
  loads: readonly CollectedLoad[],
  machines: readonly CollectedMachine[],
  measurement: TrialMeasurement,
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
    minWindowMs: trial.block === 0 ? 0 : bench.plan.window.minMs,
    settle: settled === null ? null : { outcome: settled, dirtyBytes: bench.plan.settle.dirtyBytes },
    known: failure === null ? [] : [reason(failure.code, failure.message)],
  };
}

function coresOf(machines: readonly CollectedMachine[], load: string): number | null {
  for (const { summary } of machines) {
    const cores = summary?.clientCores[load];
    if (cores != null) return cores;
  }
  return null;
}

function topicEvidence(topic: string, seen: TrialEvidence): TopicEvidence {
  const after = seen.verified?.topics[topic];
  return {
    topic,
    inLog: after?.inLog ?? null,
    before: seen.prepared?.topics[topic]?.partitions ?? null,
    after: after?.partitions ?? null,
  };
}

/** Only what was looked at twice says anything about a change. */
function identityEvidence({ prepared, verified }: TrialEvidence): IdentityEvidence[] {
  if (prepared === null || verified === null) return [];
  return Object.entries(prepared.identities).map(([who, before]) => {
    return { who, before, after: verified.identities[who] ?? null };
  });
}

function recordOf(
  trial: TrialInput,
  scenario: Scenario,
  seen: TrialEvidence,
  loads: readonly CollectedLoad[],
  machines: readonly CollectedMachine[],
  measurement: TrialMeasurement,
  judged: Verdict,
  raw: readonly RawFile[],
): TrialRecord {
  const { block, pass, position, attempt, ref } = trial;
  return {
    format: 1,
    experimentKey: ref.key,
    id: trialId(trial),
    block,
    pass,
    scenario: trial.scenario,
    attempt,
    position,
    startedAt: new Date(seen.startedAtMs).toISOString(),
    endedAt: new Date(seen.endedAtMs).toISOString(),
    verdict: judged,
    rate: measurement.rate,
    loads: loads.map((load, i) => load.record(measurement.loads[i], coresOf(machines, load.evidence.name))),
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
  loads: readonly CollectedLoad[],
): TrialRecord['offsets'][number] {
  const mine = loads.filter((l) => l.evidence.topic === topic);
  const counts = mine.map((l) => l.evidence.output.final?.records ?? null);
  const claimed = counts.includes(null) ? null : counts.reduce<number>((sum, n) => sum + (n ?? 0), 0);
  const asked = mine.reduce((sum, l) => sum + l.evidence.asked, 0);
  return { topic, asked, claimed, inLog: seen.verified?.topics[topic]?.inLog ?? null };
}

function briefOf(trial: TrialInput, record: TrialRecord, recordSha256: string): TrialBrief {
  const { block, pass, scenario, attempt, position } = trial;
  const { valid, reasons, flags } = record.verdict;
  const name = { block, pass, scenario, attempt, id: record.id, position };
  const newAttempt = !valid && deservesNewAttempt(reasons);
  return {
    ...name,
    valid,
    newAttempt,
    reasons,
    flags,
    recordsPerS: record.rate?.recordsPerS ?? null,
    recordSha256,
  };
}
