import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, type Logger } from '@temporalio/worker';

const ROOT = join(import.meta.dirname, '..', '..');
const CACHE = join(ROOT, 'node_modules', '.cache', 'assay-workflows');
/** Everything that the bundle is made of, and the versions of what it takes from npm. */
const SOURCES = ['workflows', 'activities', 'src'];
const VERSIONS = ['package.json', 'package-lock.json'];

/**
 * The workflows as one script for the worker's sandbox. Making it takes seconds, so it is kept beside the installed packages
 * under the hash of all that it is made of; where nothing can be written it is made anew each time.
 */
export async function workflowBundle(logger: Logger): Promise<{ code: string }> {
  const file = join(CACHE, `${sourcesHash()}.js`);
  const kept = readOrNull(file);
  if (kept !== null) return { code: kept };
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(ROOT, 'workflows', 'index.ts'),
    logger,
  });
  keep(file, code);
  return { code };
}

function sourcesHash(): string {
  const hash = createHash('sha256').update(process.version);
  const add = (path: string): void => {
    hash.update(`\0${path}\0`).update(readFileSync(join(ROOT, path)));
  };
  for (const path of VERSIONS) if (readOrNull(join(ROOT, path)) !== null) add(path);
  for (const folder of SOURCES) {
    const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
    for (const name of names.toSorted()) if (name.endsWith('.ts')) add(join(folder, name));
  }
  return hash.digest('hex').slice(0, 32);
}

/** Under its name only when whole; older ones go. */
function keep(file: string, code: string): void {
  try {
    mkdirSync(CACHE, { recursive: true });
    for (const old of readdirSync(CACHE)) rmSync(join(CACHE, old), { force: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, code);
    renameSync(draft, file);
  } catch {
    // An installation that may not be written to: the next start makes it anew.
  }
}

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
