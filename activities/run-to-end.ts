import type { Beat } from './beat.ts';
import type { CapsulePoll, Host } from '../src/lab/host.ts';
import { until } from '../src/lab/wait.ts';

/** A short command on a host whose output is of no use but for its last words. */
export interface ShortCommand {
  /** Of its capsule; one that was launched already is only followed. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly limitMs: number;
  readonly everyMs: number;
}

/** Runs a command as a capsule, so that it also works in pods; undefined when it has not ended within its limit. */
export async function runToEnd(
  host: Host,
  { name, argv, limitMs, everyMs }: ShortCommand,
  beat: Beat,
): Promise<CapsulePoll | undefined> {
  await host.launch({
    name,
    argv,
    deadlineMs: limitMs,
    stderrCapBytes: 4096,
    stdoutCapBytes: 4096,
    stamp: false,
    identity: await host.identity(),
  });
  return until(
    async () => {
      const poll = await host.poll(name);
      return poll.state === 'running' ? undefined : poll;
    },
    { everyMs, limitMs, signal: beat.signal },
  );
}
