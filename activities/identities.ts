import type { Bench } from './bench.ts';
import type { Prepared } from './contract.ts';
import { voids } from './errors.ts';

/**
 * Every broker and client of the lab → what it is now: a broker's process (incarnation, pid, start) or its pod, a client's
 * boot id (of a pod also its UID, container, restarts and node); null = dead, or no answer.
 */
export async function identities(bench: Bench): Promise<Record<string, string | null>> {
  const { brokers } = await bench.lab.inspect();
  const ofBrokers = brokers.map((b) => [
    `broker ${b.name}`,
    b.alive
      ? (b.identity ?? `incarnation ${b.incarnation}, pid ${b.pid}, started at tick ${b.startTicks}`)
      : null,
  ]);
  const ofClients = await Promise.all(
    bench.plan.lab.clients.names.map(async (name) => [
      `client ${name}`,
      await bench.lab
        .client(name)
        .identity()
        .then((identity) => JSON.stringify(identity))
        .catch(() => null),
    ]),
  );
  return Object.fromEntries([...ofBrokers, ...ofClients]);
}

/** All of them alive, or the attempt is void. */
export async function requireAlive(bench: Bench): Promise<Record<string, string>> {
  const now = await identities(bench);
  const gone = Object.keys(now).filter((who) => now[who] === null);
  if (gone.length > 0)
    throw voids('host-gone', `${gone.join(', ')} did not live when the trial was prepared`);
  return now as Record<string, string>;
}

/** Refuses to launch on another host, or against another broker process, than `prepare` saw. */
export async function requireSameHosts(bench: Bench, prepared: Prepared): Promise<void> {
  const now = await identities(bench);
  const changed = Object.keys(prepared.identities).filter((who) => now[who] !== prepared.identities[who]);
  if (changed.length > 0)
    throw voids('host-replaced', `${changed.join(', ')} changed between prepare and load`);
}
