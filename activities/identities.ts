import type { Beat } from './beat.ts';
import type { Bench } from './bench.ts';
import type { Prepared } from './contract.ts';
import { voids } from './errors.ts';
import { askLab, reach } from './reach.ts';

/**
 * Every broker and client of the lab → what it is now: a broker's process (incarnation, pid, start) or its pod, a client's
 * boot id (of a pod also its UID, container, restarts and node); null = dead, or no answer though the lab can be asked.
 */
export async function identities(bench: Bench, beat: Beat): Promise<Record<string, string | null>> {
  const { brokers } = await askLab(beat, () => bench.lab.inspect());
  const ofBrokers = brokers.map((b) => [
    `broker ${b.name}`,
    b.alive
      ? (b.identity ?? `incarnation ${b.incarnation}, pid ${b.pid}, started at tick ${b.startTicks}`)
      : null,
  ]);
  const ofClients = await Promise.all(
    bench.plan.lab.clients.names.map(async (name) => {
      const who = `client ${name}`;
      const identity = await reach(bench, who, beat, () => bench.lab.client(name).identity());
      return [who, identity === null ? null : JSON.stringify(identity)];
    }),
  );
  return Object.fromEntries([...ofBrokers, ...ofClients]);
}

/** All of them alive, or the attempt is void. */
export async function requireAlive(bench: Bench, beat: Beat): Promise<Record<string, string>> {
  const now = await identities(bench, beat);
  const gone = Object.keys(now).filter((who) => now[who] === null);
  if (gone.length > 0)
    throw voids('host-gone', `${gone.join(', ')} did not live when the trial was prepared`);
  return now as Record<string, string>;
}

/** Refuses to launch on another host, or against another broker process, than `prepare` saw. */
export async function requireSameHosts(bench: Bench, prepared: Prepared, beat: Beat): Promise<void> {
  const now = await identities(bench, beat);
  const changed = Object.keys(prepared.identities).filter((who) => now[who] !== prepared.identities[who]);
  if (changed.length > 0)
    throw voids('host-replaced', `${changed.join(', ')} changed between prepare and load`);
}
