import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { InfrastructureError } from '../lab/errors.ts';
import type { EmbeddedTemporal } from './connection.ts';
import { isPortFree } from './health.ts';
import { searchAttributeArguments } from './search-attributes.ts';

/** Histories are the audit of measurements: kept for a month, where a development server keeps a day. */
const RETENTION = '720h';

/** The command line of the embedded server: loopback only, its state in one file of the home. */
export function serverCommand(cli: string, choice: EmbeddedTemporal, folder: string): string[] {
  const where = ['--ip', choice.host, '--port', String(choice.port), '--ui-port', String(choice.uiPort)];
  const state = ['--db-filename', join(folder, 'temporal.db'), '--log-level', 'warn'];
  return [cli, 'server', 'start-dev', ...where, ...state, ...searchAttributeArguments()];
}

/** Sets the retention of the server's namespace; harmless when it is set already. */
export async function setRetention(cli: string, choice: EmbeddedTemporal): Promise<void> {
  const args = ['operator', 'namespace', 'update', '--namespace', choice.namespace, '--retention', RETENTION];
  await promisify(execFile)(cli, [...args, '--address', choice.address], { timeout: 20_000 });
}

/**
 * Refuses when somebody else listens on a port of the embedded server. Only to be asked when none of ours runs.
 *
 * @throws InfrastructureError with code `port-taken`.
 */
export async function requirePortsFree(choice: EmbeddedTemporal): Promise<void> {
  for (const port of [choice.port, choice.uiPort]) {
    if (await isPortFree(choice.host, port)) continue;
    throw new InfrastructureError(
      'port-taken',
      `Port ${port} on ${choice.host}, which the embedded Temporal needs, is taken by another program.`,
      `To use the Temporal server that runs there set TEMPORAL_ADDRESS=${choice.address}; to run an embedded one beside it set ASSAY_TEMPORAL_PORT to another port (the UI gets that port + 1000).`,
    );
  }
}
