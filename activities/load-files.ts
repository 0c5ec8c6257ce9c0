import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { trialCapsule } from '../src/design/names.ts';
import type { ProducerLoad } from '../src/design/plan.ts';
import type { CapsulePoll, Host } from '../src/lab/host.ts';
import { producerReader } from '../src/measure/producer.ts';

/** Records that a producer says it sent; 0 without a final line. */
export async function recordsSent(bench: Bench, trial: TrialInput, load: ProducerLoad): Promise<number> {
  const host = bench.lab.client(load.on);
  const { stdout } = await readStreams(host, trialCapsule(trial.ref.key, trial, load.name));
  const reader = producerReader({ stamped: true });
  reader.push(stdout);
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
