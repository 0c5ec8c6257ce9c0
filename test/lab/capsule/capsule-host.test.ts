import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createCapsuleHost } from '../../../src/lab/capsule/capsule-host.ts';
import { launchFile } from '../../../src/lab/capsule/launch-file.ts';
import type { CapsuleSpec } from '../../../src/lab/host.ts';
import { createLocalTransport } from '../../../src/lab/local/local-transport.ts';
import { SCRIPT, capsule, finished, plainTransport, temporaryHost, userlands } from './support.ts';

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** A host whose transport cuts or changes the first answers. */
function brokenHost(root: string, spoil: (stdout: Buffer) => Buffer, times: number) {
  const local = plainTransport();
  let left = times;
  return createCapsuleHost({
    name: 'broken',
    root,
    script: SCRIPT,
    transport: {
      ...local,
      exec: async (argv, deadlineMs) => {
        const result = await local.exec(argv, deadlineMs);
        return left-- > 0 ? { code: 0, stdout: spoil(result.stdout) } : result;
      },
    },
  });
}

describe('the client of the capsule', () => {
  it.each([
    ['cut at its end', (stdout: Buffer) => stdout.subarray(0, -1)],
    ['cut in the middle', (stdout: Buffer) => stdout.subarray(0, stdout.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['one bit wrong', (stdout: Buffer) => Buffer.concat([Buffer.from([stdout[0]! ^ 1]), stdout.subarray(1)])],
  ])('asks again when an answer comes %s, and says so when it never comes whole', async (_, spoil) => {
    const { host, root } = temporaryHost();
    await host.launch(await capsule(host, 'k/p', 'echo whole'));
    await finished(host, 'k/p');
    expect((await brokenHost(root, spoil, 2).poll('k/p')).stdout.toString()).toBe('whole\n');
    await expect(brokenHost(root, spoil, 3).poll('k/p')).rejects.toMatchObject({ code: 'transport' });
  });

  it.each(['', '/', 'a//b', '../x', 'a/../b', '.files', '-x', 'a b', 'a\n', "a'b", '$(x)', 'a/'])(
    'refuses %j as a name',
    async (name) => {
      const { host } = temporaryHost();
      await expect(host.poll(name)).rejects.toMatchObject({ code: 'invalid' });
      await expect(host.kill(name)).rejects.toMatchObject({ code: 'invalid' });
      await expect(host.remove(name)).rejects.toMatchObject({ code: 'invalid' });
    },
  );

  it.each<[string, Partial<CapsuleSpec>]>([
    ['no command', { argv: [] }],
    ['an option as command', { argv: ['-v'] }],
    ['an assignment as command', { argv: ['A=1'] }],
    ['a NUL', { argv: ['echo', 'a\0b'] }],
    ['a bad variable', { env: { 'A B': '1' } }],
    ['bad cores', { cpus: '0;reboot' }],
    ['a deadline that is no number', { deadlineMs: Number.NaN }],
    ['a negative cap', { stdoutCapBytes: -1 }],
  ])('refuses a capsule with %s', async (_, more) => {
    const { host } = temporaryHost();
    const spec = await capsule(host, 'k/p', 'exit', more);
    expect(() => launchFile(spec)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });

  it('refuses a pattern that grep cannot read', async () => {
    const { host } = temporaryHost();
    await expect(host.launch(await capsule(host, 'k/p', 'exit', { countStderr: '(' }))).rejects.toMatchObject(
      { code: 'pattern' },
    );
  });

  it('says transport, not for ever, when a host does not answer', async () => {
    const { host } = temporaryHost();
    const local = createLocalTransport();
    await expect(local.exec(['sleep', '60'], 100)).rejects.toMatchObject({ code: 'transport' });
    await expect(local.exec(['no-such-command'], 1_000)).rejects.toMatchObject({ code: 'transport' });
    await expect(host.readFile('k/p', 'stdout')).rejects.toMatchObject({ code: 'no-file' });
  });

  it('keeps a launch file, which may hold secrets, to its owner', async () => {
    const { host, root } = temporaryHost();
    await host.launch(await capsule(host, 'k/p', 'exit', { env: { PASSWORD: 'x' } }));
    expect(statSync(`${root}/k/p/launch`).mode & 0o077).toBe(0);
  });
});

describe.each(userlands)('files on a host on $tools tools', ({ env }) => {
  it('are put once by their hash, and put again when somebody changed them', async () => {
    const { host } = temporaryHost(env());
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => i % 251));
    const path = await host.putFile('payload/p.jsonl', content, sha256(content));
    expect(readFileSync(path).equals(content)).toBe(true);
    const { ino } = statSync(path);
    await host.putFile('payload/p.jsonl', content, sha256(content));
    expect(statSync(path).ino).toBe(ino);
    writeFileSync(path, 'spoilt');
    await host.putFile('payload/p.jsonl', content, sha256(content));
    expect(readFileSync(path).equals(content)).toBe(true);
    await expect(
      host.putFile('payload/p.jsonl', content, sha256(Buffer.from('other'))),
    ).rejects.toMatchObject({ code: 'invalid' });
    expect(await host.list('')).toEqual([]);
  });
});
