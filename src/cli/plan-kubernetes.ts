import type {
  KubernetesPlan,
  NamespacePlan,
  PodPlan,
  PricePlan,
  StorageClassPlan,
  TolerationPlan,
} from '../design/kubernetes-plan.ts';
import { bytesText } from './words.ts';

/** What only a kubernetes lab has, one fact a line. Pure. */
export function kubernetesLines(plan: KubernetesPlan): readonly string[] {
  const { brokers, clients } = plan;
  return [
    `cluster: ${plan.context === null ? 'the one that the worker is set up for' : `context ${plan.context}`}, domain ${plan.domain}`,
    `namespace: ${namespaceText(plan.namespace)}`,
    `storage class: ${storageText(plan.storageClass)}`,
    ...podLines('brokers', brokers),
    `brokers: a volume of ${bytesText(brokers.diskBytes)} each, ${brokers.spread === 'node' ? 'each on a node of its own' : 'placed as the scheduler likes'}`,
    `brokers: group ${brokers.fsGroup}${brokers.runAsUser === null ? '' : `, user ${brokers.runAsUser}`}, ${brokers.graceS} s to shut down, ready within ${brokers.startup.periodS * brokers.startup.failures} s`,
    `brokers: looked at every ${brokers.startup.periodS} s while they start, then every ${brokers.readiness.periodS} s, unready after ${brokers.readiness.failures} failed looks`,
    ...podLines('clients', clients),
    `clients: ${clients.apart === 'node' ? 'each on a node of its own' : 'placed as the scheduler likes'}`,
    `pods: ${plan.disrupt ? 'Karpenter may move them' : 'Karpenter is asked not to move them'}; at most ${bytesText(plan.scratchBytes)} each on the disk of a node`,
    `region: ${plan.region ?? 'not known; no metrics and prices of AWS'}`,
    ...priceLines(plan.prices),
  ];
}

function namespaceText({ mode, name }: NamespacePlan): string {
  if (mode === 'given') return `${name}, which exists and stays`;
  return `${name ?? 'one of the experiment'}, created and taken down`;
}

function storageText(plan: StorageClassPlan): string {
  if (plan.mode === 'given') return `${plan.name}, which exists and stays`;
  const { type, iops, throughputMiBps, encrypted, provisioner, reclaimPolicy } = plan;
  return [
    `${plan.name ?? 'one of the experiment'}, created and taken down: ${type} of ${provisioner}`,
    ...(iops === null ? [] : [`${iops} IOPS`]),
    ...(throughputMiBps === null ? [] : [`${throughputMiBps} MiB/s`]),
    encrypted ? 'encrypted' : 'not encrypted',
    ...(reclaimPolicy === 'Retain' ? ['VOLUMES STAY AND ARE BILLED'] : []),
  ].join(', ');
}

function podLines(
  who: string,
  { image, nodeLabels, tolerations, requests, limits }: PodPlan,
): readonly string[] {
  return [
    `${who}: image ${image}`,
    `${who}: ${requests.cpu} to ${limits.cpu} cores, ${bytesText(requests.memoryBytes)} to ${bytesText(limits.memoryBytes)} of memory each`,
    ...Object.entries(nodeLabels).map(([key, value]) => `${who}: on nodes with ${key}=${value}`),
    ...tolerations.map((toleration) => `${who}: put up with the taint ${taintText(toleration)}`),
  ];
}

function taintText({ key, operator, value, effect }: TolerationPlan): string {
  const what = key === undefined ? 'any' : operator === 'Exists' ? key : `${key}=${value ?? ''}`;
  return effect === undefined ? what : `${what}:${effect}`;
}

function priceLines(prices: PricePlan | null): readonly string[] {
  if (prices === null) return ['prices: as AWS lists them on the day'];
  const { date, usdPerIopsMonth, usdPerMiBpsMonth } = prices;
  return [
    ...Object.entries(prices.usdPerHourByInstanceType).map(([type, usd]) => `${type} $${usd} an hour`),
    ...Object.entries(prices.usdPerGbMonthByVolumeType).map(([type, usd]) => `${type} $${usd} a GB-month`),
    ...(usdPerIopsMonth === null ? [] : [`$${usdPerIopsMonth} a month for each further IOPS`]),
    ...(usdPerMiBpsMonth === null ? [] : [`$${usdPerMiBpsMonth} a month for each further MiB/s`]),
  ].map((text) => `prices of ${date}: ${text}`);
}
