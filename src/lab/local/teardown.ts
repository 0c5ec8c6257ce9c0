import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { InfrastructureError } from '../errors.ts';
import type { Host } from '../host.ts';
import { until } from '../wait.ts';
import { isFree, portsOf, releasePorts } from './ports.ts';
import { endProcessesOfLab, processesOfLab } from './processes.ts';
import { brokerHost, clientHost, type LabSite } from './site.ts';

const PORTS_LIMIT_MS = 10_000;

/** Ends and removes all of a lab, whatever state it is in; needs nothing but its folder. Idempotent. */
export async function teardownLab(site: LabSite): Promise<void> {
  await Promise.all(hostsOf(site).map(killAll));
  // what escaped its capsule still carries the lab's mark
  const left = await endProcessesOfLab(site.folder);
  const stubborn = await until(async () => (processesOfLab(site.folder).length === 0 ? true : undefined), {
    everyMs: 100,
    limitMs: left.length === 0 ? 2000 : 0,
  });
  if (stubborn === undefined) refuseWhileAlive(site);
  await awaitPortsFree(site);
  rmSync(site.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  // last: until here the register is what names the ports to a later look
  releasePorts(site.machineDir, site.folder);
}

/** What is left of the lab, each named: processes, ports that somebody still listens on, folders, registrations. */
export async function findLeaks(site: LabSite, knownPorts: readonly number[]): Promise<readonly string[]> {
  const leaks: string[] = [];
  for (const p of processesOfLab(site.folder)) leaks.push(`process ${p.pid}: ${p.command}`);
  const registered = portsOf(site.machineDir, site.folder);
  for (const port of new Set([...registered, ...knownPorts])) {
    if (!(await isFree(port))) leaks.push(`port ${port}: somebody listens`);
  }
  if (registered.length > 0) leaks.push(`registration of ports ${registered.join(', ')}`);
  if (existsSync(site.folder)) leaks.push(`folder ${site.folder}`);
  return leaks;
}

/** Every host of the lab, found on disk: the record may not exist yet, or no longer. */
function hostsOf(site: LabSite): readonly Host[] {
  const hosts: Host[] = existsSync(join(site.folder, 'brokers')) ? [brokerHost(site)] : [];
  try {
    for (const name of readdirSync(join(site.folder, 'clients'))) hosts.push(clientHost(site, name));
  } catch {
    // no client was used yet
  }
  return hosts;
}

async function killAll(host: Host): Promise<void> {
  await Promise.all((await host.list('')).map((name) => host.kill(name)));
}

function refuseWhileAlive(site: LabSite): void {
  const alive = processesOfLab(site.folder);
  // only looking at the folder (a shell, a pager) is no part of the lab and does not keep it
  const ours = alive.filter((p) => p.ours);
  if (ours.length === 0) return;
  throw new InfrastructureError(
    'lab-alive',
    `Processes of the lab do not die: ${ours.map((p) => `${p.pid} (${p.command})`).join(', ')}.`,
    'They may hang in the kernel (state D in ps): free the disk they wait for, then run the teardown again.',
  );
}

async function awaitPortsFree(site: LabSite): Promise<void> {
  for (const port of portsOf(site.machineDir, site.folder)) {
    const free = await until(async () => ((await isFree(port)) ? true : undefined), {
      everyMs: 100,
      limitMs: PORTS_LIMIT_MS,
    });
    // the lab is dead: whoever listens is a stranger who came after it, and no reason to keep the folder
    if (free === undefined) return;
  }
}
