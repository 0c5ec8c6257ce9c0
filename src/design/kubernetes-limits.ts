import type { SpecIssue, SpecPath } from '../spec/issue.ts';
import type { Spec } from '../spec/schema.ts';
import { levelsOf } from '../spec/levels.ts';
import { envNameOf } from './broker-variables.ts';
import { coresOf } from './cores.ts';
import { type KubernetesPlan, kubernetesPlanOf, type PodPlan } from './kubernetes-plan.ts';

/*
 * Contradictions of a kubernetes lab that the API server, the scheduler or EBS would answer in worse words, or not at
 * all: a pod that is killed for its memory looks like a broker that died.
 */

/** What a JVM needs beside its heap: metaspace, code, threads, buffers. */
const BESIDE_HEAP_BYTES = 256 * 1024 ** 2;
/** Limits of gp3 (facts: EBS user guide, general purpose volumes): IOPS per GiB, MiB/s per IOPS, and the ends. */
const GP3 = {
  leastIops: 3000,
  iopsPerGiB: 500,
  leastMiBps: 125,
  mostMiBps: 2000,
  miBpsPerIops: 0.25,
} as const;

/** What no kubernetes lab can do of this spec; empty when there is nothing. */
export function kubernetesRefusals(spec: Spec): readonly SpecIssue[] {
  const plan = kubernetesPlanOf(spec);
  if (plan === null) return [];
  return [
    ...localOnly(spec),
    ...unspeakable(spec),
    ...podRefusals('brokers', plan.brokers, spec.lab.brokers.heap),
    ...podRefusals('clients', plan.clients, spec.lab.clients.heap),
    ...storageRefusals(plan),
    ...secondsRefusals(spec),
  ];
}

function contradiction(path: SpecPath, message: string): SpecIssue {
  return { code: 'contradiction', path, at: 'value', message };
}

const KUBERNETES: SpecPath = ['lab', 'kubernetes'];

function localOnly({ lab }: Spec): readonly SpecIssue[] {
  return lab.pin === 'auto'
    ? []
    : [
        contradiction(
          ['lab', 'pin'],
          'lab.pin places processes of a local lab on cores of one machine; pods have cores by lab.kubernetes.brokers.resources. Leave pin out.',
        ),
      ];
}

/** Brokers of a kubernetes lab get their properties as variables of their containers. */
function unspeakable({ lab, factors }: Spec): readonly SpecIssue[] {
  const levels = Object.entries(factors).flatMap(([name, factor]) =>
    levelsOf(factor).flatMap((level) =>
      level.sets.map(([path]) => ({ path: ['factors', name], property: brokerProperty(path) })),
    ),
  );
  const written = Object.keys(lab.brokers.config).map((property) => ({
    path: ['lab', 'brokers', 'config', property],
    property,
  }));
  const named = [...written, ...levels].filter(
    ({ property }) => property !== null && envNameOf(property) === null,
  );
  return [...new Map(named.map((one) => [one.property, one])).values()].map(({ path, property }) =>
    contradiction(
      path,
      `Brokers of a kubernetes lab take properties as variables of their image, and "${property}" cannot be one of them. Leave it out.`,
    ),
  );
}

function brokerProperty(path: string): string | null {
  return /^lab\.brokers\.config\.(.+)$/.exec(path)?.[1] ?? null;
}

function podRefusals(
  kind: 'brokers' | 'clients',
  { requests, limits, tolerations }: PodPlan,
  heapBytes: number,
): readonly SpecIssue[] {
  const at = [...KUBERNETES, kind, 'resources'];
  const found: SpecIssue[] = [];
  if (coresOf(requests.cpu) > coresOf(limits.cpu))
    found.push(
      contradiction(
        [...at, 'requests', 'cpu'],
        `The ${kind} ask for ${requests.cpu} cores and may use ${limits.cpu} at most; a request is never above its limit.`,
      ),
    );
  if (requests.memoryBytes > limits.memoryBytes)
    found.push(
      contradiction(
        [...at, 'requests', 'memory'],
        `The ${kind} ask for ${gib(requests.memoryBytes)} of memory and may use ${gib(limits.memoryBytes)} at most; a request is never above its limit.`,
      ),
    );
  if (heapBytes + BESIDE_HEAP_BYTES > limits.memoryBytes)
    found.push({
      ...contradiction(
        [...at, 'limits', 'memory'],
        `A heap of ${gib(heapBytes)} and what a JVM needs beside it do not fit the ${gib(limits.memoryBytes)} that each of the ${kind} may use: it would be killed. Raise lab.kubernetes.${kind}.resources.limits.memory or lower lab.${kind}.heap.`,
      ),
      orAt: [['lab', kind, 'heap']],
    });
  tolerations.forEach((toleration, index) => {
    const odd = oddToleration(toleration);
    if (odd !== null) found.push(contradiction([...KUBERNETES, kind, 'tolerations', index], odd));
  });
  return found;
}

