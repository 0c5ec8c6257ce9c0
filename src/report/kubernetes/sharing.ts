import type { Plan } from '../../design/plan.ts';
import type { PodFacts } from '../../lab/lab.ts';
import type { NumberedLab } from '../results.ts';
import { count } from '../text.ts';

/**
 * What pods of the lab shared, by name, and in which zones they were: takes from an answer what "on one machine" takes
 * from that of a local lab. Of the nodes' other pods nothing is recorded, and that is said.
 */
export function sharingLimits({ lab }: Plan, labs: readonly NumberedLab[]): readonly string[] {
  if (lab.kubernetes === undefined || labs.length === 0) return [];
  const together = `rates are those of ${count(lab.clients.names.length, 'client')} and ${count(lab.brokers.count, 'broker')} together`;
  const each = labs.flatMap((one) => {
    const pods = one.environment.pods ?? [];
    const where = labs.length > 1 ? `Lab ${one.lab}: ` : '';
    return [...sharedNodes(pods, together), ...zones(pods)].map((text) => `${where}${text}`);
  });
  return [...new Set(each)];
}

function sharedNodes(pods: readonly PodFacts[], together: string): readonly string[] {
  if (pods.length === 0 || pods.some(({ node }) => node === null))
    return [
      `On which nodes the pods ran is not known, so neither is what brokers and clients shared: ${together}, never broker capacity.`,
    ];
  const byNode = new Map<string, string[]>();
  for (const { node, who } of pods) byNode.set(node ?? '', [...(byNode.get(node ?? '') ?? []), who]);
  const shared = [...byNode].filter(([, who]) => who.length > 1);
  if (shared.length === 0)
    return [
      `No two pods of the lab shared a node. What else ran on their nodes is not recorded, and ${together}, over this cluster's network.`,
    ];
  const names = shared.map(([node, who]) => `${who.join(', ')} shared the node ${node}`);
  return [`${sentence(names.join('; '))}: ${together}, never broker capacity.`];
}

function zones(pods: readonly PodFacts[]): readonly string[] {
  const known = pods.map(({ facts }) => facts['zone']);
  if (known.length === 0 || known.includes(undefined)) return [];
  const names = [...new Set(known)];
  return names.length === 1
    ? [`All pods ran in the zone ${names[0]}: latency and traffic between zones are not part of it.`]
    : [`Pods ran in the zones ${names.join(', ')}: latency between these very zones is part of it.`];
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
