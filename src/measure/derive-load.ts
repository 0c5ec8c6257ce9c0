import type { LoadPlan, ProducerLoad } from '../design/plan.ts';
import type { CacheReading } from './cache-class.ts';
import { deriveConsumer } from './derive-consumer.ts';
import type { LoadEvidence } from './evidence.ts';
import { metricsByName } from './metrics-table.ts';
import { latencyOf, producerReader } from './producer.ts';
import { readErrors } from './stderr.ts';
import type { RawLoad } from './trial-evidence.ts';
import type { LoadMeasurement, MeasuredLoad } from './trial-rate.ts';
import type { LoadRecord } from './trial-record.ts';
import { DEFAULT_BUFFER_BYTES } from './windows.ts';

/** `--reporting-interval` that every load is started with. */
const INTERVAL_MS = 1_000;

/** One load of an attempt, read once: what the verdict needs, what the rate needs, its record. */
export interface DerivedLoad {
  readonly evidence: LoadEvidence;
  readonly measured: MeasuredLoad;
  record(measurement: LoadMeasurement | undefined, around: AroundLoad): LoadRecord;
}

/** What the machine says of a load in the window. */
export interface AroundLoad {
  readonly cpuCores: number | null;
  /** Of consumers only. */
  readonly cache: CacheReading | null;
}

/** What a load was started with. */
export interface LoadSettings {
  readonly asked: number;
  /** Argument by argument; empty when it was never started. */
  readonly command: readonly string[];
  readonly recordBytes: number;
  /** Records per second; null = as fast as it can. */
  readonly recordsPerS: number | null;
  /** Of a consumer: producers without which it has nothing to read. */
  readonly feeders: readonly string[];
  /** null = not pinned. */
  readonly allowedCores: number | null;
}

const NEVER_STARTED: RawLoad = {
  state: 'absent',
  exit: null,
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
};

/** Reads what a load left behind; undefined = it was never started. Pure: the same bytes give the same figures. */
export function deriveLoad(
  load: LoadPlan,
  settings: LoadSettings,
  raw: RawLoad = NEVER_STARTED,
): DerivedLoad {
  return load.kind === 'producer' ? deriveProducer(load, settings, raw) : deriveConsumer(load, settings, raw);
}

function deriveProducer(load: ProducerLoad, settings: LoadSettings, raw: RawLoad): DerivedLoad {
  const { asked, command, recordBytes, recordsPerS, allowedCores } = settings;
  const reader = producerReader({ stamped: true });
  reader.push(raw.stdout);
  const output = reader.end();
  const errors = readErrors(raw.stderr);
  const failedCallbacks = raw.exit?.stderrCounted ?? errors.failedCallbacks;
  return {
    evidence: {
      kind: 'producer',
      name: load.name,
      topic: load.topic,
      asked,
      state: raw.state,
      exit: raw.exit,
      errors,
      failedCallbacks,
      allowedCores,
      usedCores: null,
      output,
      askedRecordsPerS: recordsPerS,
      recordBytes,
      transactional: load.transactionMs !== null,
    },
    measured: {
      kind: 'producer',
      name: load.name,
      output,
      intervalMs: INTERVAL_MS,
      recordBytes,
      bufferBytes: Number(load.config['buffer.memory'] ?? DEFAULT_BUFFER_BYTES),
      askedRecordsPerS: recordsPerS,
      endedAtMs: raw.exit?.endedAtMs ?? null,
    },
    record: (measurement, { cpuCores }) => ({
      name: load.name,
      kind: 'producer',
      topic: load.topic,
      command,
      asked,
      finalCount: output.final?.records ?? null,
      exitCode: raw.exit?.code ?? null,
      failedCallbacks,
      stderrCutBytes: raw.exit?.stderrCutBytes ?? 0,
      totalRecordsPerS: measurement?.totalRecordsPerS ?? null,
      steady: measurement?.steady ?? null,
      latencyMs: latencyOf(output, load.config['acks'] ?? null),
      series: measurement?.series ?? [],
      metrics: metricsByName(output.metrics.rows),
      startedAtMs: measurement?.startedAtMs ?? null,
      endedAtMs: measurement?.endedAtMs ?? null,
      cpuCores,
      askedRecordsPerS: recordsPerS,
    }),
  };
}
