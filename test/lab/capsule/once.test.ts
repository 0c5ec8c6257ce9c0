import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createLocalHost } from '../../../src/lab/local/local-host.ts';
import { capsule, finished, lives, temporaryHost, until, userlands } from './support.ts';

const LAUNCHER = fileURLToPath(new URL('./fixtures/launcher.ts', import.meta.url));

/** Runs a launcher as a process of its own; settles when it has ended. */
function launcher(root: string, spec: object, dieAt: string): Promise<NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LAUNCHER, root, JSON.stringify(spec), dieAt], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', (code, signal) =>
      code === 0 || signal !== null ? resolve(signal) : reject(new Error(`launcher: ${code}`)),
    );
  });
}

describe.each(userlands)('starting once on $tools tools', ({ env }) => {
  it('starts one load when eight launch it at the same time', async () => {
    const { host, root } = temporaryHost(env());
    const starts = join(root, 'starts');
    const spec = await capsule(host, 'race/p', `echo started >>${starts}; sleep 1`);
    const hosts = Array.from({ length: 8 }, () => createLocalHost({ name: 'racer', root, env: env() }));
    await Promise.all(hosts.map((racer) => racer.launch(spec)));
    const claims = await Promise.all(hosts.map(async (racer) => (await racer.poll('race/p')).claim?.pid));
    expect(new Set(claims).size).toBe(1);
    expect((await finished(host, 'race/p')).exit).toMatchObject({ code: 0 });
    await host.launch(spec);
    expect(readFileSync(starts, 'utf8')).toBe('started\n');
    // Losers leave no files of theirs.
    expect(
      await until(
        () => host.list(''),
        (names) => names.length === 1,
      ),
    ).toEqual(['race/p']);
  });

  it.each(['write', 'written', 'detached'])(
    'a launcher killed at "%s" leaves a capsule that another can launch, once',
    async (dieAt) => {
      const { host, root } = temporaryHost(env());
      const starts = join(root, 'starts');
      const spec = await capsule(host, 'k/p', `echo started >>${starts}; sleep 0.2`);
      expect(await launcher(root, spec, dieAt)).toBe('SIGKILL');
      await host.launch(spec);
      expect((await finished(host, 'k/p')).exit).toMatchObject({ code: 0, by: 'itself' });
      expect(readFileSync(starts, 'utf8')).toBe('started\n');
    },
  );

  it('outlives its launcher, and any other host object finds it with all its output', async () => {
    const { host, root } = temporaryHost(env());
    const spec = await capsule(
      host,
      'k/p',
      'echo before; until [[ -e go ]]; do sleep 0.05; done; echo after',
      { cwd: root },
    );
    expect(await launcher(root, spec, 'claimed')).toBe('SIGKILL');
    const other = createLocalHost({ name: 'other', root, env: env() });
    const first = await until(
      () => other.poll('k/p'),
      (poll) => poll.stdout.length > 0,
    );
    expect(first.state).toBe('running');
    expect(lives(first.child!.pid)).toBe(true);
    writeFileSync(join(root, 'go'), '');
    const end = await until(
      () => createLocalHost({ name: 'third', root }).poll('k/p', first.next),
      (poll) => poll.state === 'exited',
    );
    expect(first.stdout.toString() + end.stdout.toString()).toBe('before\nafter\n');
  });

  it('refuses a launch for another boot, and stays free for the right one', async () => {
    const { host } = temporaryHost(env());
    const spec = await capsule(host, 'k/p', 'echo ran');
    await expect(
      host.launch({ ...spec, identity: { bootId: '00000000-0000-0000-0000-000000000000' } }),
    ).rejects.toMatchObject({ code: 'identity' });
    expect((await host.poll('k/p')).state).toBe('absent');
    await host.launch(spec);
    expect((await finished(host, 'k/p')).stdout.toString()).toBe('ran\n');
  });

  it('tells pods and their restarts apart', async () => {
    const pod = temporaryHost({ ...env(), ASSAY_POD_UID: 'pod-1' });
    const spec = await capsule(pod.host, 'k/p', 'echo ran');
    expect(spec.identity).toMatchObject({ podUid: 'pod-1' });
    expect(spec.identity.containerId).toMatch(/^pid:\[\d+\]:\d+$/);
    await expect(
      pod.host.launch({ ...spec, identity: { ...spec.identity, containerId: 'pid:[1]:1' } }),
    ).rejects.toMatchObject({ code: 'identity' });
    await expect(
      pod.host.launch({ ...spec, identity: { ...spec.identity, podUid: 'pod-2' } }),
    ).rejects.toMatchObject({ code: 'identity' });
    await pod.host.launch(spec);
    expect((await finished(pod.host, 'k/p')).exit).toMatchObject({ code: 0 });
  });
});
