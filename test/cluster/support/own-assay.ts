import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Home, resolveHome } from '../../../src/lab/home.ts';
import { until } from '../../../src/lab/wait.ts';
import { liveClaim } from '../../../src/temporal/claims.ts';
import { awsEnvironment } from '../../aws/support/moto.ts';
import { temporalCli } from '../../support/python-tool.ts';
import { type Ended, endOf, spawnAsWorker } from './command.ts';
import { clusterRun, TESTS_ID } from './run.ts';

/** An Assay as its user has it: home, Temporal and worker of its own, all of it a user who cannot reach a pod. */
export interface OwnAssay {
  /** A folder that user may write to. */
  readonly folder: string;
  readonly home: Home;
  /** Address of its Temporal. */
  readonly temporal: string;
  /** Runs a command of `assay` to its end; `env` is laid over that of all commands. */
  assay(args: readonly string[], limitMs?: number, env?: NodeJS.ProcessEnv): Promise<Ended>;
  /** Kills the worker at once; ends when the supervisor has put another in its place. */
  killWorker(): Promise<void>;
  /** Ends worker and server, and removes everything. */
  close(): Promise<void>;
}

/**
 * @param aws address of the AWS that it asks.
 * @param kubeconfig by which it reaches the cluster; left out = the administrator's.
 */
export async function ownAssay(aws: string, kubeconfig = clusterRun().kubeconfig): Promise<OwnAssay> {
  const { repository } = clusterRun();
  const folder = mkdtempSync(join(tmpdir(), 'assay-own-'));
  chownSync(folder, TESTS_ID, TESTS_ID);
  const node = join(repository, 'node_modules/node/bin/node');
  const cli = (await temporalCli()).replace(new URL('../../..', import.meta.url).pathname, `${repository}/`);
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: folder,
    TMPDIR: folder,
    ASSAY_HOME: join(folder, 'home'),
    ASSAY_MACHINE_DIR: join(folder, 'machine'),
    TEMPORAL_CLI: cli,
    KUBECONFIG: kubeconfig,
    NO_COLOR: '1',
    ...awsEnvironment(aws),
  };
  const assay: OwnAssay['assay'] = (args, limitMs = 60_000, more = {}) => {
    const command = [join(repository, 'bin/assay.js'), ...args];
    const child = spawnAsWorker(node, command, { cwd: folder, env: { ...env, ...more } });
    return endOf(child, limitMs);
  };
  const home = resolveHome(env);
  return {
    folder,
    home,
    // The default: nobody else is in this network.
    temporal: '127.0.0.1:7233',
    assay,
    killWorker: () => killWorker(home),
    close: async () => {
      await assay(['down']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function killWorker({ temporal }: Home): Promise<void> {
  const pid = liveClaim(temporal, 'worker')?.pid;
  if (pid === undefined) throw new Error('no worker lives');
  process.kill(pid, 'SIGKILL');
  const another = async () => {
    const now = liveClaim(temporal, 'worker')?.pid;
    return now === undefined || now === pid ? undefined : now;
  };
  if ((await until(another, { everyMs: 50, limitMs: 60_000 })) === undefined)
    throw new Error('no other worker came');
}
