import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folders of one Assay home that belong to Temporal. */
export interface TemporalFolders {
  /** `$ASSAY_HOME`, else the XDG state folder: labs, leases, the embedded server. */
  readonly home: string;
  /** Claims, logs and the database of server, worker and supervisor. */
  readonly temporal: string;
  /** Tools that Assay fetched for itself. */
  readonly tools: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Where the home is, whether it exists or not. Absolute. */
export function homeFolder(env: Env): string {
  if (env.ASSAY_HOME) return resolve(env.ASSAY_HOME);
  return join(env.XDG_STATE_HOME ? resolve(env.XDG_STATE_HOME) : join(homedir(), '.local', 'state'), 'assay');
}

/** The folders of the home; private to the user, since whoever writes there drives what Assay starts. */
export function temporalFolders(env: Env): TemporalFolders {
  const home = homeFolder(env);
  return { home, temporal: join(home, 'temporal'), tools: join(home, 'tools') };
}

/** Creates the folders when they are missing. */
export function makeTemporalFolders(env: Env): TemporalFolders {
  const folders = temporalFolders(env);
  mkdirSync(folders.home, { recursive: true, mode: 0o700 });
  for (const folder of [folders.temporal, folders.tools]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
  }
  return folders;
}
