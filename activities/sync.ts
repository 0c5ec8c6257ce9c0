import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import { voids } from './errors.ts';
import { runToEnd } from './run-to-end.ts';

const LIMIT_MS = 240_000;

/**
 * Writes all dirty memory of every machine to its disks (`settle.method: sync`); a capsule, so it also works in pods.
 *
 * @param name of the capsule; one of that name that ran already is not run again.
 */
export async function syncHosts(bench: Bench, name: string, beat: Beat): Promise<void> {
  const targets = await bench.lab.samplerTargets();
  for (const { host } of targets) {
    const end = await runToEnd(host, { name, argv: ['sync'], limitMs: LIMIT_MS, everyMs: 200 }, beat);
    if (end?.exit?.code !== 0)
      throw voids('bug', `sync on ${host.name} ended as ${end?.state ?? 'still running'}`);
  }
}
