import { describe, expect, it } from 'vitest';
import { consumerArguments, type ConsumerTask } from '../../src/lab/consumer-command.ts';
import { producerArguments, type ProducerTask } from '../../src/lab/producer-command.ts';

const CONSUMER: ConsumerTask = {
  bootstrapServers: '127.0.0.1:9092',
  topic: 't',
  records: 1_000,
  group: 'g',
  from: 'earliest',
  idleMs: 10_000,
  config: {},
};
const PRODUCER: ProducerTask = {
  bootstrapServers: '127.0.0.1:9092',
  topic: 't',
  records: 1_000,
  recordsPerS: null,
  payloadFile: '/p.txt',
  transaction: null,
  config: { acks: 'all' },
};

/** Values of an option, in order. */
const values = (argv: readonly string[], option: string) =>
  argv.flatMap((arg, i) => (arg === option ? [argv[i + 1]] : []));

describe('the consumer tool', () => {
  it('gets count, group and idle time, and never prints details instead of a summary', () => {
    const argv = consumerArguments(CONSUMER);
    expect(values(argv, '--num-records')).toEqual(['1000']);
    expect(values(argv, '--group')).toEqual(['g']);
    expect(values(argv, '--timeout')).toEqual(['10000']);
    expect(argv).not.toContain('--show-detailed-stats');
    expect(argv).not.toContain('--from-latest');
    expect(consumerArguments({ ...CONSUMER, from: 'latest' })).toContain('--from-latest');
  });

  it('gets one flag a property; what the tool sets itself goes to the option that sets it', () => {
    const argv = consumerArguments({
      ...CONSUMER,
      config: {
        'max.poll.records': '100',
        'fetch.min.bytes': '1',
        'max.partition.fetch.bytes': '65536',
        'receive.buffer.bytes': '4096',
      },
    });
    expect(values(argv, '--command-property')).toEqual(['max.poll.records=100', 'fetch.min.bytes=1']);
    expect(values(argv, '--fetch-size')).toEqual(['65536']);
    expect(values(argv, '--socket-buffer-size')).toEqual(['4096']);
  });
});

describe('the producer tool', () => {
  it('gets a transactional id and a duration only when it is transactional', () => {
    expect(producerArguments(PRODUCER).join(' ')).not.toContain('transaction');
    const argv = producerArguments({ ...PRODUCER, transaction: { id: 'x', durationMs: 500 } });
    expect(values(argv, '--transactional-id')).toEqual(['x']);
    expect(values(argv, '--transaction-duration-ms')).toEqual(['500']);
  });
});
