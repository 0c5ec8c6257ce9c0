import { brokerCapsule } from '../../design/names.ts';
import { until } from '../wait.ts';
import type { LabRecord } from './lab-record.ts';
import { isAlive, type ProcessId } from './processes.ts';
import { brokerHost, type LabSite } from './site.ts';

/** Three brokers that lose their quorum together need about 9 s to end by themselves (facts: Kafka's tools). */
const CLEAN_STOP_MS = 40_000;

/**
 * Ends every broker of the lab and returns when all are dead: asked first, so that their logs are closed cleanly and
 * topics that are kept need no recovery; killed when they take too long. Idempotent.
 */
export async function stopBrokers(site: LabSite, record: LabRecord, signal: AbortSignal): Promise<void> {
  const host = brokerHost(site);
  const names = record.nodes.map((node) => brokerCapsule(site.key, node.name, node.incarnation));
  const processes = await Promise.all(names.map(async (name) => (await host.poll(name)).child));
  const live = processes.filter((p): p is ProcessId => p !== null && isAlive(p));
  for (const { pid } of live) process.kill(pid, 'SIGTERM');
  await until(async () => (live.some(isAlive) ? undefined : true), {
    everyMs: 100,
    limitMs: CLEAN_STOP_MS,
    signal,
  });
  await Promise.all(names.map((name) => host.kill(name)));
}
