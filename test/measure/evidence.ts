import type {
  Evidence,
  MachineEvidence,
  PartitionEvidence,
  ProducerEvidence,
} from '../../src/measure/evidence.ts';
import { measureTrial } from '../../src/measure/trial-rate.ts';
import type { HostSummary } from '../../src/measure/trial-record.ts';
import { readErrors, readProducer } from './helpers.ts';
import { printLoad, steadyLoad } from './lines-of-load.ts';

export const ASKED = 820_000;

/** A load of 20.5 s at 40,000 records/s that did all that was asked. */
export function goodLoad(over: Partial<ProducerEvidence> = {}): ProducerEvidence {
  const printed = steadyLoad(20, 40_000);
  const wobbly = {
    ...printed,
    intervals: printed.intervals.map((line, at) => ({
      ...line,
      records: 40_000 + (at % 2 === 0 ? 50 : -50),
    })),
  };
  return {
    kind: 'producer',
    name: 'p',
    topic: 'main',
    asked: ASKED,
    state: 'exited',
    exit: {
      code: 0,
      by: 'itself',
      startedAtMs: printed.startedAtMs - 900,
      endedAtMs: printed.startedAtMs + 20_700,
    },
    errors: readErrors(''),
    failedCallbacks: 0,
    allowedCores: 1,
    usedCores: 0.4,
    output: readProducer(printLoad(wobbly), true),
    askedRecordsPerS: null,
    recordBytes: 1008,
    transactional: false,
    ...over,
  };
}

export function partitions(
  edit: (one: PartitionEvidence) => PartitionEvidence = (one) => one,
): PartitionEvidence[] {
  return [0, 1, 2].map((partition) =>
    edit({ partition, leader: partition + 1, leaderEpoch: 0, replicas: [1, 2, 3], isr: [1, 2, 3] }),
  );
}

export function machine(over: Partial<HostSummary> = {}): MachineEvidence {
  const summary: HostSummary = {
    coverage: 1,
    samples: 15,
    busyCores: 1.5,
    stealShare: 0,
    outsideLabShare: 0.01,
    brokerCores: { b1: 0.5 },
    clientCores: { p: 0.4 },
    deviceWriteBytesPerS: 1e8,
    deviceReadBytesPerS: 0,
    deviceBusyShare: 0.5,
    network: { receivedBytesPerS: 4e7, sentBytesPerS: 4e7 },
    dirtyBytesMax: 1e9,
    psi: { cpuSomeShare: 0.1, ioSomeShare: 0.1 },
    clockSteps: 0,
    gaps: 0,
    ...over,
  };
  return { name: 'this machine', summary };
}

/** Evidence of a plain, valid acks=all trial; loads may be replaced and are measured as they are. */
export function evidence(over: Partial<Evidence> = {}): Evidence {
  const loads = over.loads ?? [goodLoad()];
  const producers = loads.flatMap((load) => (load.kind === 'producer' ? [load] : []));
  return {
    topics: [{ topic: 'main', inLog: ASKED, before: partitions(), after: partitions() }],
    identities: [{ who: 'broker b1', before: 'pid 10', after: 'pid 10' }],
    events: [],
    machines: [machine()],
    measurement: measureTrial(
      producers.map((load) => ({
        kind: 'producer' as const,
        name: load.name,
        output: load.output,
        intervalMs: 1000,
        recordBytes: load.recordBytes,
        bufferBytes: 33_554_432,
        askedRecordsPerS: null,
        endedAtMs: load.exit?.endedAtMs ?? null,
      })),
      { rampMs: 3000 },
    ),
    minWindowMs: 10_000,
    settle: null,
    known: [],
    ...over,
    loads,
  };
}
