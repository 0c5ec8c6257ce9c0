import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Claim, claimForSelf, claimPath, latestClaim, liveClaim, pruneClaims } from './claims.ts';
import { chooseTemporal, type TemporalChoice } from './connection.ts';
import { requirePortsFree, serverCommand, setRetention } from './embedded-server.ts';
import { isServing } from './health.ts';
import { type Env, makeTemporalFolders, type TemporalFolders } from './home.ts';
import { rotateLog } from './log-file.ts';
import { endProcess } from './process-identity.ts';
import { Service } from './service.ts';
import { findTemporalCli, type TemporalCli } from './temporal-cli.ts';

const TICK_MS = 300;
const COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'node-compile');
const LOGS = ['worker.log', 'server.log', 'supervisor.log'] as const;
/** A machine under measurement is slow to answer: this is far beyond what full load was seen to cost. */
const HUNG_AFTER_MS = 20_000;
const WORKER_GRACE_MS = 20_000;
const SERVER_GRACE_MS = 10_000;

/** `state.json`: what the supervisor last knew, for the command line. */
export interface SupervisorState {
  readonly format: 1;
  readonly target: string;
  readonly server: {
    readonly pid: number | null;
    readonly ready: boolean;
    readonly problem: string | null;
  } | null;
  readonly worker: { readonly pid: number | null; readonly problem: string | null };
}

/**
 * Keeps the embedded server (when Temporal is embedded) and the worker of a home alive until it gets SIGTERM; then
 * ends both. Adopts what a killed supervisor left running. Returns at once when the home has a live supervisor.
 */
export async function supervise(env: Env, say: (text: string) => void): Promise<'stopped' | 'not-needed'> {
  const folders = makeTemporalFolders(env);
  const choice = chooseTemporal(env);
  const claim = claimForSelf(folders.temporal, 'supervisor', { target: choice.target });
  if (claim === null) return 'not-needed';
  pruneClaims(folders.temporal, 'supervisor');
  const stop = new AbortController();
  // SIGINT as well: somebody may run it in a terminal. SIGHUP is what a closing terminal sends to all.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop.abort());
  process.on('SIGHUP', () => {});
  say(`supervisor ${process.pid} for ${choice.target}`);
  const services = await makeServices(folders, choice, env, say);
  let shown = '';
  while (!stop.signal.aborted && stillOurs(folders.temporal, claim)) {
    try {
      await services.tick();
      shown = writeState(folders.temporal, services.state(), shown);
      for (const log of LOGS) rotateLog(join(folders.temporal, log));
    } catch (error) {
      // A full disk, a folder deleted under us: no reason to leave server and worker alone.
      say(`this round failed: ${(error as Error).message}`);
    }
    await sleep(TICK_MS);
  }
  // A newer supervisor has taken over: it owns the services now.
  if ((latestClaim(folders.temporal, 'supervisor')?.n ?? 0) > claim.n) return 'stopped';
  say('stopping');
  await stopServices(folders.temporal, [services.server?.claim, services.worker.claim]);
  rmSync(join(folders.temporal, 'state.json'), { force: true });
  rmSync(claimPath(folders.temporal, 'supervisor', claim.n), { force: true });
  return 'stopped';
}

/** False when the home (or the claim) was deleted under us or another supervisor has a higher claim. */
function stillOurs(folder: string, claim: Claim): boolean {
  return latestClaim(folder, 'supervisor')?.n === claim.n;
}

interface Services {
  readonly server: Service | null;
  readonly worker: Service;
  tick(): Promise<void>;
  state(): SupervisorState;
}

