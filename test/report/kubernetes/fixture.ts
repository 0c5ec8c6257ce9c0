import type { PodFacts, VolumeFacts } from '../../../src/lab/lab.ts';
import {
  type CloudWatchRecord,
  type MetricPoint,
  type MetricSeries,
  spacingOf,
} from '../../../src/measure/cloudwatch.ts';
import type { TrialRecord } from '../../../src/measure/trial-record.ts';
import type { EnvironmentRecord } from '../../../src/report/results.ts';
import { FILES } from '../../../src/store/experiment-files.ts';
import type { Store } from '../../../src/store/store.ts';
import { labPlanOf } from '../../lab/kubernetes/objects/support.ts';
import { COMPLETED, type Fixture } from '../fixture-cases.ts';
import { plan } from '../fixture-plan.ts';
import { START_MS, trials } from '../fixture-trials.ts';
import { ENVIRONMENT, fillStore, type Parts } from '../fixtures.ts';
import { memoryStore } from '../harness.ts';

/** Two scenarios, two blocks and two warm-up passes: eight trials, one every five minutes. */
export const IN_PODS: Fixture = withoutVoid({ ...COMPLETED, name: 'in-pods', blocks: 2 });

const SLOT_MS = 300_000;
const MINUTE_MS = 60_000;
const MIB = 2 ** 20;
const PRICES = {
  date: '2026-09',
  instances: { 'm5.xlarge': 0.236 },
  volumes: { gp3: 0.0912 },
};

/** What the node counts on the device of each broker, and CloudWatch on its volume. */
export const WRITES = {
  b1: { volumeId: 'vol-00000000000000b01', deviceMiBps: 40, cloudWatchMiBps: 41, opsPerS: 400 },
  b2: { volumeId: 'vol-00000000000000b02', deviceMiBps: 60, cloudWatchMiBps: 60, opsPerS: 500 },
  b3: { volumeId: 'vol-00000000000000b03', deviceMiBps: 80, cloudWatchMiBps: 0, opsPerS: 0 },
} as const;

type Broker = keyof typeof WRITES;

/** b3's device could not be told: its mapping is unverified. */
export const VOLUMES: readonly VolumeFacts[] = (['b1', 'b2', 'b3'] as const).map((broker, i) => {
  const { volumeId } = WRITES[broker];
  const common = {
    broker,
    node: `ip-10-0-0-${i + 1}`,
    claim: `data-kafka-${i}`,
    volume: `pvc-${i}`,
    volumeId,
    partition: null,
    fileSystem: 'xfs',
  };
  if (broker === 'b3')
    return {
      ...common,
      device: null,
      serial: null,
      result: 'unverified',
      seen: 'no serial number can be read',
    };
  const serial = volumeId.replace('-', '');
  return { ...common, device: 'nvme1n1', serial, result: 'verified', seen: `${volumeId} is nvme1n1` };
});

const COMMON = {
  zone: 'ap-northeast-2b',
  java: '21.0.11',
  image: `docker.io/kafka@sha256:${'ab'.repeat(32)}`,
};

/** The client shares b1's node; the node of b3 has another kernel. */
export const PODS: readonly PodFacts[] = [
  pod('broker b1', 'kafka-0', 'ip-10-0-0-1', { instance: 'i-00000001' }),
  pod('broker b2', 'kafka-1', 'ip-10-0-0-2', { instance: 'i-00000002' }),
  pod('broker b3', 'kafka-2', 'ip-10-0-0-3', { instance: 'i-00000003', kernel: '6.1.999' }),
  pod('client c1', 'client-c1', 'ip-10-0-0-1', { instance: 'i-00000001' }),
];

function pod(who: string, name: string, node: string, facts: Readonly<Record<string, string>>): PodFacts {
  return {
    who,
    pod: name,
    node,
    facts: { ...COMMON, instanceType: 'm5.xlarge', kernel: '6.18.41', ...facts },
  };
}

export const IN_PODS_ENVIRONMENT: EnvironmentRecord = {
  ...ENVIRONMENT,
  pinning: { brokers: null, clients: null },
  machine: { kernel: '6.18.41 (broker b1, broker b2, client c1); 6.1.999 (broker b3)' },
  pods: PODS,
  volumes: VOLUMES,
};

/** Windows of 3 min that hold two whole minutes; that of the last trial holds none. */
export function trialsInPods(): TrialRecord[] {
  const all = trials(IN_PODS);
  return all.map((one, i) => {
    const startMs = START_MS + i * SLOT_MS;
    const windowMs = i === all.length - 1 ? 30_000 : 180_000;
    const [load] = one.loads;
    if (load === undefined || one.rate === null) throw new Error('a fixture without a load');
    const rate = { ...one.rate, windowMs, fromMs: startMs + 20_000, toMs: startMs + 20_000 + windowMs };
    const times = { startedAtMs: startMs, endedAtMs: startMs + 220_000 };
    return {
      ...one,
      startedAt: new Date(startMs - 9_000).toISOString(),
      endedAt: new Date(startMs + 230_000).toISOString(),
      rate,
      loads: [{ ...load, steady: rate, ...times }],
    };
  });
}

const NAMES: Readonly<Record<string, Broker | null>> = {
  'sampler.jsonl': 'b1',
  'sampler-2.jsonl': 'b2',
  'sampler-3.jsonl': 'b3',
  'sampler-4.jsonl': null,
};

