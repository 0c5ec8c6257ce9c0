import type { Beat } from './beat.ts';
import { type Bench, environmentOf } from './bench.ts';
import { readStreams } from './load-files.ts';
import { putPayload } from './payloads.ts';
import { PRODUCER_MAIN, producerArguments } from '../src/lab/producer-command.ts';
import { until } from '../src/lab/wait.ts';
import { producerReader } from '../src/measure/producer.ts';
import { causeOf, FAILED_CALLBACK_ERE, readErrors } from '../src/measure/stderr.ts';

const POLL_MS = 500;
const MIB = 1024 * 1024;
/** Every record exactly once and on every replica; batches as large as a bulk copy would use. */
const FILL_CONFIG: Readonly<Record<string, string>> = {
  acks: 'all',
  'batch.size': '131072',
  'linger.ms': '10',
};

/** One topic to fill. */
export interface FillTask {
  readonly topic: {
    readonly name: string;
    readonly partitions: number;
    readonly replication: number;
    readonly config: Readonly<Record<string, string>>;
  };
  /** Name in the spec. */
  readonly as: string;
  readonly records: number;
  readonly payload: string;
  /** Client host that sends the records. */
  readonly client: string;
  readonly limitMs: number;
}

/** Starts the perf tool that fills a topic, unless this capsule was claimed already. */
export async function launchFill(bench: Bench, task: FillTask, capsule: string): Promise<void> {
  const host = bench.lab.client(task.client);
  const { pinning, bootstrapServers } = await environmentOf(bench);
  const java = bench.lab.javaCommand(PRODUCER_MAIN, bench.plan.lab.clients.heapBytes);
  const given = producerArguments({
    bootstrapServers,
    topic: task.topic.name,
    records: task.records,
    recordsPerS: null,
    payloadFile: await putPayload(bench, task.payload, task.client),
    transaction: null,
    config: FILL_CONFIG,
    clientProperties: bench.plan.lab.existing?.clientProperties ?? null,
  });
  await host.launch({
    name: capsule,
    argv: [...java.argv, ...given],
    env: java.env,
    deadlineMs: task.limitMs,
    stderrCapBytes: MIB,
    stdoutCapBytes: 16 * MIB,
    stamp: true,
    countStderr: FAILED_CALLBACK_ERE,
    ...(pinning.clients === null ? {} : { cpus: pinning.clients }),
    identity: await host.identity(),
  });
}

/** Waits for its end and keeps what the tool printed (`fills/` in the store); null when the tool says that every record was sent, else what went wrong. */
export async function followFill(
  bench: Bench,
  task: FillTask,
  capsule: string,
  beat: Beat,
): Promise<string | null> {
  const host = bench.lab.client(task.client);
  const reader = producerReader({ stamped: true });
  let from = { stdout: 0, stderr: 0 };
  let sent = 0;
  await until(
    async () => {
      const poll = await host.poll(capsule, from);
      from = poll.next;
      reader.push(poll.stdout);
      sent = reader.soFar().intervals.reduce((sum, line) => sum + line.records, 0);
      beat.say({ phase: 'fill', text: `filling ${task.as}: ${sent} of ${task.records} records` });
      return poll.state === 'running' ? undefined : true;
    },
    { everyMs: POLL_MS, limitMs: task.limitMs + 60_000, signal: beat.signal },
  );
  return problemOf(bench, task, capsule);
}

async function problemOf(bench: Bench, task: FillTask, capsule: string): Promise<string | null> {
  const { poll, stdout, stderr } = await readStreams(bench.lab.client(task.client), capsule);
  const attempt = /\/(\d+)$/.exec(capsule)?.[1];
  const file = attempt === undefined ? task.topic.name : `${task.topic.name}.${attempt}`;
  if (poll.state !== 'running') await bench.store.put(`fills/${file}.stdout`, stdout);
  const reader = producerReader({ stamped: true });
  reader.push(stdout);
  const records = reader.end().final?.records ?? 0;
  if (poll.state === 'exited' && poll.exit?.code === 0 && records === task.records) return null;
  const how = poll.exit === null ? poll.state : `ended with ${poll.exit.code} by ${poll.exit.by}`;
  const cause = causeOf(readErrors(stderr));
  return `the tool that fills it ${how}, ${records} of ${task.records} records sent${cause === null ? '' : `: ${cause}`}`;
}
