import { StoreConflictError, StoreError } from './errors.ts';
import type { Store, StoredFile } from './store.ts';

/**
 * A store with a second place: what the first cannot take (full, read-only, gone) goes to the second, so that
 * nothing already measured is lost. Reads look in both. `movedTo` says whether the second was needed.
 */
export interface TwoPlaceStore extends Store {
  readonly second: Store;
  /** Files that lie in the second place only. */
  displaced(): Promise<readonly string[]>;
  /** Tries to bring displaced files home; returns those that still lie in the second place. */
  bringHome(): Promise<readonly string[]>;
}

/**
 * Creates it; an error of the first place is thrown only when the second fails too. What may be in a first place that does
 * not answer now is not taken for absent: an analysis of half the trials would look whole.
 */
export function createTwoPlaceStore(first: Store, second: Store): TwoPlaceStore {
  const put =
    (how: 'put' | 'replace') =>
    async (path: string, content: Buffer | string): Promise<StoredFile> => {
      try {
        return await first[how](path, content);
      } catch (error) {
        if (
          !(error instanceof StoreError) ||
          error instanceof StoreConflictError ||
          error.code === 'bad-path'
        )
          throw error;
        return await second[how](path, content).catch(() => {
          throw error;
        });
      }
    };
  const displaced = async (): Promise<readonly string[]> => {
    const home = new Set(await listOrNothing(first));
    return (await listOrNothing(second)).filter((path) => !home.has(path));
  };
  const inFirst = async (path: string): Promise<boolean> => {
    try {
      return await first.has(path);
    } catch (error) {
      if (isSilent(error) && !(await hasOrNot(second, path))) throw error;
      return false;
    }
  };
  return {
    location: first.location,
    second,
    put: put('put'),
    replace: put('replace'),
    get: async (path) => ((await inFirst(path)) ? first.get(path) : second.get(path)),
    has: async (path) => (await inFirst(path)) || hasOrNot(second, path),
    list: async (prefix) => {
      const lists = [
        await first.list(prefix).catch(nothingUnlessSilent),
        await listOrNothing(second, prefix),
      ];
      return [...new Set(lists.flat())].sort();
    },
    displaced,
    bringHome: async () => {
      for (const path of await displaced()) {
        const content = await second.get(path);
        await first.put(path, content).catch(() => undefined);
      }
      return displaced();
    },
  };
}

/** Of a place that cannot be read; that it may be read later is an error. */
function nothingUnlessSilent(error: unknown): readonly string[] {
  if (isSilent(error)) throw error;
  return [];
}

function isSilent(error: unknown): boolean {
  return error instanceof StoreError && (error.code === 'unreachable' || error.code === 'credentials');
}

async function listOrNothing(store: Store, prefix = ''): Promise<readonly string[]> {
  return store.list(prefix).catch(() => []);
}

async function hasOrNot(store: Store, path: string): Promise<boolean> {
  return store.has(path).catch(() => false);
}