async function makeServices(
  folders: TemporalFolders,
  choice: TemporalChoice,
  env: Env,
  say: (text: string) => void,
): Promise<Services> {
  const worker = workerService(folders, env, say);
  if (choice.kind === 'configured') {
    const state = (): SupervisorState => ({
      format: 1,
      target: choice.target,
      server: null,
      worker: seen(worker),
    });
    return { server: null, worker, tick: () => worker.tick(), state };
  }
  const cli = await findTemporalCli({ env, tools: folders.tools, say });
  const server = serverService(folders, choice, cli, env, say);
  let retentionOf = 0;
  const tick = async () => {
    await server.tick();
    const pid = server.claim?.pid ?? 0;
    if (server.ready && retentionOf !== pid) {
      retentionOf = pid;
      await setRetention(cli.path, choice).catch((error: Error) =>
        say(`retention not set: ${error.message}`),
      );
    }
    // A worker waits for its server to start, and rides out its restart; without one it only ends again.
    if (server.claim !== null || worker.claim !== null) await worker.tick();
  };
  const state = (): SupervisorState => ({
    format: 1,
    target: choice.target,
    server: { ...seen(server), ready: server.ready },
    worker: seen(worker),
  });
  return { server, worker, tick, state };
}

function seen(service: Service): { pid: number | null; problem: string | null } {
  return { pid: service.claim?.pid ?? null, problem: service.problem };
}

function serverService(
  folders: TemporalFolders,
  choice: Extract<TemporalChoice, { kind: 'embedded' }>,
  cli: TemporalCli,
  env: Env,
  say: (text: string) => void,
): Service {
  return new Service({
    name: 'server',
    folder: folders.temporal,
    command: {
      argv: serverCommand(cli.path, choice, folders.temporal),
      // A user without an entry in /etc/passwd (in a container) has no name otherwise, and the server ends without one.
      env: { USER: 'assay', ...env },
      cwd: folders.temporal,
      log: join(folders.temporal, 'server.log'),
    },
    beforeStart: () => requirePortsFree(choice),
    healthy: () => isServing(choice.address),
    hungAfterMs: Number(env.ASSAY_SERVER_HUNG_MS ?? HUNG_AFTER_MS),
    say,
  });
}

function workerService(folders: TemporalFolders, env: Env, say: (text: string) => void): Service {
  const log = join(folders.temporal, 'worker.log');
  // Another script is for tests of the supervisor itself.
  const script = env.ASSAY_WORKER_SCRIPT ?? join(import.meta.dirname, '..', 'worker.ts');
  return new Service({
    name: 'worker',
    folder: folders.temporal,
    command: {
      argv: [process.execPath, script],
      // Compiled code is kept, as bin/assay.js does it for the commands.
      env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, ASSAY_HOME: folders.home },
      cwd: folders.temporal,
      log,
    },
    beforeStart: () => Promise.resolve(),
    healthy: null,
    hungAfterMs: Number.POSITIVE_INFINITY,
    say,
  });
}

/** Writes `state.json` when it says something new. */
function writeState(folder: string, state: SupervisorState, shown: string): string {
  const text = JSON.stringify(state);
  if (text === shown) return shown;
  // The home was deleted under us: the loop ends at its next look.
  if (!existsSync(folder)) return shown;
  writeFileSync(join(folder, 'state.json.new'), text);
  renameSync(join(folder, 'state.json.new'), join(folder, 'state.json'));
  return text;
}

/**
 * Ends worker and server of a home, whoever started them, and returns when they are proven dead. `known` are claims
 * to end even when their files are gone.
 */
export async function stopServices(
  folder: string,
  known: readonly (Claim | null | undefined)[] = [],
): Promise<void> {
  for (const claim of known) if (claim) await endProcess(claim, SERVER_GRACE_MS);
  // Looked at twice: a launch that was under way when its supervisor died may claim a moment later.
  for (let look = 0; look < 2; look++) {
    for (const [name, graceMs] of [
      ['worker', WORKER_GRACE_MS],
      ['server', SERVER_GRACE_MS],
    ] as const) {
      for (let live = liveClaim(folder, name); live !== null; live = liveClaim(folder, name)) {
        await endProcess(live, graceMs);
      }
    }
    await sleep(200);
  }
}
