import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where one user's Assay keeps what outlives a process: labs, caches, the embedded server. All paths are absolute. */
export interface Home {
  readonly root: string;
  /** Kafka's jars and class-data archives, by content. Safe to delete while no lab runs. */
  readonly kafka: string;
  /** One folder a lab: everything of it lies below, so that deleting the folder deletes the lab. */
  readonly labs: string;
  /** Services of the home (the embedded Temporal, the worker), not of a lab. */
  readonly capsules: string;
  /** Default place of results. */
  readonly results: string;
  readonly temporal: string;
  /** Fallback identity where the machine has none of its own. */
  readonly machineIdFile: string;
}

/** Home = `$ASSAY_HOME`, else the XDG state folder (design §3). Creates nothing. */
export function resolveHome(env: NodeJS.ProcessEnv = process.env): Home {
  const state = env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state');
  const root = resolve(env['ASSAY_HOME'] || join(state, 'assay'));
  return {
    root,
    kafka: join(root, 'kafka'),
    labs: join(root, 'labs'),
    capsules: join(root, 'capsules'),
    results: join(root, 'results'),
    temporal: join(root, 'temporal'),
    machineIdFile: join(root, 'machine-id'),
  };
}

/** The folder of one lab. */
export function labFolder(home: Home, key: string): string {
  return join(home.labs, key);
}

/** A file of records that a user brought, kept by its content: put there by the command line, read by the lab. */
export function payloadFile(home: Home, sha256: string): string {
  return join(home.root, 'payloads', sha256);
}

/** The machine's own id, or a random one that is made once and kept in the home (small images have no /etc/machine-id). */
export function machineId(home: Home, systemFile = '/etc/machine-id'): string {
  const own = readText(systemFile);
  if (own !== '') return own;
  const kept = readText(home.machineIdFile);
  if (kept !== '') return kept;
  mkdirSync(home.root, { recursive: true });
  const draft = `${home.machineIdFile}.${process.pid}.${randomUUID()}`;
  writeFileSync(draft, `${randomUUID()}\n`);
  try {
    // link, not write: of two first processes both must end with one id
    linkSync(draft, home.machineIdFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readText(home.machineIdFile);
}

/** The task queue of everything that is bound to this machine and home: `assay-host-<12 hex digits>` (design §3). */
export function hostQueue(home: Home): string {
  const hash = createHash('sha256')
    .update(`${machineId(home)}\n${home.root}`)
    .digest('hex');
  return `assay-host-${hash.slice(0, 12)}`;
}

/**
 * What all users of this machine share: the measurement lease, the ports of labs. Sticky and writable by all, like
 * /tmp itself. `ASSAY_MACHINE_DIR` moves it for tests; two folders on one machine would measure each other.
 */
export function machineFolder(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(env['ASSAY_MACHINE_DIR'] || '/tmp/assay-machine');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}
