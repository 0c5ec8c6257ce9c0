import { createHash } from 'node:crypto';
import { type ReportModel, reportModel } from '../../src/report/model.ts';
import { loadResults, type Results } from '../../src/report/results.ts';
import { StoreError } from '../../src/store/errors.ts';
import { sampleFiles } from '../../src/report/write-report.ts';
import type { Store, StoredFile } from '../../src/store/store.ts';
import type { Fixture } from './fixture-cases.ts';
import { fillStore } from './fixtures.ts';

/** A store in memory with the contract of the folder store, without its fsyncs. */
export function memoryStore(): Store {
  const files = new Map<string, Buffer>();
  const replace = async (path: string, content: Buffer | string): Promise<StoredFile> => {
    const bytes = Buffer.from(content);
    files.set(path, bytes);
    return { path, sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
  };
  const at = (path: string) => ({ path, location: 'memory' });
  return {
    location: 'memory',
    replace,
    put: async (path, content) => {
      const known = files.get(path);
      if (known && !known.equals(Buffer.from(content)))
        throw new StoreError('conflict', at(path), 'taken', '');
      return replace(path, content);
    },
    get: async (path) => {
      const known = files.get(path);
      if (!known) throw new StoreError('missing', at(path), 'there is no such file', '');
      return known;
    },
    has: async (path) => files.has(path),
    list: async (prefix) => [...files.keys()].filter((path) => path.startsWith(prefix)).sort(),
  };
}

/** A store that holds what the experiment of a fixture leaves, nothing rendered yet. */
export async function storeOf(fixture: Fixture): Promise<Store> {
  const store = memoryStore();
  await fillStore(fixture, store);
  return store;
}

export async function resultsOf(fixture: Fixture): Promise<Results> {
  return loadResults(await storeOf(fixture));
}

export async function modelOf(fixture: Fixture): Promise<ReportModel> {
  const store = await storeOf(fixture);
  const results = await loadResults(store);
  return reportModel(results, await sampleFiles(store, results.files));
}
