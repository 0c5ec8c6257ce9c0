import type { PodPlan } from '../../../design/kubernetes-plan.ts';
import type { Kinds } from '../api/cluster.ts';
import type { LabDesign } from '../objects/lab-design.ts';
import { numberOf, quantityOf } from '../objects/quantity.ts';
import { type Findings, NOTHING, note, problem, together } from './finding.ts';

/** What the whole lab asks of a quota, by the names that a ResourceQuota has for it. */
function quotaNeeds({ kubernetes, plan, names }: LabDesign): Readonly<Record<string, number>> {
  const brokers = plan.brokers.count;
  const clients = plan.clients.names.length;
  const sum = (of: (pods: PodPlan) => number): number =>
    of(kubernetes.brokers) * brokers + of(kubernetes.clients) * clients;
  const cpu = sum((pods) => numberOf(pods.requests.cpu));
  const memory = sum((pods) => pods.requests.memoryBytes);
  const storage = kubernetes.brokers.diskBytes * brokers;
  const ofClass = `${names.storageClass}.storageclass.storage.k8s.io`;
  return {
    pods: brokers + clients,
    'count/pods': brokers + clients,
    cpu,
    'requests.cpu': cpu,
    'limits.cpu': sum((pods) => numberOf(pods.limits.cpu)),
    memory,
    'requests.memory': memory,
    'limits.memory': sum((pods) => pods.limits.memoryBytes),
    services: 1,
    'count/services': 1,
    'count/statefulsets.apps': 1,
    'count/networkpolicies.networking.k8s.io': 1,
    persistentvolumeclaims: brokers,
    'count/persistentvolumeclaims': brokers,
    [`${ofClass}/persistentvolumeclaims`]: brokers,
    'requests.storage': storage,
    [`${ofClass}/requests.storage`]: storage,
  };
}

/** Scopes of a quota that pods with requests, limits and no end of their own fall under. */
const OURS = ['NotTerminating', 'NotBestEffort'];

/** Whether the lab fits what is left of the namespace's quotas. Pure; asked only before anything of the lab is there. */
export function quotaFindings(quotas: readonly Kinds['ResourceQuota'][], design: LabDesign): Findings {
  const needs = quotaNeeds(design);
  return together(quotas.map((quota) => oneQuota(quota, needs)));
}

function oneQuota(quota: Kinds['ResourceQuota'], needs: Readonly<Record<string, number>>): Findings {
  const { metadata, spec, status } = quota;
  const where = `ResourceQuota ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
  if (spec?.scopeSelector !== undefined)
    return note(`${where} counts pods by a selector; whether the lab fits it is not known.`);
  if (spec?.scopes?.some((scope) => !OURS.includes(scope))) return NOTHING;
  const short = Object.entries(spec?.hard ?? {}).flatMap(([name, hard]) => {
    const need = needs[name];
    const left = numberOf(hard) - numberOf(status?.used?.[name] ?? '0');
    return need === undefined || !(need > left)
      ? []
      : [`${name}: ${shown(name, need)} needed, ${shown(name, Math.max(0, left))} of ${hard} left`];
  });
  if (short.length === 0) return NOTHING;
  return problem({
    code: 'quota',
    what: 'The lab does not fit the quota of its namespace',
    where,
    why: short.join('; '),
    fix: 'Raise the quota, ask for less in lab.kubernetes, or take another namespace.',
  });
}

function shown(name: string, value: number): string {
  return /memory|storage$/.test(name) ? quantityOf(value) : String(Number(value.toFixed(3)));
}

type Limit = NonNullable<Kinds['LimitRange']['spec']>['limits'][number];

/** Whether each pod, container and claim keeps within the namespace's limits. Pure. */
export function limitRangeFindings(ranges: readonly Kinds['LimitRange'][], design: LabDesign): Findings {
  const { brokers, clients } = design.kubernetes;
  return together(
    ranges.flatMap(({ metadata, spec }) => {
      const where = `LimitRange ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
      return (spec?.limits ?? []).flatMap((limit) => {
        // Each of our pods has one container, so that limits of both kinds mean the same.
        const broken =
          limit.type === 'PersistentVolumeClaim'
            ? outside(limit, 'storage', brokers.diskBytes, brokers.diskBytes).map(
                (text) => `a volume: ${text}`,
              )
            : [...podBreaks(limit, 'a broker', brokers), ...podBreaks(limit, 'a client', clients)];
        return broken.length === 0 ? [] : [rangeProblem(where, broken)];
      });
    }),
  );
}

function rangeProblem(where: string, broken: readonly string[]): Findings {
  return problem({
    code: 'limit-range',
    what: 'Pods or volumes of the lab break a limit of its namespace',
    where,
    why: broken.join('; '),
    fix: 'Change lab.kubernetes to keep within it, or take another namespace.',
  });
}

function podBreaks(limit: Limit, who: string, { requests, limits }: PodPlan): readonly string[] {
  if (limit.type !== 'Container' && limit.type !== 'Pod') return [];
  const pairs = [
    ['cpu', numberOf(requests.cpu), numberOf(limits.cpu)],
    ['memory', requests.memoryBytes, limits.memoryBytes],
  ] as const;
  return pairs.flatMap(([name, least, most]) => [
    ...outside(limit, name, least, most).map((text) => `${who}: ${text}`),
    ...ratioBreak(limit, name, most / least).map((text) => `${who}: ${text}`),
  ]);
}

function outside(limit: Limit, name: string, least: number, most: number): readonly string[] {
  const [min, max] = [limit.min?.[name], limit.max?.[name]];
  return [
    ...(min !== undefined && least < numberOf(min)
      ? [`${name} ${shown(name, least)} is below the least, ${min}`]
      : []),
    ...(max !== undefined && most > numberOf(max)
      ? [`${name} ${shown(name, most)} is above the most, ${max}`]
      : []),
  ];
}

function ratioBreak(limit: Limit, name: string, ratio: number): readonly string[] {
  const most = limit.maxLimitRequestRatio?.[name];
  return most !== undefined && ratio > numberOf(most)
    ? [`${name} limit ÷ request is ${ratio.toFixed(1)}, at most ${most} is allowed`]
    : [];
}
