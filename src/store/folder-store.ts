import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { asStoreError, StoreConflictError, StoreError, systemCode } from './errors.ts';
import { checkStorePath, TEMP_PREFIX } from './paths.ts';
import type { Store } from './store.ts';

/**
 * A store in a folder of this machine. Every write goes to a private temporary file first, is fsynced, and
 * gets its name by one atomic step, so that a reader or a crash never meets half a file under a final name.
 * @param folder made on the first write; reading from a folder that is not there finds nothing.
 * @throws StoreError (every method) with a code, see errors.ts.
 */
export function createFolderStore(folder: string): Store {
  const location = resolve(folder);

  async function guarded<T>(path: string, action: (file: string) => Promise<T>): Promise<T> {
    checkStorePath(path, location);
    try {
      return await action(join(location, path));
    } catch (error) {
      throw asStoreError(error, { path, location });
    }
  }

  return {
    location,
    put: async (path, content) =>
      guarded(path, async (file) => {
        const bytes = Buffer.from(content);
        const offered = sha256(bytes);
        const ours = (await storedSize(file)) === null && (await writeThenName(file, bytes, nameIfAbsent));
        const stored = sha256(await readFile(file));
        // Other bytes than ours: a bad disk when we wrote them, a conflict when somebody was there before us.
        if (stored !== offered && ours) throw readBackError(path, location);
        if (stored !== offered) throw new StoreConflictError({ path, location }, stored, offered);
        return { path, sha256: offered, bytes: bytes.length };
      }),
    replace: async (path, content) =>
      guarded(path, async (file) => {
        const bytes = Buffer.from(content);
        const offered = sha256(bytes);
        await writeThenName(file, bytes, nameAnyway);
        if (sha256(await readFile(file)) !== offered) throw readBackError(path, location);
        return { path, sha256: offered, bytes: bytes.length };
      }),
    get: async (path) => guarded(path, async (file) => readFile(file)),
    has: async (path) => guarded(path, async (file) => (await storedSize(file)) !== null),
    list: async (prefix) => {
      try {
        return (await filesBelow(location, '', prefix)).sort(byCodeUnit);
      } catch (error) {
        throw asStoreError(error, { path: prefix, location });
      }
    },
  };
}

/** SHA-256 as 64 hex digits. */
export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function readBackError(path: string, location: string): StoreError {
  const fix = 'Check the disk and its cables or the network file system, then try again';
  return new StoreError('corrupt', { path, location }, 'what was read back is not what was written', fix);
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

async function storedSize(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Gives a finished file its final name; false when the name was taken and left alone. */
type Namer = (temp: string, file: string) => Promise<boolean>;

async function writeThenName(file: string, bytes: Buffer, name: Namer): Promise<boolean> {
  await makeFolders(dirname(file));
  const temp = join(dirname(file), TEMP_PREFIX + randomBytes(9).toString('hex'));
  try {
    const handle = await open(temp, 'wx');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const named = await name(temp, file);
    await syncFolder(dirname(file));
    return named;
  } finally {
    await unlink(temp).catch(() => {
      // Already renamed, or never made. A leftover is harmless: its name is not part of the store.
    });
  }
}

/** File systems without hard links answer with one of these. */
const NO_LINKS: readonly string[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/**
 * Names a finished file unless the name is taken. link(2) does it in one step. Where hard links do not
 * exist, rename may clobber a writer that came between; the read-back then shows that writer a conflict.
 */
async function nameIfAbsent(temp: string, file: string): Promise<boolean> {
  try {
    await link(temp, file);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    if (!NO_LINKS.includes(systemCode(error))) throw error;
    return (await storedSize(file)) === null && nameAnyway(temp, file);
  }
}

async function nameAnyway(temp: string, file: string): Promise<boolean> {
  await rename(temp, file);
  return true;
}

/** Makes missing folders and syncs the parents of those it made, so that a crash keeps them. */
async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems cannot sync a folder; the read-back still guards the content.
    if (!['EINVAL', 'ENOTSUP', 'EISDIR', 'EBADF'].includes(systemCode(error))) throw error;
  } finally {
    await handle.close();
  }
}

/** Files whose path begins so; folders that cannot hold one are not looked into: a store grows with every trial. */
async function filesBelow(root: string, inside: string, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await entriesOf(join(root, inside))) {
    if (entry.name.startsWith(TEMP_PREFIX)) continue;
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`;
    if (entry.isDirectory()) {
      const folder = `${path}/`;
      if (folder.startsWith(prefix) || prefix.startsWith(folder))
        found.push(...(await filesBelow(root, path, prefix)));
    }
    // A link may lead out of the folder, and its target may change: it is no file of the store.
    else if (entry.isFile() && path.startsWith(prefix)) found.push(path);
  }
  return found;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