/** One sampler a pod, a reading every two seconds; every node calls its data volume nvme1n1. */
export function samplesInPod(trial: TrialRecord, broker: Broker | null): string {
  const startS = (trial.loads[0]?.startedAtMs ?? 0) / 1000;
  const { deviceMiBps, opsPerS } = broker === null ? { deviceMiBps: 0, opsPerS: 0 } : WRITES[broker];
  const process = broker === null ? 'load.p' : `broker.${broker}`;
  const lines = Array.from({ length: 110 }, (_, i) => {
    const at = 2 * i;
    const disk = {
      rio: 0,
      rsect: 0,
      wio: opsPerS * at,
      wsect: (deviceMiBps * MIB * at) / 512,
      ioms: 500 * at,
    };
    return JSON.stringify({
      w0: startS + at,
      w1: startS + at,
      u0: 100 + at,
      u1: 100 + at,
      cpu: [10 * at, 0, 5 * at, 170 * at, at, at, at, at],
      disk: broker === null ? null : disk,
      dirty: 900,
      wb: 0,
      net: { eth0: [1000 * at, 1000 * at] },
      psi: null,
      proc: { [process]: [7 * at, at, 99] },
      cg: null,
    });
  });
  const device = broker === null ? 'null' : '"nvme1n1"';
  const header = `{"sampler":1,"boot":"boot-${broker ?? 'c1'}","hz":100,"ncpu":4,"device":${device}}`;
  return `${[header, ...lines].join('\n')}\n`;
}

const LENGTH_MS = 8 * SLOT_MS;

function minutes(value: number, keep: (minute: number) => boolean = () => true): readonly MetricPoint[] {
  return Array.from({ length: LENGTH_MS / MINUTE_MS }, (_, i) => i)
    .filter(keep)
    .map((i) => ({ startMs: START_MS + i * MINUTE_MS, value }));
}

function series(
  resource: MetricSeries['resource'],
  id: string,
  metric: MetricSeries['metric'],
  points: readonly MetricPoint[],
  completeness: MetricSeries['completeness'] = 'complete',
): MetricSeries {
  const common = { resource, id, metric, periodS: 60, completeness, points, spacingS: spacingOf(points) };
  return {
    ...common,
    statistic: /Queue/.test(metric) ? 'Average' : /Exceeded/.test(metric) ? 'Maximum' : 'Sum',
  };
}

/**
 * CloudWatch has everything of b1's volume; of b2's it lost a minute and gives nothing read, no queue and no checks; b3's
 * volume was idle, which it says with zeros.
 */
export function cloudWatchInPods(changes: Partial<CloudWatchRecord> = {}): CloudWatchRecord {
  const written = (broker: Broker, keep?: (minute: number) => boolean): MetricSeries[] => {
    const { volumeId, cloudWatchMiBps, opsPerS } = WRITES[broker];
    const worth = keep === undefined ? 'complete' : 'partial';
    return [
      series('volume', volumeId, 'VolumeWriteBytes', minutes(cloudWatchMiBps * MIB * 60, keep), worth),
      series('volume', volumeId, 'VolumeWriteOps', minutes(opsPerS * 60)),
    ];
  };
  const read = (broker: Broker): MetricSeries[] => [
    series('volume', WRITES[broker].volumeId, 'VolumeReadBytes', minutes(0)),
    series('volume', WRITES[broker].volumeId, 'VolumeReadOps', minutes(0)),
  ];
  return {
    format: 1,
    region: 'ap-northeast-2',
    window: { fromMs: START_MS - SLOT_MS, toMs: START_MS + LENGTH_MS },
    readAt: new Date(START_MS + LENGTH_MS + 900_000).toISOString(),
    reads: 3,
    state: 'stable',
    notes: [],
    series: [
      ...written('b1'),
      ...read('b1'),
      series('volume', WRITES.b1.volumeId, 'VolumeQueueLength', minutes(2)),
      series('volume', WRITES.b1.volumeId, 'VolumeIOPSExceededCheck', minutes(0)),
      series('volume', WRITES.b1.volumeId, 'VolumeThroughputExceededCheck', minutes(1)),
      // The second minute of every trial is missing.
      ...written('b2', (minute) => minute % 5 !== 2),
      series('volume', WRITES.b2.volumeId, 'VolumeReadBytes', []),
      ...written('b3'),
      ...read('b3'),
      series('instance', 'i-00000001', 'NetworkIn', minutes(60 * 30 * MIB)),
      series('instance', 'i-00000001', 'NetworkOut', minutes(60 * 50 * MIB)),
      series('instance', 'i-00000001', 'EBSIOBalance%', []),
    ],
    ...changes,
  };
}

export const PARTS: Parts = {
  plan: { ...plan(IN_PODS), lab: labPlanOf({ kubernetes: { prices: PRICES } }) },
  trials: trialsInPods(),
  environment: IN_PODS_ENVIRONMENT,
  raw: (trial) =>
    Object.fromEntries(Object.entries(NAMES).map(([name, broker]) => [name, samplesInPod(trial, broker)])),
  tookMs: LENGTH_MS + 20 * MINUTE_MS,
};

/** @param metrics null = CloudWatch was not read. */
export async function storeInPods(
  metrics: CloudWatchRecord | null = cloudWatchInPods(),
  changes: Partial<Parts> = {},
): Promise<Store> {
  const store = memoryStore();
  await fillStore(IN_PODS, store, { ...PARTS, ...changes });
  if (metrics !== null) await store.put(FILES.metrics, `${JSON.stringify(metrics, null, 1)}\n`);
  return store;
}

function withoutVoid({ voided, ...fixture }: Fixture): Fixture {
  void voided;
  return fixture;
}
