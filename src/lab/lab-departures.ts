/** Where a lab of ours departs from Kafka's defaults, and why; a spec may overrule each but the first. */
export function labDepartures(brokers: number): Readonly<Record<string, string>> {
  const copies = String(Math.min(3, brokers));
  return {
    // a misspelt topic must be an error, not a topic of one partition
    'auto.create.topics.enable': 'false',
    // deleted topics hold their space for this long. The topic's name for it, file.delete.delay.ms, is no broker
    // setting: 4.3.1 takes it from here without a word and keeps 60 s
    'log.segment.delete.delay.ms': '1000',
    // the first round of deletions waits for this after a start (30 s by default)
    'log.initial.task.delay.ms': '1000',
    'group.initial.rebalance.delay.ms': '0',
    'offsets.topic.num.partitions': '3',
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.num.partitions': '3',
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': String(Math.min(2, brokers)),
    'share.coordinator.state.topic.num.partitions': '3',
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': String(Math.min(2, brokers)),
    // after a repair leaders go home at once instead of within five minutes
    'leader.imbalance.check.interval.seconds': '10',
  };
}
