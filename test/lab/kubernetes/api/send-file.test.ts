import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHUNK_BYTES, sendFile } from '../../../../src/lab/kubernetes/api/send-file.ts';
import type { RunInPod } from '../../../../src/lab/kubernetes/api/send-file.ts';
import { onTinyDisk, userlands } from '../../capsule/support.ts';
import { localPod } from './local-pod.ts';

const POD = { namespace: 'bench', pod: 'a', container: 'a' };
/** Does not compress: travels as 5 parts. */
const LARGE = randomBytes(4 * CHUNK_BYTES + 1_000);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-send-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe.each(userlands)('a file sent to a pod with $tools tools', ({ env }) => {
  function pod(spoil: (nth: number, argv: readonly string[]) => boolean = () => false): {
    run: RunInPod;
    count: () => number;
  } {
    const { exec, commands } = localPod(env());
    const run: RunInPod = async (argv) => {
      const nth = commands.length + 1;
      const outcome = await exec(POD, argv, { deadlineMs: 1 });
      if (spoil(nth, argv)) throw new Error('the connection broke');
      if (outcome.kind !== 'exit') throw new Error(outcome.why);
      return outcome;
    };
    return { run, count: () => commands.length };
  }

  it.each([
    ['empty', Buffer.alloc(0), 1],
    ['small', Buffer.from('ä\0\n\n$(x)'), 1],
    ['large', LARGE, 7],
  ])(
    '%s arrives as it was, for its owner only, and leaves nothing beside it',
    async (_size, content, commands) => {
      const { run, count } = pod();
      const path = join(root, 'a b', 'deep', 'file');
      await sendFile(run, path, content);
      expect(readFileSync(path).equals(content)).toBe(true);
      expect(statSync(path).mode & 0o077).toBe(0);
      expect(readdirSync(join(root, 'a b', 'deep'))).toEqual(['file']);
      expect(count()).toBe(commands);
    },
  );

  it('replaces a file that is there', async () => {
    const path = join(root, 'file');
    writeFileSync(path, 'old');
    await sendFile(pod().run, path, Buffer.from('new'));
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it('goes on where a transfer broke off', async () => {
    const path = join(root, 'file');
    await expect(sendFile(pod((nth) => nth === 4).run, path, LARGE)).rejects.toThrow('broke');
    expect(existsSync(path)).toBe(false);
    const again = pod();
    await sendFile(again.run, path, LARGE);
    expect(readFileSync(path).equals(LARGE)).toBe(true);
    // At most four were on their way.
    expect(again.count()).toBeLessThan(7);
  });

  it('is sent anew when a part of an earlier transfer is damaged', async () => {
    const path = join(root, 'file');
    await expect(sendFile(pod((nth) => nth === 7).run, path, Buffer.from(LARGE))).rejects.toThrow('broke');
    rmSync(path);
    await expect(sendFile(pod((nth) => nth === 3).run, path, LARGE)).rejects.toThrow('broke');
    const [folder = ''] = readdirSync(root);
    for (const part of readdirSync(join(root, folder))) writeFileSync(join(root, folder, part), 'no');
    await sendFile(pod().run, path, LARGE);
    expect(readFileSync(path).equals(LARGE)).toBe(true);
    expect(readdirSync(root)).toEqual(['file']);
  });

  it('may be sent by two at once', async () => {
    const path = join(root, 'file');
    await Promise.all([sendFile(pod().run, path, LARGE), sendFile(pod().run, path, LARGE)]);
    expect(readFileSync(path).equals(LARGE)).toBe(true);
  });

  it('says that the disk is full', async () => {
    await onTinyDisk(128, async (folder) => {
      await expect(sendFile(pod().run, join(folder, 'file'), LARGE)).rejects.toMatchObject({
        code: 'disk-full',
      });
    });
  });

  it('says why it cannot be written', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(sendFile(pod().run, join(root, 'file', 'x'), Buffer.from('x'))).rejects.toMatchObject({
      code: 'transport',
      message: expect.stringContaining('cannot be written'),
    });
  });
});
