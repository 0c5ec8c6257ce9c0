import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreConflictError, StoreError } from '../../src/store/errors.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';

const run = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-store-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

async function failure(action: Promise<unknown>): Promise<StoreError> {
  const error = await action.then(
    () => null,
    (e: unknown) => e,
  );
  if (!(error instanceof StoreError)) throw new Error(`expected a StoreError, got ${String(error)}`);
  return error;
}

describe('put', () => {
  test('what was put can be got, with its hash and size, in folders that were not there', async () => {
    const store = createFolderStore(join(folder, 'not', 'there'));
    const stored = await store.put('trials/b1/batch=64KiB/a1/trial.json', 'grüße');
    expect(stored).toEqual({
      path: 'trials/b1/batch=64KiB/a1/trial.json',
      sha256: '8285d1ad84c6b6e475d3b50dbf90389c8c7a07a278d9ae46d5698cbe872e3834',
      bytes: 7,
    });
    expect((await store.get('trials/b1/batch=64KiB/a1/trial.json')).toString()).toBe('grüße');
    expect(await store.has('trials/b1/batch=64KiB/a1/trial.json')).toBe(true);
    expect(await store.has('trials/b2')).toBe(false);
  });

  test('the same content again is fine, another content is a conflict and changes nothing', async () => {
    const store = createFolderStore(folder);
    await store.put('plan.json', 'one');
    await store.put('plan.json', 'one');
    const error = await failure(store.put('plan.json', 'two'));
    expect(error).toBeInstanceOf(StoreConflictError);
    expect(error.code).toBe('conflict');
    expect(error.message).toContain('plan.json');
    expect(error.message).toContain('another store folder');
    expect((await store.get('plan.json')).toString()).toBe('one');
  });

  test('of many writers of one name exactly one content wins, the others see a conflict, nothing is torn', async () => {
    const contents = Array.from({ length: 12 }, (_, i) => String(i).repeat(100_000));
    const outcomes = await Promise.allSettled(
      contents.map(async (content) => createFolderStore(folder).put('x/y.json', content)),
    );
    const won = outcomes.flatMap((o, i) => (o.status === 'fulfilled' ? [i] : []));
    expect(won).toHaveLength(1);
    expect((await readFile(join(folder, 'x/y.json'))).toString()).toBe(contents[won[0] ?? -1]);
    for (const o of outcomes)
      if (o.status === 'rejected') expect(o.reason).toBeInstanceOf(StoreConflictError);
    expect(await readdir(join(folder, 'x'))).toEqual(['y.json']);
  });

  test.each([
    '../out.json',
    'a/../../out.json',
    '/etc/passwd',
    'a//b',
    'a/./b',
    '',
    'a\\..\\b',
    'a\0b',
    '.assay-tmp-1',
    'a/',
  ])('a name that could leave the store is refused: %j', async (path) => {
    const store = createFolderStore(join(folder, 'inner'));
    for (const action of [store.put(path, 'x'), store.replace(path, 'x'), store.get(path), store.has(path)]) {
      expect((await failure(action)).code).toBe('bad-path');
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('replace', () => {
  test('replaces as a whole and leaves no temporary file', async () => {
    const store = createFolderStore(folder);
    await store.replace('report.html', 'one');
    await store.replace('report.html', 'two');
    expect((await store.get('report.html')).toString()).toBe('two');
    expect(await readdir(folder)).toEqual(['report.html']);
  });
});

describe('list', () => {
  test('names files below a prefix in code-unit order, without unfinished ones; nothing where no folder is', async () => {
    const store = createFolderStore(folder);
    for (const path of ['b.json', 'trials/b10/x.json', 'trials/b1/x.json', 'a.json'])
      await store.put(path, path);
    await writeFile(join(folder, 'trials', '.assay-tmp-dead'), 'half');
    expect(await store.list('')).toEqual(['a.json', 'b.json', 'trials/b1/x.json', 'trials/b10/x.json']);
    expect(await store.list('trials/b1/')).toEqual(['trials/b1/x.json']);
    expect(await createFolderStore(join(folder, 'none')).list('')).toEqual([]);
  });
});

describe('a disk that fails', () => {
  async function failingHandle(method: 'writeFile' | 'sync', code: string): Promise<void> {
    const handle = await open(folder, 'r');
    const prototype = Object.getPrototypeOf(handle) as Record<typeof method, () => Promise<void>>;
    await handle.close();
    vi.spyOn(prototype, method).mockRejectedValue(Object.assign(new Error(code), { code }));
  }

  test.each([
    ['ENOSPC', 'full', 'no space is left'],
    ['EDQUOT', 'full', 'quota'],
    ['EACCES', 'denied', 'permission denied'],
    ['EROFS', 'read-only', 'read-only'],
    ['EIO', 'io', 'EIO'],
  ] as const)(
    '%s becomes the code %s, in plain words, with nothing under the final name',
    async (system, code, words) => {
      const store = createFolderStore(folder);
      await store.put('kept.json', 'kept');
      await failingHandle('writeFile', system);
      const error = await failure(store.put('lost.json', 'content'));
      expect(error.code).toBe(code);
      expect(error.message).toContain(words);
      expect(error.message).toContain(folder);
      expect(await readdir(folder)).toEqual(['kept.json']);
    },
  );

  test('a failed sync is a failed put: the data may not be on the disk', async () => {
    await failingHandle('sync', 'ENOSPC');
    expect((await failure(createFolderStore(folder).put('a.json', 'x'))).code).toBe('full');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a replace that fails leaves the old content', async () => {
    const store = createFolderStore(folder);
    await store.replace('report.html', 'old');
    await failingHandle('writeFile', 'ENOSPC');
    expect((await failure(store.replace('report.html', 'new'))).code).toBe('full');
    expect((await store.get('report.html')).toString()).toBe('old');
  });

  test('a really full file system says so, keeps what it had, and takes the file once there is room', async (context) => {
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).then(
      () => true,
      () => false,
    );
    if (!mounted) context.skip('needs the right to mount a tmpfs');
    try {
      const store = createFolderStore(folder);
      await store.put('first.json', 'kept');
      const error = await failure(store.put('big.bin', Buffer.alloc(1 << 20, 7)));
      expect(error.code).toBe('full');
      expect(await readdir(folder)).toEqual(['first.json']);
      await store.put('small.bin', Buffer.alloc(1 << 15, 7));
      expect((await store.get('first.json')).toString()).toBe('kept');
    } finally {
      await run('umount', [folder]);
    }
  });

  test('a file in the place of the folder, and a missing file, are said plainly', async () => {
    await writeFile(join(folder, 'file'), '');
    expect((await failure(createFolderStore(join(folder, 'file')).put('a.json', 'x'))).message).toContain(
      'not a folder',
    );
    const error = await failure(createFolderStore(folder).get('none.json'));
    expect(error.code).toBe('missing');
    await mkdir(join(folder, 'dir'));
    await symlink('dir', join(folder, 'link'));
    expect((await failure(createFolderStore(folder).get('link'))).message).toContain('folder');
  });
});
