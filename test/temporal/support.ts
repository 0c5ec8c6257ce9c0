import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Env } from '../../src/temporal/home.ts';
import { findTemporalCli } from '../../src/temporal/temporal-cli.ts';
import { takeDown } from '../../src/temporal/up.ts';

const root = join(import.meta.dirname, '..', '..');
export const MAIN = join(root, 'src', 'cli', 'main.ts');
const STAND_IN = join(import.meta.dirname, 'stand-in-worker.ts');

/** The Temporal CLI of this machine; fetched at most once a checkout. */
export async function temporalCli(): Promise<string> {
  const tools = join(root, 'node_modules', '.cache', 'assay');
  return (await findTemporalCli({ env: process.env, tools, say: () => {} })).path;
}

/** A home of its own on free ports, with a stand-in for the worker and no Temporal configured. */
export async function testHome(): Promise<{
  env: Env;
  home: string;
  port: number;
  remove: () => Promise<void>;
}> {
  const home = mkdtempSync(join(tmpdir(), 'assay-home-'));
  const port = await freePortPair();
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TEMPORAL|ASSAY)_/.test(name));
  const env: Env = {
    ...Object.fromEntries(inherited),
    ASSAY_HOME: home,
    ASSAY_TEMPORAL_PORT: String(port),
    TEMPORAL_CONFIG_FILE: join(home, 'none.toml'),
    TEMPORAL_CLI: await temporalCli(),
    ASSAY_WORKER_SCRIPT: STAND_IN,
  };
  const remove = async () => {
    await takeDown(env);
    rmSync(home, { recursive: true, force: true });
  };
  return { env, home, port, remove };
}

/** A port that is free together with the UI's, 1000 above, below the ephemeral range. */
async function freePortPair(): Promise<number> {
  for (let port = 20_000 + (process.pid % 5_000); port < 31_000; port += 7) {
    if ((await canListen(port)) && (await canListen(port + 1000))) return port;
  }
  throw new Error('no free pair of ports');
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Polls until the condition gives a value. */
export async function until<T>(
  what: string,
  condition: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  timeoutMs = 30_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await sleep(50);
  }
}

/** Runs the command line under this Node. */
export async function assay(
  env: Env,
  ...args: string[]
): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [MAIN, ...args], {
      env,
      timeout: 100_000,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}
