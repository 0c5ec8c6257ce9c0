import { spawn } from 'node:child_process';
import { Connection } from '@temporalio/client';
import { until } from '../../../src/lab/wait.ts';
import { searchAttributeArguments } from '../../../src/temporal/search-attributes.ts';
import { temporalCli } from '../../support/python-tool.ts';

/** A Temporal that pods reach too. */
export interface TemporalServer {
  readonly address: string;
  stop(): Promise<void>;
}

/**
 * Starts a development server that answers on this address of the network; its state is gone with it. It listens on all: told one
 * address, its parts listen there and look for each other on the loopback.
 */
export async function startTemporal(host: string, port: number): Promise<TemporalServer> {
  const where = ['--ip', '0.0.0.0', '--port', String(port), '--headless', '--log-level', 'error'];
  const args = ['server', 'start-dev', ...where, ...searchAttributeArguments()];
  // Not as the tests' group: what that group sends to pods is dropped, answers too.
  const server = spawn(await temporalCli(), args, { stdio: ['ignore', 'inherit', 'inherit'], gid: 0 });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const address = `${host}:${port}`;
  const answers = async () => {
    try {
      await (await Connection.connect({ address, connectTimeout: 1_000 })).close();
      return true;
    } catch {
      return undefined;
    }
  };
  if ((await until(answers, { everyMs: 200, limitMs: 60_000 })) !== true) {
    server.kill('SIGKILL');
    throw new Error(`no Temporal answers at ${address}`);
  }
  return {
    address,
    stop: async () => {
      server.kill('SIGTERM');
      await ended;
    },
  };
}
