import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { voids } from './errors.ts';
import { trialCapsule } from '../src/design/names.ts';
import { until } from '../src/lab/wait.ts';

const LIMIT_MS = 240_000;

/** Writes all dirty memory of every machine to its disks (`settle.method: sync`); a capsule, so it also works in pods. */
export async function syncHosts(bench: Bench, trial: TrialInput, beat: Beat): Promise<void> {
  beat.say({ phase: 'settle', text: 'sync: writing dirty memory to disk' });
  const targets = await bench.lab.samplerTargets();
  const name = trialCapsule(trial.ref.key, trial, 'sync');
  for (const { host } of targets) {
    await host.launch({
      name,
      argv: ['sync'],
      deadlineMs: LIMIT_MS,
      stderrCapBytes: 4096,
      stdoutCapBytes: 4096,
      stamp: false,
      identity: await host.identity(),
    });
    const end = await until(
      async () => {
        const poll = await host.poll(name);
        return poll.state === 'running' ? undefined : poll;
      },
      { everyMs: 200, limitMs: LIMIT_MS, signal: beat.signal },
    );
    if (end?.exit?.code !== 0)
      throw voids('bug', `sync on ${host.name} ended as ${end?.state ?? 'still running'}`);
  }
}
