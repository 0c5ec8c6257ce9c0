import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Beat } from './beat.ts';
import { type Bench, rescueFolder } from './bench.ts';
import { reach } from './reach.ts';
import type { Host } from '../src/lab/host.ts';
import { type Home, labFolder } from '../src/lab/home.ts';

/** What a capsule's folder holds that is worth keeping. */
const FILES = ['launch', 'claim', 'child', 'stdout', 'stderr', 'exit', 'runner.log'];

/**
 * Capsule folders of trials are removed when their raw files are in the store; what is still there was not stored. It goes to
 * the home before the lab goes: on this machine by a rename, which needs no space, from a pod as far as it can be read.
 */
export async function rescueUncollected(home: Home, bench: Bench, beat: Beat): Promise<void> {
  for (const name of bench.plan.lab.clients.names) {
    const host = await reachable(bench, name, beat);
    if (host === null) continue;
    const capsules = await host.list(bench.ref.key).catch(() => []);
    for (const capsule of capsules.filter((c) => c.startsWith(`${bench.ref.key}/b`))) {
      await host.kill(capsule).catch(() => undefined);
      const to = join(rescueFolder(home, bench.ref.key), 'capsules', name, capsule);
      await mkdir(dirname(to), { recursive: true });
      if (bench.ref.remote === true) await copy(host, capsule, to);
      else
        await rename(join(labFolder(home, bench.ref.key), 'clients', name, capsule), to).catch(
          () => undefined,
        );
    }
  }
}

/** A lab that never came up has no hosts; one that nobody answers for now may have, and is waited for. */
async function reachable(bench: Bench, name: string, beat: Beat): Promise<Host | null> {
  const host = bench.lab.client(name);
  const there = await reach(bench, `client ${name}`, beat, () => host.identity());
  return there === null ? null : host;
}

async function copy(host: Host, capsule: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const file of FILES) {
    const content = await host.readFile(capsule, file).catch(() => null);
    if (content !== null) await writeFile(join(to, file), content);
  }
}
