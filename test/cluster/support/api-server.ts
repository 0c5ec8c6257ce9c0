import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.ts';
import { clusterRun } from './run.ts';

/** Kills the API server at once; all connections to it break. */
export function killApiServer(): void {
  process.kill(Number(readFileSync(join(clusterRun().folder, 'pids', 'apiserver'), 'utf8')), 'SIGKILL');
}

/** Starts it again and ends when it is ready. The controllers may need 30 s more before they act. */
export async function startApiServer(): Promise<void> {
  const up = new URL('../recipe/up.sh', import.meta.url).pathname;
  // not as the tests' group: what that group sends to pods is dropped
  const ended = await run('setpriv', ['--regid', '0', '--clear-groups', up, 'apiserver'], {
    limitMs: 150_000,
  });
  if (ended.code !== 0) throw new Error(`the API server did not start: ${ended.stderr}`);
}