function oddToleration({ key, operator, value }: PodPlan['tolerations'][number]): string | null {
  if (operator === 'Exists' && value !== undefined)
    return 'operator: Exists puts up with every value, so a toleration with it has none. Leave value out.';
  if (operator === 'Equal' && key === undefined)
    return 'A toleration of every taint has operator: Exists; with operator: Equal name a key.';
  return null;
}

function storageRefusals({ storageClass, brokers }: KubernetesPlan): readonly SpecIssue[] {
  if (storageClass.mode === 'given') return [];
  const at = [...KUBERNETES, 'storageClass'];
  const { type, iops, throughputMiBps } = storageClass;
  if (throughputMiBps !== null && !Number.isInteger(throughputMiBps))
    return [
      contradiction([...at, 'throughput'], 'EBS takes throughput in whole MiB/s; write e.g. 125MiB/s.'),
    ];
  if (type !== 'gp3')
    return throughputMiBps === null
      ? []
      : [
          contradiction(
            [...at, 'throughput'],
            `Of EBS only gp3 takes a throughput; ${type} has its own. Leave it out.`,
          ),
        ];
  return gp3Refusals(at, iops ?? GP3.leastIops, throughputMiBps ?? GP3.leastMiBps, brokers.diskBytes);
}

function gp3Refusals(at: SpecPath, iops: number, miBps: number, diskBytes: number): readonly SpecIssue[] {
  const most = Math.max(
    GP3.leastIops,
    Math.min(80_000, Math.floor((diskBytes / 1024 ** 3) * GP3.iopsPerGiB)),
  );
  const found: SpecIssue[] = [];
  if (iops < GP3.leastIops || iops > most)
    found.push(
      contradiction(
        [...at, 'iops'],
        `A gp3 volume of ${gib(diskBytes)} takes ${GP3.leastIops} to ${most} operations per second, not ${iops}.`,
      ),
    );
  if (miBps < GP3.leastMiBps || miBps > GP3.mostMiBps)
    found.push(
      contradiction(
        [...at, 'throughput'],
        `A gp3 volume takes ${GP3.leastMiBps} to ${GP3.mostMiBps} MiB/s, not ${miBps}.`,
      ),
    );
  else if (miBps > iops * GP3.miBpsPerIops)
    found.push(
      contradiction(
        [...at, 'throughput'],
        `A gp3 volume has at most ${GP3.miBpsPerIops} MiB/s for each operation per second: ${miBps} MiB/s need iops: ${Math.ceil(miBps / GP3.miBpsPerIops)}.`,
      ),
    );
  return found;
}

function secondsRefusals({ lab }: Spec): readonly SpecIssue[] {
  if (lab.kubernetes === undefined) return [];
  const { grace, probes } = lab.kubernetes.brokers;
  const times: readonly (readonly [SpecPath, number])[] = [
    [['grace'], grace],
    [['probes', 'startup', 'period'], probes.startup.period],
    [['probes', 'readiness', 'period'], probes.readiness.period],
  ];
  return times
    .filter(([, ms]) => ms % 1000 !== 0)
    .map(([path]) =>
      contradiction(
        [...KUBERNETES, 'brokers', ...path],
        'Kubernetes takes whole seconds here; write e.g. 5s.',
      ),
    );
}

function gib(bytes: number): string {
  return bytes % 1024 ** 3 === 0 ? `${bytes / 1024 ** 3} GiB` : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
