import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CapsuleError } from '../lab/capsule/capsule-error.ts';
import { InfrastructureError } from '../lab/errors.ts';
import { type Home, labFolder } from '../lab/home.ts';
import { lastLease } from '../lab/lease.ts';
import { type LabRecord, readLabRecord } from '../lab/local/lab-record.ts';
import { processesOfLab, processesOfLabs } from '../lab/local/processes.ts';
import { clientHost, type LabSite } from '../lab/local/site.ts';
import { findLeaks, teardownLab } from '../lab/local/teardown.ts';
import type { Leftover, Part, Removal } from './leftover.ts';
import { folderVerdict, type Limits } from './verdict.ts';
import type { Workflows } from './workflows.ts';

/** The local labs of one home. */
export interface Machine {
  readonly home: Home;
  /** Where the lease of the machine is. */
  readonly machineDir: string;
}

/** Every lab folder of the home, and every lab of it whose processes live on without one. */
export function findFolders({ home }: Machine): readonly string[] {
  const keys = new Set(existsSync(home.labs) ? readdirSync(home.labs) : []);
  for (const { labFolder } of processesOfLabs())
    if (dirname(labFolder) === home.labs) keys.add(labFolder.slice(home.labs.length + 1));
  return [...keys].toSorted();
}

/** One local lab with its verdict. */
export async function judgedFolder(
  machine: Machine,
  key: string,
  workflows: Workflows,
  limits: Limits,
): Promise<Leftover> {
  const folder = labFolder(machine.home, key);
  const lease = lastLease(machine.machineDir, limits.nowMs);
  const leased = lease?.lease.experimentKey === key ? lease : null;
  const expiresAtMs = recordOf(folder, key)?.expiresAtMs ?? null;
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
  const named = leased?.lease.workflowId ?? null;
  const { workflowId, state } =
    named === null
      ? await workflows.stateOfKey(key)
      : { workflowId: named, state: await workflows.stateOf(named, key) };
  const parts: Part[] = [
    ...(existsSync(folder) ? [{ name: `folder ${folder}`, uid: null }] : []),
    ...processesOfLab(folder).map(({ pid, command }) => ({ name: `process ${pid}: ${command}`, uid: null })),
  ];
  const verdict = folderVerdict({ workflowId, leased: leased?.current ?? false, expiresAt }, state, limits);
  return {
    place: 'machine',
    id: key,
    key,
    workflowId,
    owner: null,
    expiresAt,
    workflow: state,
    parts,
    verdict,
  };
}

/** The record, if it is of this very lab; one that cannot be read proves nothing. */
function recordOf(folder: string, key: string): ReturnType<typeof readLabRecord> {
  try {
    const record = readLabRecord(folder);
    return record?.key === key ? record : null;
  } catch {
    return null;
  }
}

/** Ends a local lab if it may still go, and removes its folder; raw files that no store has go to `rescue/` first. */
export async function removeFolder(
  { key }: Leftover,
  machine: Machine,
  workflows: Workflows,
  limits: Limits,
): Promise<Removal> {
  const { home, machineDir } = machine;
  const folder = labFolder(home, key);
  if (!findFolders(machine).includes(key))
    return { outcome: 'removed', why: 'it is gone already', remains: [] };
  const { verdict } = await judgedFolder(machine, key, workflows, limits);
  if (!verdict.remove) return { outcome: 'left', why: verdict.why, remains: [] };
  const record = recordOf(folder, key);
  const ports = (record?.nodes ?? []).flatMap(({ brokerPort, controllerPort }) => [
    brokerPort,
    controllerPort,
  ]);
  const site: LabSite = { key, folder, machineDir, kafkaCache: home.kafka };
  await rescueCapsules(site, join(home.root, 'rescue', key, 'capsules'));
  if (record?.plan?.existing !== undefined) return removeFromCluster(record, home, verdict.why);
  await teardownLab(site);
  const remains = await findLeaks(site, ports);
  return { outcome: remains.length === 0 ? 'removed' : 'incomplete', why: verdict.why, remains };
}

/** In somebody's cluster lie topics of the experiment: they go first, and the folder stays as long as they may be there. */
async function removeFromCluster(
  { key, plan, expiresAtMs }: LabRecord,
  home: Home,
  why: string,
): Promise<Removal> {
  const { openExistingLab } = await import('../lab/existing/existing-lab.ts');
  const lab = openExistingLab({ home, key, plan, replication: 1, expiresAtMs });
  try {
    await lab.teardown();
    const { leaks, unverified } = await lab.leaks();
    const remains = [...leaks, ...unverified.map((what) => `unverified: ${what}`)];
    return { outcome: remains.length === 0 ? 'removed' : 'incomplete', why, remains };
  } catch (error) {
    if (!(error instanceof InfrastructureError || error instanceof CapsuleError)) throw error;
    return { outcome: 'incomplete', why, remains: [error.message] };
  }
}

/** Capsules of trials that are still there were not collected. A rename needs no space. */
async function rescueCapsules(site: LabSite, to: string): Promise<void> {
  const clients = join(site.folder, 'clients');
  for (const client of existsSync(clients) ? readdirSync(clients) : []) {
    const host = clientHost(site, client);
    const capsules = await host.list(site.key).catch(() => []);
    for (const capsule of capsules.filter((one) => one.startsWith(`${site.key}/b`))) {
      await host.kill(capsule);
      const kept = join(to, client, capsule);
      await mkdir(dirname(kept), { recursive: true });
      await rename(join(clients, client, capsule), kept);
    }
  }
}
