import type { Bench } from './bench.ts';
import { environmentOf } from './bench.ts';
import type { Prepared, TrialInput } from './contract.ts';
import { loadCommand } from './load-command.ts';
import { loadOutput, type LoadOutput } from './load-files.ts';
import type { LoadPlan } from '../src/design/plan.ts';
import type { ProducerEvidence } from '../src/measure/evidence.ts';
import { metricsByName } from '../src/measure/metrics-table.ts';
import { latencyOf } from '../src/measure/producer.ts';
import type { LoadMeasurement, MeasuredLoad } from '../src/measure/trial-rate.ts';
import type { LoadRecord } from '../src/measure/trial-record.ts';
import { DEFAULT_BUFFER_BYTES } from '../src/measure/windows.ts';
import { asJson } from '../src/store/experiment-files.ts';

const INTERVAL_MS = 1_000;

/** One load of an attempt, read once: its raw files, what the verdict needs, what the rate needs, its record. */
export interface CollectedLoad {
  readonly evidence: ProducerEvidence;
  readonly measured: MeasuredLoad;
  readonly files: readonly { readonly name: string; readonly content: Buffer }[];
  record(measurement: LoadMeasurement | undefined, cpuCores: number | null): LoadRecord;
}

export async function collectLoad(
  bench: Bench,
  trial: TrialInput,
  prepared: Prepared | null,
  load: LoadPlan,
): Promise<CollectedLoad> {
  const found = await loadOutput(bench, trial, load);
  const { bootstrapServers, pinning } = await environmentOf(bench);
  const command = prepared === null ? [] : loadCommand(bench, trial, prepared, load, bootstrapServers).argv;
  const recordBytes = bench.plan.payloads.find((p) => p.name === load.payload)?.recordBytes ?? 0;
  const asked = trial.counts[load.name] ?? 0;
  const evidence = evidenceOf(load, found, asked, recordBytes, coreCount(pinning.clients));
  const measured: MeasuredLoad = {
    name: load.name,
    output: found.output,
    intervalMs: INTERVAL_MS,
    recordBytes,
    bufferBytes: Number(load.config['buffer.memory'] ?? DEFAULT_BUFFER_BYTES),
    askedRecordsPerS: load.recordsPerS,
    endedAtMs: found.poll.exit?.endedAtMs ?? null,
  };
  return {
    evidence,
    measured,
    files: filesOf(load, found),
    record: (measurement, cpuCores) => recordOf(load, found, asked, command, measurement, cpuCores),
  };
}

function evidenceOf(
  load: LoadPlan,
  { poll, output, errors }: LoadOutput,
  asked: number,
  recordBytes: number,
  allowedCores: number | null,
): ProducerEvidence {
  return {
    kind: 'producer',
    name: load.name,
    topic: load.topic,
    asked,
    state: poll.state,
    exit: poll.exit,
    errors,
    failedCallbacks: poll.exit?.stderrCounted ?? errors.failedCallbacks,
    allowedCores,
    usedCores: null,
    output,
    askedRecordsPerS: load.recordsPerS,
    recordBytes,
    transactional: false,
  };
}

function filesOf(load: LoadPlan, { poll, stdout, stderr }: LoadOutput): CollectedLoad['files'] {
  if (poll.state === 'absent') return [];
  const end = { state: poll.state, claim: poll.claim, child: poll.child, exit: poll.exit };
  return [
    { name: `${load.name}.stdout`, content: stdout },
    { name: `${load.name}.stderr`, content: stderr },
    { name: `${load.name}.exit.json`, content: Buffer.from(asJson(end)) },
  ];
}

function recordOf(
  load: LoadPlan,
  { poll, output, errors }: LoadOutput,
  asked: number,
  command: readonly string[],
  measurement: LoadMeasurement | undefined,
  cpuCores: number | null,
): LoadRecord {
  return {
    name: load.name,
    kind: 'producer',
    topic: load.topic,
    command,
    asked,
    finalCount: output.final?.records ?? null,
    exitCode: poll.exit?.code ?? null,
    failedCallbacks: poll.exit?.stderrCounted ?? errors.failedCallbacks,
    stderrCutBytes: poll.exit?.stderrCutBytes ?? 0,
    totalRecordsPerS: measurement?.totalRecordsPerS ?? null,
    steady: measurement?.steady ?? null,
    latencyMs: latencyOf(output, load.config['acks'] ?? null),
    series: measurement?.series ?? [],
    metrics: metricsByName(output.metrics.rows),
    startedAtMs: measurement?.startedAtMs ?? null,
    endedAtMs: measurement?.endedAtMs ?? null,
    cpuCores,
  };
}

/** Cores in a taskset list such as `0`, `0-1` or `0,2-3`; null = not pinned. */
export function coreCount(cpus: string | null): number | null {
  if (cpus === null) return null;
  return cpus.split(',').reduce((sum, part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return sum + to - from + 1;
  }, 0);
}
