import type { Evidence, IdentityEvidence, PartitionEvidence, TopicEvidence } from './evidence.ts';
import type { Reason, ReasonCode } from './reasons.ts';
import { reason } from './reasons.ts';
import { n } from './words.ts';

/** Reasons from the log itself: what it holds against what the producers of the topic claimed and were asked. */
export function offsetRules(topic: TopicEvidence, evidence: Evidence): Reason[] {
  const producers = evidence.loads.flatMap((load) =>
    load.kind === 'producer' && load.topic === topic.topic ? [load] : [],
  );
  if (producers.length === 0 && topic.filled === undefined) return [];
  if (topic.inLog === null) {
    if (evidence.known.length > 0) return [];
    return [reason('host-gone', `${topic.topic}: the brokers did not say how many records are in the log`)];
  }
  if (producers.length === 0) return fillRules(topic.topic, topic.filled ?? 0, topic.inLog);
  const asked = producers.reduce((sum, load) => sum + load.asked, 0);
  const finals = producers.map((load) => load.output.final?.records ?? null);
  const claimed = finals.reduce<number>((sum, records) => sum + (records ?? 0), 0);
  const reasons: Reason[] = [];
  if (topic.inLog < claimed) {
    const lost = claimed - topic.inLog;
    reasons.push(
      reason(
        'offsets-lost',
        `${topic.topic}: ${n(claimed)} records were claimed, ${n(topic.inLog)} are in the log, ${n(lost)} are lost`,
      ),
    );
  }
  // Transactions add commit markers to the log, so there more is right.
  if (topic.inLog > asked && !producers.some((load) => load.transactional)) {
    reasons.push(
      reason(
        'duplicates',
        `${topic.topic}: ${n(asked)} records were asked, ${n(topic.inLog)} are in the log`,
      ),
    );
  }
  return reasons;
}

/** A topic that is only read holds after the load what was filled in. */
function fillRules(topic: string, filled: number, beyond: number): Reason[] {
  if (beyond === 0) return [];
  const seen = `${topic}: ${n(filled)} records were filled in, ${n(filled + beyond)} are in the log after the load`;
  return [reason(beyond < 0 ? 'offsets-lost' : 'duplicates', seen)];
}

/** Reasons from the partitions: full ISR, same leaders and same epochs before and after. One of each kind a topic. */
export function partitionRules(topic: TopicEvidence, evidence: Evidence): Reason[] {
  if (topic.before === null || topic.after === null) {
    if (evidence.known.length > 0) return [];
    return [reason('host-gone', `${topic.topic}: the brokers did not describe its partitions`)];
  }
  const after = new Map(topic.after.map((one) => [one.partition, one]));
  const shrunk: string[] = [];
  const moved: string[] = [];
  for (const was of topic.before) {
    const now = after.get(was.partition);
    shrunk.push(...missingReplicas(was, ' before the load'));
    if (now === undefined) moved.push(`${was.partition} is gone`);
    else {
      shrunk.push(...missingReplicas(now, ''));
      moved.push(...leaderChange(was, now));
    }
  }
  return [...some('isr-shrunk', topic.topic, shrunk), ...some('leader-moved', topic.topic, moved)];
}

function missingReplicas(one: PartitionEvidence, when: string): string[] {
  const out = one.replicas.filter((replica) => !one.isr.includes(replica));
  return out.length === 0 ? [] : [`${one.partition} lacks broker ${out.join(', ')} in its ISR${when}`];
}

function leaderChange(was: PartitionEvidence, now: PartitionEvidence): string[] {
  if (now.leader !== was.leader)
    return [`${now.partition} has leader ${now.leader} instead of ${was.leader}`];
  if (now.leaderEpoch !== was.leaderEpoch)
    return [`${now.partition} went from leader epoch ${was.leaderEpoch} to ${now.leaderEpoch}`];
  return [];
}

function some(code: ReasonCode, topic: string, found: readonly string[]): Reason[] {
  if (found.length === 0) return [];
  const more = found.length > 3 ? ` and ${n(found.length - 3)} more` : '';
  return [reason(code, `${topic}: partition ${found.slice(0, 3).join('; ')}${more}`)];
}

const EVENT_CODES: Readonly<Record<string, ReasonCode>> = {
  'isr-shrunk': 'isr-shrunk',
  'leader-elected': 'leader-moved',
  'disk-full': 'disk-full',
};

/** Reasons from the brokers' own logs: a shrink that healed before the end is seen only there. One reason a kind. */
export function eventRules(evidence: Evidence): Reason[] {
  const byCode = new Map<ReasonCode, { broker: string; line: string; times: number }>();
  for (const event of evidence.events) {
    const code = EVENT_CODES[event.kind];
    if (code === undefined) continue;
    const seen = byCode.get(code);
    if (seen === undefined)
      byCode.set(code, { broker: event.broker, line: event.line.slice(0, 300), times: 1 });
    else seen.times += 1;
  }
  return [...byCode].map(([code, { broker, line, times }]) =>
    reason(code, `broker ${broker} logged${times > 1 ? ` (first of ${n(times)} lines)` : ''}: ${line}`),
  );
}

/** Reasons from the hosts: each must be the one that was prepared. */
export function identityRules(evidence: Evidence): Reason[] {
  const gone = evidence.identities.filter((one) => one.after === null);
  const replaced = evidence.identities.filter((one) => one.after !== null && one.after !== one.before);
  const names = (list: readonly IdentityEvidence[]): string => list.map((one) => one.who).join(', ');
  return [
    ...(replaced.length === 0
      ? []
      : [reason('host-replaced', `not the process that was prepared: ${names(replaced)}`)]),
    ...(gone.length === 0 || evidence.known.length > 0
      ? []
      : [reason('host-gone', `no answer after the load: ${names(gone)}`)]),
  ];
}
