import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { reach } from './reach.ts';
import { trialCapsule } from '../src/design/names.ts';
import type { ProducerLoad } from '../src/design/plan.ts';
import type { CapsulePoll, Host } from '../src/lab/host.ts';
import { producerReader } from '../src/measure/producer.ts';

/** Records that a producer says it sent; 0 without a final line, or without its client. */
export async function recordsSent(
  bench: Bench,
  trial: TrialInput,
  load: ProducerLoad,
  beat: Beat,
): Promise<number> {
  const host = bench.lab.client(load.on);
  const streams = await reach(bench, `client ${load.on}`, beat, () =>
    readStreams(host, trialCapsule(trial.ref.key, trial, load.name)),
  );
  if (streams === null) return 0;
  const reader = producerReader({ stamped: true });
  reader.push(streams.stdout);
  return reader.end().final?.records ?? 0;
}

/** Both streams of a capsule from the start, in as many polls as it takes. */
export async function readStreams(
  host: Host,
  name: string,
): Promise<{ poll: CapsulePoll; stdout: Buffer; stderr: Buffer }> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let from = { stdout: 0, stderr: 0 };
  for (;;) {
    const poll = await host.poll(name, from);
    stdout.push(poll.stdout);
    stderr.push(poll.stderr);
    from = poll.next;
    if (poll.stdout.length === 0 && poll.stderr.length === 0) {
      return { poll, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) };
    }
  }
}
