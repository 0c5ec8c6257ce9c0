import type { Plan } from '../design/plan.ts';
import type { FactGroup } from './facts.ts';
import type { Results } from './results.ts';
import { bytes, count } from './text.ts';

/** Somebody's cluster, as far as it was seen; null for a lab of ours. */
export function existingCluster({ plan, environment }: Results): FactGroup | null {
  const { existing, clients, brokers } = plan.lab;
  if (existing === undefined) return null;
  const seen = environment?.existing;
  return {
    title: 'Lab',
    facts: [
      ['target', 'existing: somebody’s Kafka cluster, of which only the topics are the experiment’s'],
      ['bootstrap servers', existing.bootstrapServers],
      ['cluster id', environment?.clusterId ?? 'unknown'],
      ['brokers', brokersText(seen?.brokers ?? null)],
      ['Kafka of the brokers', environment?.kafkaVersion ?? 'unknown'],
      ['connected by', connection(plan, seen)],
      ...Object.entries(seen?.connection ?? {}),
      ['tools', `Kafka ${seen?.toolsVersion ?? brokers.kafka}`],
      ['clients', `${clients.names.join(', ')} on one machine, heap ${bytes(clients.heapBytes)}`],
      ['Java of the clients', environment?.javaVersion ?? 'unknown'],
      ...(seen === undefined || seen.othersTopics.length === 0
        ? []
        : [['topics of other experiments at the start', seen.othersTopics.join(', ')] as const]),
      ...(seen?.notSeen ?? []).map((what) => ['not seen', what] as const),
      ...Object.entries(environment?.brokerConfig ?? {}).map(
        ([name, value]) => [`first broker: ${name}`, value] as const,
      ),
    ],
  };
}

function brokersText(brokers: readonly { id: number; rack: string | null }[] | null): string {
  if (brokers === null) return 'unknown';
  const racks = [...new Set(brokers.flatMap(({ rack }) => rack ?? []))];
  const where = racks.length === 0 ? 'no racks' : `racks ${racks.join(', ')}`;
  return `${count(brokers.length, 'broker')} (${brokers.map(({ id }) => id).join(', ')}), ${where}; not sampled`;
}

function connection({ lab }: Plan, seen: NonNullable<Results['environment']>['existing']): string {
  const path = lab.existing?.clientProperties ?? null;
  if (path === null) return 'PLAINTEXT without authentication';
  const hash = seen?.clientProperties?.openKeysSha256;
  return hash === undefined ? path : `${path}; its settings that are no secrets, sha256 ${hash}`;
}
