import type { KubernetesPlan, PodPlan } from '../design/kubernetes-plan.ts';
import type { Plan } from '../design/plan.ts';
import type { Results } from './results.ts';
import { overridesOf } from './deviations.ts';
import { existingCluster } from './existing-facts.ts';
import { bytes, duration, integer, moment, number, percent } from './text.ts';

/** A titled table of names and values, for whatever a reader must know to judge or repeat the experiment. */
export interface FactGroup {
  readonly title: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** What was measured with, and on what. A fact that was not recorded is said to be unknown, never left out silently. */
export function factGroups(results: Results): readonly FactGroup[] {
  const ofLab = existingCluster(results) ?? lab(results);
  return [identity(results), ofLab, machine(results), procedure(results), corpora(results)].filter(
    (group) => group.facts.length > 0,
  );
}

function identity({ plan, planSha256, frozenSha256, experiment, environment }: Results): FactGroup {
  return {
    title: 'Experiment',
    facts: [
      ['workflow id', experiment?.workflowId ?? 'unknown'],
      ['experiment key', experiment?.key ?? 'unknown'],
      ['started', experiment ? moment(experiment.startedAt) : 'unknown'],
      ['ended', experiment ? moment(experiment.endedAt) : 'unknown'],
      ['seed of the orders', plan.seed],
      ['plan, sha256', planSha256],
      ['spec, sha256', plan.specSha256],
      ['frozen after block 0, sha256', frozenSha256 ?? 'nothing was frozen'],
      ['Assay', environment?.assayVersion ?? 'unknown'],
      ['changed on the command line', overridesOf(plan, experiment).join(', ') || 'nothing'],
    ],
  };
}

function lab({ plan, environment }: Results): FactGroup {
  const { brokers, clients } = plan.lab;
  const config = { ...brokers.config, ...environment?.brokerConfig };
  return {
    title: 'Lab',
    facts: [
      ['target', plan.lab.target],
      [
        'brokers',
        `${brokers.count} × Kafka ${environment?.kafkaVersion ?? brokers.kafka}, heap ${bytes(brokers.heapBytes)}`,
      ],
      ['clients', `${clients.names.join(', ')}, heap ${bytes(clients.heapBytes)}`],
      ['Java', environment?.javaVersion ?? 'unknown'],
      ['JVM flags of brokers', environment?.jvmFlags.join(' ') || 'unknown'],
      ['JIT', brokers.jit === 'full' ? 'full (C1 and C2)' : 'C1 only: slower than a server in production'],
      ...placement(plan, environment?.pinning ?? null),
      ['cluster id', environment?.clusterId ?? 'unknown'],
      ...Object.entries(config).map(([name, value]) => [`broker: ${name}`, value] as const),
    ],
  };
}

/** Cores of a machine are shared out by pinning, those of nodes by what pods ask for. */
function placement(plan: Plan, cores: Parameters<typeof pinning>[1]): FactGroup['facts'] {
  const { kubernetes } = plan.lab;
  if (kubernetes === undefined) return [['pinning', pinning(plan, cores)]];
  const of = ({ requests, limits }: PodPlan): string =>
    `asks for ${requests.cpu} CPU and ${bytes(requests.memoryBytes)}, at most ${limits.cpu} CPU and ${bytes(limits.memoryBytes)}`;
  const { brokers, clients, region } = kubernetes;
  return [
    ['each broker pod', of(brokers)],
    ['each client pod', of(clients)],
    ['brokers spread over', brokers.spread === 'node' ? 'a node each' : 'whatever nodes there are'],
    ['clients spread over', clients.apart === 'node' ? 'a node each' : 'whatever nodes there are'],
    ['volume of each broker', storage(kubernetes)],
    ['region', region ?? 'not known'],
  ];
}

function storage({ storageClass, brokers }: KubernetesPlan): string {
  const size = bytes(brokers.diskBytes);
  if (storageClass.mode === 'given') return `${size} of the StorageClass ${storageClass.name}`;
  const { type, iops, throughputMiBps, encrypted } = storageClass;
  return [
    `${size} ${type}`,
    ...(iops === null ? [] : [`${integer(iops)} IOPS`]),
    ...(throughputMiBps === null ? [] : [`${number(throughputMiBps)} MiB/s`]),
    encrypted ? 'encrypted' : 'not encrypted',
  ].join(', ');
}

function pinning(plan: Plan, cores: { brokers: string | null; clients: string | null } | null): string {
  if (!plan.lab.pin) return 'none: brokers and clients share all cores';
  if (!cores) return 'unknown';
  if (cores.brokers === null && cores.clients === null) return 'none: the machine has too few cores';
  return `brokers on cores ${cores.brokers ?? 'any'}, clients on cores ${cores.clients ?? 'any'}`;
}

function machine({ plan, environment }: Results): FactGroup {
  const facts = Object.entries(environment?.machine ?? {});
  const dirty = environment?.baseDirtyBytes;
  const inPods = plan.lab.target === 'kubernetes';
  const quiet = inPods ? 'dirty memory of the first node when quiet' : 'dirty memory when quiet';
  return {
    title: inPods ? 'Pods and nodes' : plan.lab.existing ? 'Machine of the clients' : 'Machine',
    facts: dirty === undefined ? facts : [...facts, [quiet, bytes(dirty)]],
  };
}

function procedure({ plan, frozen }: Results): FactGroup {
  const { settle } = plan;
  const ramp = frozen
    ? `${duration(frozen.rampMs)} (${frozen.rampFrom === 'spec' ? 'from the spec' : 'from block 0'})`
    : 'unknown';
  const watched = plan.lab.existing ? 'the machine of the clients (the brokers are not seen) is ' : '';
  const warm = frozen?.warm === false ? `; still warming: ${frozen.stillWarming.join(', ')}` : '';
  return {
    title: 'Procedure',
    facts: [
      ['blocks', `${plan.orders.length} planned, each in an order drawn from the seed`],
      ['warm-up', frozen ? `block 0, ${frozen.passes} passes${warm}` : 'block 0 did not finish'],
      ['cut at the start of every load', ramp],
      [
        'settle before a load',
        `${settle.method}, until ${watched}quiet for ${duration(settle.quietMs)}, at most ${duration(settle.limitMs)}`,
      ],
      [
        'drain after a load',
        `${plan.lab.existing ? 'of that machine, ' : ''}watched for at most ${duration(settle.drainMs)}`,
      ],
      ['margin', `± ${percent(plan.smallestEffectOfInterest)}`],
      ['attempts at a trial', `${plan.retries + 1} at most`],
    ],
  };
}

function corpora({ plan, payloads }: Results): FactGroup {
  return {
    title: 'Corpora',
    facts: plan.payloads.map((p) => {
      const hash = payloads?.payloads[p.name]?.sha256 ?? 'unknown';
      const text = `${integer(p.lines)} ${p.kind} records of ${number(p.recordBytes)} B, ${madeFrom(p)}; sha256 ${hash}`;
      return [p.name, text] as const;
    }),
  };
}

function madeFrom(payload: Plan['payloads'][number]): string {
  if (payload.kind === 'file') return `the file ${payload.file}`;
  return payload.kind === 'json'
    ? `${percent(payload.padding)} padding, seed ${payload.seed}`
    : `seed ${payload.seed}`;
}
