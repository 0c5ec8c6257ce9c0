import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { peekLocally } from '../../../src/lab/local/local-peek.ts';
import { capsule, finished, scriptHost, temporaryHost, until } from '../capsule/support.ts';

const START = { stdout: 0, stderr: 0 };

it('says of every state what the script says', async () => {
  const { host, root } = temporaryHost();
  const byScript = scriptHost(root);
  const same = async (name: string, from = START): Promise<string> => {
    const peeked = (await peekLocally(join(root, name), from, 1 << 22))?.poll;
    expect(peeked).toEqual(await byScript.poll(name, from));
    return peeked!.state;
  };
  expect(await same('k/none')).toBe('absent');
  const spec = await capsule(
    host,
    'k/p',
    'echo out; echo err >&2; until [[ -e go ]]; do sleep 0.05; done; exit 3',
    { cwd: root, cpus: '0' },
  );
  await host.launch(spec);
  await until(
    () => host.poll('k/p'),
    (poll) => poll.stdout.length > 0 && poll.stderr.length > 0,
  );
  expect(await same('k/p')).toBe('running');
  expect(await same('k/p', { stdout: 2, stderr: 1 })).toBe('running');
  expect(await same('k/p', { stdout: 99, stderr: 99 })).toBe('running');
  writeFileSync(join(root, 'go'), '');
  await finished(host, 'k/p');
  expect(await same('k/p')).toBe('exited');
});

it('leaves a capsule without a living owner to the script', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-peek-'));
  mkdirSync(folder, { recursive: true });
  // Our own pid: a wrong boot or a wrong start time alone makes it dead.
  writeFileSync(join(folder, 'claim'), `${process.pid} 1 other-boot token\n`);
  expect(await peekLocally(folder, START, 10)).toBeNull();
  rmSync(folder, { recursive: true });
});
