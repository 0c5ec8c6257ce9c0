import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { TrialInput } from './contract.ts';
import { voids } from './errors.ts';
import { runToEnd } from './run-to-end.ts';
import { trialCapsule } from '../src/design/names.ts';

const LIMIT_MS = 240_000;

/** Writes all dirty memory of every machine to its disks (`settle.method: sync`); a capsule, so it also works in pods. */
export async function syncHosts(bench: Bench, trial: TrialInput, beat: Beat): Promise<void> {
  beat.say({ phase: 'settle', text: 'sync: writing dirty memory to disk' });
  const targets = await bench.lab.samplerTargets();
  const name = trialCapsule(trial.ref.key, trial, 'sync');
  for (const { host } of targets) {
    const end = await runToEnd(host, { name, argv: ['sync'], limitMs: LIMIT_MS, everyMs: 200 }, beat);
    if (end?.exit?.code !== 0)
      throw voids('bug', `sync on ${host.name} ended as ${end?.state ?? 'still running'}`);
  }
}
