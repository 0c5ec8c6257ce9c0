import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { resolveHome } from '../lab/home.ts';

/** The folders of one Assay home that belong to Temporal. */
export interface TemporalFolders {
  readonly home: string;
  /** Claims, logs and the database of server, worker and supervisor. */
  readonly temporal: string;
  /** Tools that Assay fetched for itself. */
  readonly tools: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Where the folders are, whether they exist or not. Absolute. */
export function temporalFolders(env: Env): TemporalFolders {
  const home = resolveHome(env);
  return { home: home.root, temporal: home.temporal, tools: join(home.root, 'tools') };
}

/** Creates the folders when they are missing; private, since whoever writes there drives what Assay starts. */
export function makeTemporalFolders(env: Env): TemporalFolders {
  const folders = temporalFolders(env);
  mkdirSync(folders.home, { recursive: true, mode: 0o700 });
  for (const folder of [folders.temporal, folders.tools]) {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o700);
  }
  return folders;
}
