import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { trialCapsule } from '../src/design/names.ts';
import type { LoadPlan } from '../src/design/plan.ts';
import type { CapsulePoll, Host } from '../src/lab/host.ts';
import { producerReader, type ProducerOutput } from '../src/measure/producer.ts';
import { errorsParser, type ToolErrors } from '../src/measure/stderr.ts';

/** What a load left on its host: both streams whole (as far as the runner kept them), and how it ended. */
export interface LoadOutput {
  readonly poll: CapsulePoll;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly output: ProducerOutput;
  readonly errors: ToolErrors;
}

export async function loadOutput(bench: Bench, trial: TrialInput, load: LoadPlan): Promise<LoadOutput> {
  const host = bench.lab.client(load.on);
  const { poll, stdout, stderr } = await readStreams(host, trialCapsule(trial.ref.key, trial, load.name));
  const reader = producerReader({ stamped: true });
  reader.push(stdout);
  const errors = errorsParser();
  for (const line of stderr.toString('utf8').split('\n')) errors.line(line);
  return { poll, stdout, stderr, output: reader.end(), errors: errors.errors() };
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
