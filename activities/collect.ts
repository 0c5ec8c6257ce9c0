import { beating, type Beat } from './beat.ts';
import { type Bench, environmentOf, scenarioOf } from './bench.ts';
import { collectLoad, type CollectedLoad, type NamedFile } from './collect-load.ts';
import { collectMachines, type CollectedMachine } from './collect-machines.ts';
import type { HostActivities, Prepared, TrialBrief, TrialEvidence, TrialInput } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { loadCommand } from './load-command.ts';
import type { Scenario } from '../src/design/plan.ts';
import { deriveTrial } from '../src/measure/derive-trial.ts';
import { deservesNewAttempt } from '../src/measure/reasons.ts';
import type { AttemptEvidence } from '../src/measure/trial-evidence.ts';
import type { RawFile, TrialRecord } from '../src/measure/trial-record.ts';
import { EVIDENCE, TRIAL } from '../src/store/attempt-files.ts';
import { asJson, trialFolder } from '../src/store/experiment-files.ts';
import type { Store } from '../src/store/store.ts';

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
  const loads = await Promise.all(scenario.loads.map((load) => collectLoad(bench, trial, load, beat)));
  const machines = await collectMachines(bench, trial, beat);
  const samples = machines.flatMap((m) => (m.file === null ? [] : [m.file]));
  const files = await storeRaw(bench.store, trial, [...loads.flatMap((l) => l.files), ...samples]);
  const attempt = await attemptEvidence(bench, trial, scenario, withLostLoads(seen, loads), machines);
  await storeEvidence(bench.store, trial, attempt);
  const record = deriveTrial(bench.plan, attempt, {
    loads: Object.fromEntries(loads.map((l: CollectedLoad) => [l.name, l.raw])),
    samples: Object.fromEntries(samples.map((f) => [f.name, f.content])),
    files,
  });
  const stored = await bench.store.put(`${trialFolder(trial)}/${TRIAL}`, asJson(record));
  return briefOf(trial, record, stored.sha256);
}

/** What a load measured and its host took along voids the attempt, unless that was known before. */
function withLostLoads(seen: TrialEvidence, loads: readonly CollectedLoad[]): TrialEvidence {
  if (seen.failure !== null) return seen;
  const gone = loads.filter(({ hostGone }) => hostGone).map(({ name }) => name);
  if (gone.length > 0) {
    const message = `the client is gone, and with it what was measured by ${gone.join(', ')}`;
    return { ...seen, failure: { code: 'host-gone', message } };
  }
  const missing = loads.filter(
    ({ name, raw }) => raw.state === 'absent' && seen.loaded?.loads[name] !== undefined,
  );
  if (missing.length === 0) return seen;
  const names = missing.map(({ name }) => name).join(', ');
  const message = `the client is not the one that ran ${names}: it knows nothing of them`;
  return { ...seen, failure: { code: 'host-replaced', message } };
}

async function storeRaw(store: Store, trial: TrialInput, files: readonly NamedFile[]): Promise<RawFile[]> {
  const raw: RawFile[] = [];
  for (const { name, content } of files) {
    const { sha256, bytes } = await store.put(`${trialFolder(trial)}/${name}`, content);
    raw.push({ path: name, sha256, bytes });
  }
  return raw;
}

/** Until there is a verdict, the evidence may be that of a collect which was cut off: what is seen now counts. */
async function storeEvidence(store: Store, trial: TrialInput, attempt: AttemptEvidence): Promise<void> {
  const folder = trialFolder(trial);
  const judged = await store.has(`${folder}/${TRIAL}`);
  await store[judged ? 'put' : 'replace'](`${folder}/${EVIDENCE}`, asJson(attempt));
}

async function attemptEvidence(
  bench: Bench,
  trial: TrialInput,
  scenario: Scenario,
  seen: TrialEvidence,
  machines: readonly CollectedMachine[],
): Promise<AttemptEvidence> {
  const { block, pass, attempt, position, counts, rates, lab, rampMs } = trial;
  const { bootstrapServers, pinning } = await environmentOf(bench);
  return {
    format: 1,
    experimentKey: trial.ref.key,
    trial: {
      block,
      pass,
      scenario: scenario.slug,
      attempt,
      position,
      counts,
      ...(rates === undefined ? {} : { rates }),
      ...(lab === undefined ? {} : { lab }),
      rampMs,
    },
    startedAt: new Date(seen.startedAtMs).toISOString(),
    endedAt: new Date(seen.endedAtMs).toISOString(),
    clientCores: coreCount(pinning.clients),
    commands:
      seen.prepared === null ? {} : commandsOf(bench, trial, seen.prepared, scenario, bootstrapServers),
    machines: machines.map(({ name, file }) => ({ name, samples: file?.name ?? null })),
    seen,
  };
}

function commandsOf(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared,
  scenario: Scenario,
  bootstrapServers: string,
): AttemptEvidence['commands'] {
  const commands = scenario.loads.map((load) => {
    return [load.name, loadCommand(bench, trial, prepared, load, bootstrapServers).argv] as const;
  });
  return Object.fromEntries(commands);
}

/** Cores in a taskset list such as `0`, `0-1` or `0,2-3`; null = not pinned. */
export function coreCount(cpus: string | null): number | null {
  if (cpus === null) return null;
  return cpus.split(',').reduce((sum, part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return sum + to - from + 1;
  }, 0);
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
