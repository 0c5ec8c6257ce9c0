import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveHome, type Home } from '../../src/lab/home.ts';

/** A home of a test's own: nothing of it is shared with the user's, not even the machine's lease and ports. */
export interface PrivateHome {
  readonly home: Home;
  readonly env: NodeJS.ProcessEnv;
  readonly temporalPort: number;
  remove(): void;
}

/** Makes one below the system's temporary folder; sets nothing in this process's environment. */
export async function privateHome(): Promise<PrivateHome> {
  const root = mkdtempSync(join(tmpdir(), 'assay-test-'));
  const temporalPort = await freePort();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ASSAY_HOME: join(root, 'home'),
    ASSAY_MACHINE_DIR: join(root, 'machine'),
    ASSAY_TEMPORAL_PORT: String(temporalPort),
    NO_COLOR: '1',
  };
  for (const name of ['TEMPORAL_ADDRESS', 'TEMPORAL_CONFIG_FILE', 'TEMPORAL_PROFILE']) delete env[name];
  return {
    home: resolveHome(env),
    env,
    temporalPort,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** A port that is free now, together with the one 1,000 above it; below the ephemeral range. */
async function freePort(): Promise<number> {
  for (let port = 21_000 + (process.pid % 5_000); port < 31_000; port += 7) {
    if ((await isFree(port)) && (await isFree(port + 1_000))) return port;
  }
  throw new Error('no free port between 21000 and 31000');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
