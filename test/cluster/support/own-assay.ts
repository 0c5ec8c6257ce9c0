import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { awsEnvironment } from '../../aws/support/moto.ts';
import { temporalCli } from '../../support/python-tool.ts';
import { type Ended, endOf, spawnAsWorker } from './command.ts';
import { clusterRun, TESTS_ID } from './run.ts';

/** An Assay as its user has it: home, Temporal and worker of its own, all of it a user who cannot reach a pod. */
export interface OwnAssay {
  /** A folder that user may write to. */
  readonly folder: string;
  /** Runs a command of `assay` to its end. */
  assay(args: readonly string[], limitMs?: number): Promise<Ended>;
  /** Ends worker and server, and removes everything. */
  close(): Promise<void>;
}

/** @param aws address of the AWS that it asks. */
export async function ownAssay(aws: string): Promise<OwnAssay> {
  const { repository, kubeconfig } = clusterRun();
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
  const assay = (args: readonly string[], limitMs = 60_000): Promise<Ended> => {
    const child = spawnAsWorker(node, [join(repository, 'bin/assay.js'), ...args], { cwd: folder, env });
    return endOf(child, limitMs);
  };
  return {
    folder,
    assay,
    close: async () => {
      await assay(['down']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
