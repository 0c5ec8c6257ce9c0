import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { InfrastructureError } from '../lab/errors.ts';
import { liveClaim } from './claims.ts';
import type { EmbeddedTemporal, TemporalChoice } from './connection.ts';
import { requirePortsFree } from './embedded-server.ts';
import { isServing } from './health.ts';
import { type Env, makeTemporalFolders, temporalFolders } from './home.ts';
import { lastLines, rotateLog } from './log-file.ts';
import { endProcess } from './process-identity.ts';
import { stopServices, type SupervisorState } from './supervisor.ts';
import { findTemporalCli } from './temporal-cli.ts';

const START_TIMEOUT_MS = 60_000;
/** Worker and server have their own graces, one after the other. */
const SUPERVISOR_GRACE_MS = 40_000;

/**
 * Makes sure that the home's supervisor runs and, when Temporal is embedded, that its server answers. The worker
 * follows within seconds; workflows that are started before wait for it.
 *
 * @throws InfrastructureError when the home serves another Temporal, a port is taken, or nothing comes up.
 */
export async function ensureUp(choice: TemporalChoice, env: Env, say: (text: string) => void): Promise<void> {
  const folders = makeTemporalFolders(env);
  const running = liveClaim(folders.temporal, 'supervisor');
  if (running !== null) requireSameTarget(running.target, choice);
  else {
    if (choice.kind === 'embedded') {
      // Both may fail with a message for the user: better here than in a log.
      await requirePortsUsable(choice, folders.temporal);
      await findTemporalCli({ env, tools: folders.tools, say });
      say(`Starting Temporal on ${choice.address} …`);
    }
    await startSupervisor(folders.temporal, choice, env);
  }
  if (choice.kind === 'embedded') await waitServing(choice, folders.temporal);
}

/** The ports are free, or it is this home's server that has them. */
async function requirePortsUsable(choice: EmbeddedTemporal, folder: string): Promise<void> {
  const ours = () => liveClaim(folder, 'server') !== null;
  if (ours()) return;
  await requirePortsFree(choice).catch((error: unknown) => {
    // Another command may have started ours while we looked.
    if (!ours()) throw error;
  });
}

function requireSameTarget(target: string | undefined, choice: TemporalChoice): void {
  if (target === choice.target) return;
  throw new InfrastructureError(
    'other-temporal',
    `This home's worker serves ${target}, and you ask for ${choice.target}.`,
    'Stop it with `assay down` first, or use another home (ASSAY_HOME).',
  );
}

async function startSupervisor(folder: string, choice: TemporalChoice, env: Env): Promise<void> {
  const path = join(folder, 'supervisor.log');
  rotateLog(path);
  // What a dead supervisor wrote last would be read as the new one's troubles.
  rmSync(join(folder, 'state.json'), { force: true });
  const log = openSync(path, 'a', 0o600);
  const assay = join(import.meta.dirname, '..', '..', 'bin', 'assay.js');
  const child = spawn(process.execPath, [assay, 'supervise'], {
    detached: true,
    stdio: ['ignore', log, log],
    env: { ...env },
    cwd: folder,
  });
  closeSync(log);
  let failure: Error | null = null;
  child.on('error', (error) => {
    failure = error;
  });
  child.unref();
  const end = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const claim = liveClaim(folder, 'supervisor');
    // Another command may have started one in the same moment, for another server.
    if (claim !== null) return requireSameTarget(claim.target, choice);
    if (failure !== null || child.exitCode !== null || Date.now() > end) throw notUp('supervisor', path);
    await sleep(50);
  }
}

async function waitServing(choice: TemporalChoice, folder: string): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  // With the claim: a foreign server may have taken the port while ours was down.
  while (!((await isServing(choice.address)) && liveClaim(folder, 'server') !== null)) {
    const problem = readState(folder)?.server?.problem;
    const gone = liveClaim(folder, 'supervisor') === null;
    if (gone || problem || Date.now() > end) {
      throw notUp(
        'Temporal server',
        join(folder, gone ? 'supervisor.log' : 'server.log'),
        problem ?? undefined,
      );
    }
    await sleep(100);
  }
}

function notUp(what: string, log: string, why?: string): InfrastructureError {
  const tail = lastLines(log, 5).map((line) => `  ${line}`);
  const said = why ?? (tail.length === 0 ? 'it said nothing' : `its log ends with\n${tail.join('\n')}`);
  return new InfrastructureError('not-up', `The ${what} did not start: ${said}`, `Look at ${log}.`);
}

/**
 * Says at once that the embedded Temporal is down, where connecting would first wait for it.
 *
 * @throws InfrastructureError when neither supervisor nor server of the home runs.
 */
export function requireUp(choice: EmbeddedTemporal, env: Env): void {
  if (livingProcesses(env).some(({ name }) => name !== 'worker')) return;
  throw new InfrastructureError(
    'temporal-down',
    `Temporal is not running: none is configured, and the embedded one of this home (${choice.address}) is down.`,
    'Start it with `assay up`, or set TEMPORAL_ADDRESS to the server that you mean.',
  );
}

/** What the supervisor of the home last wrote; null when there is none. */
export function readState(folder: string): SupervisorState | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as SupervisorState;
  } catch {
    return null;
  }
}

/** Supervisor, server and worker of the home that live, by name. */
export function livingProcesses(env: Env): { name: string; pid: number }[] {
  const { temporal } = temporalFolders(env);
  return ['supervisor', 'server', 'worker'].flatMap((name) => {
    const claim = liveClaim(temporal, name);
    return claim === null ? [] : [{ name, pid: claim.pid }];
  });
}

/** Ends supervisor, worker and server of the home and returns when all are proven dead. Nothing running is fine. */
export async function takeDown(env: Env): Promise<void> {
  const { temporal } = temporalFolders(env);
  const supervisor = liveClaim(temporal, 'supervisor');
  if (supervisor !== null) await endProcess(supervisor, SUPERVISOR_GRACE_MS);
  await stopServices(temporal);
}
