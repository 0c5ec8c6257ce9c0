import type { Plan } from '../design/plan.ts';

/** What somebody's cluster takes from an answer: most of what a lab of ours is asked for is not to be seen there. */
export function existingLimits({ lab, settle }: Plan): readonly string[] {
  if (lab.existing === undefined) return [];
  return [
    'The brokers are somebody else’s and were not sampled: their CPU, disks, memory and page cache are unknown, and so is why a rate is what it is.',
    `Settle and drain (${settle.method}) watched the machine of the clients alone: whether the brokers still wrote what earlier trials left, nobody saw. Their dirty memory is carried from trial to trial; the random order spreads it over the scenarios, and does not remove it.`,
    'Whatever else the cluster did meanwhile is part of every rate and was not recorded: this is its rate beside its other work, never its capacity.',
    'Leaders and in-sync replicas were looked at before and after each load. Leader epochs and logs of brokers were not: a leader that went and came back, or a replica that fell behind and caught up, is not seen.',
    'Brokers remove the data of deleted topics a while later (a minute by Kafka’s default), perhaps during a later trial.',
  ];
}

/** What the connection takes from an answer. */
export function connectionLimit({ lab }: Plan): string {
  return lab.existing?.clientProperties == null
    ? 'PLAINTEXT without authentication; TLS and SASL cost client and brokers CPU.'
    : `Connected as ${lab.existing.clientProperties} says (the protocol stands with the lab’s facts); another protocol or mechanism costs client and brokers other CPU.`;
}
