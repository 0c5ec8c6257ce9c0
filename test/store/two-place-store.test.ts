import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StoreError } from '../../src/store/errors.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import type { Store } from '../../src/store/store.ts';
import { createTwoPlaceStore } from '../../src/store/two-place-store.ts';
import { memoryStore } from '../report/harness.ts';

/** A store that refuses every write while `full` says so. */
function fillable(store: Store): Store & { full: boolean } {
  const refuse = (path: string): never => {
    throw new StoreError('full', { path, location: store.location }, 'no space is left', 'Free some space');
  };
  const self = {
    ...store,
    full: false,
    put: async (path: string, content: Buffer | string) =>
      self.full ? refuse(path) : store.put(path, content),
    replace: async (path: string, content: Buffer | string) =>
      self.full ? refuse(path) : store.replace(path, content),
  };
  return self;
}

describe('a store with a second place', () => {
  it('uses the first as long as it takes what it is given', async () => {
    const second = memoryStore();
    const store = createTwoPlaceStore(memoryStore(), second);
    await store.put('a', 'x');
    expect(await second.list('')).toEqual([]);
    expect(await store.displaced()).toEqual([]);
  });

  it('puts into the second what the first cannot take, and reads from both', async () => {
    const first = fillable(memoryStore());
    const store = createTwoPlaceStore(first, memoryStore());
    await store.put('a', 'one');
    first.full = true;
    await store.put('b', 'two');
    expect((await store.get('a')).toString()).toBe('one');
    expect((await store.get('b')).toString()).toBe('two');
    expect(await store.list('')).toEqual(['a', 'b']);
    expect(await store.displaced()).toEqual(['b']);
  });

  it('brings displaced files home once there is room again', async () => {
    const first = fillable(memoryStore());
    const store = createTwoPlaceStore(first, memoryStore());
    first.full = true;
    await store.put('b', 'two');
    expect(await store.bringHome()).toEqual(['b']);
    first.full = false;
    expect(await store.bringHome()).toEqual([]);
    expect((await first.get('b')).toString()).toBe('two');
  });

  it("gives the first place's error when the second fails too", async () => {
    const [first, second] = [fillable(memoryStore()), fillable(memoryStore())];
    first.full = true;
    second.full = true;
    await expect(createTwoPlaceStore(first, second).put('a', 'x')).rejects.toThrow(/no space is left/);
  });

  it('takes nothing for absent that may lie in a first place which does not answer now', async () => {
    const silent = async (): Promise<never> => {
      throw new StoreError(
        'unreachable',
        { path: '', location: 's3://b' },
        'S3 does not answer',
        'Try again',
      );
    };
    const first: Store = {
      location: 's3://b',
      put: silent,
      replace: silent,
      get: silent,
      has: silent,
      list: silent,
    };
    const store = createTwoPlaceStore(first, memoryStore());
    await store.put('a', 'x');
    expect((await store.get('a')).toString()).toBe('x');
    expect(await store.has('a')).toBe(true);
    expect(await store.displaced()).toEqual(['a']);
    for (const asked of [store.has('b'), store.get('b'), store.list('')])
      await expect(asked).rejects.toThrow('S3 does not answer');
  });

  it('never takes a conflict for a full store', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-store-'));
    const second = memoryStore();
    const store = createTwoPlaceStore(createFolderStore(folder), second);
    await store.put('a', 'one');
    await expect(store.put('a', 'two')).rejects.toThrow(/another content/);
    expect(await second.list('')).toEqual([]);
    rmSync(folder, { recursive: true });
  });
});
