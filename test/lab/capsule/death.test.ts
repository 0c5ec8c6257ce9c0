import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalHost } from '../../../src/lab/local/local-host.ts';
import {
  capsule,
  finished,
  lives,
  processesOf,
  startTicks,
  stateOf,
  temporaryHost,
  until,
  userlands,
} from './support.ts';

const RUNNER = readFileSync(new URL('../../../src/lab/capsule/runner.sh', import.meta.url), 'utf8');
/** Every step of the runner, as the script itself names them. */
const STEPS = [...RUNNER.matchAll(/^ +step ([a-z-]+)$/gm)].map((match) => match[1]!);
const BEFORE_CLAIM = ['started', 'reserved'];
const AFTER_EXIT = ['exit-renamed'];

/** The runner is stopped (state T) at its step. */
async function stoppedRunner(root: string): Promise<number> {
  const runners = () => processesOf(root).filter((pid) => stateOf(pid) === 'T');
  return (await until(runners, (pids) => pids.length === 1))[0]!;
}

it('knows the steps of the runner', () => {
  expect(STEPS).toEqual([
    'started',
    'reserved',
    'claimed',
    'streams',
    'forked',
    'child-written',
    'released',
    'ended',
    'drained',
    'exit-written',
    'exit-renamed',
  ]);
});

describe.each(userlands)('the death of a capsule on $tools tools', ({ env }) => {
  it.each(STEPS)('SIGKILL of the runner at "%s" never leaves it half-way', async (step) => {
    const { host, root } = temporaryHost(env());
    const starts = join(root, 'starts');
    const spec = await capsule(
      host,
      'k/p',
      `echo started >>${starts}; echo measured; ${step === 'released' ? 'sleep 60' : 'exit 0'}`,
    );
    const stopping = createLocalHost({
      name: 'stopping',
      root,
      env: { ...env(), ASSAY_CAPSULE_STOP_AT: step },
    });
    // Before the claim this launch waits for a runner that is stopped: it is left to itself.
    const launched = stopping.launch(spec).catch(() => undefined);
    process.kill(await stoppedRunner(root), 'SIGKILL');
    if (!BEFORE_CLAIM.includes(step)) await launched;
    const { state } = await until(
      () => host.poll('k/p'),
      (poll) => poll.state !== 'running',
    );
    if (BEFORE_CLAIM.includes(step)) {
      expect(state).toBe('absent');
      await host.launch(spec);
      expect((await finished(host, 'k/p')).exit).toMatchObject({ code: 0, by: 'itself' });
    } else {
      expect(state).toBe(AFTER_EXIT.includes(step) ? 'exited' : 'lost');
      // Lost is proven; a runner that is killed after its record may take a moment to go.
      if (state === 'exited')
        await until(
          () => processesOf(root),
          (pids) => pids.length === 0,
        );
      expect(processesOf(root)).toEqual([]);
      await host.launch(spec);
      expect((await host.poll('k/p')).state).toBe(state);
    }
    await launched;
    const count = await host
      .poll('k/p')
      .then(
        () => readFileSync(starts, 'utf8'),
        () => '',
      )
      .catch(() => '');
    expect(count === '' || count === 'started\n').toBe(true);
    await host.kill('k/p');
    await host.remove('k/p');
    expect(await host.list('')).toEqual([]);
  });

  it('is lost when its runner dies, and nothing of it lives then, what it printed stays', async () => {
    const { host } = temporaryHost(env());
    const script = 'sleep 63 & echo $!; setsid sleep 64 & echo $!; env -i sleep 65 & echo $!; echo $$; wait';
    await host.launch(await capsule(host, 'lost', script));
    const before = await until(
      () => host.poll('lost'),
      (poll) => poll.stdout.toString().split('\n').length === 5,
    );
    const pids = before.stdout.toString().trim().split('\n').map(Number);
    expect(pids.filter(lives)).toEqual(pids);
    process.kill(before.claim!.pid, 'SIGKILL');
    const after = await until(
      () => host.poll('lost'),
      (poll) => poll.state !== 'running',
    );
    expect(after).toMatchObject({ state: 'lost', exit: null, stdout: before.stdout });
    expect(pids.filter(lives)).toEqual([]);
  });

  it('kills nobody who got a pid of the capsule later', async () => {
    const { host, root } = temporaryHost(env());
    const stranger = spawn('sleep', ['66'], { detached: true, stdio: 'ignore' });
    const pid = stranger.pid!;
    const { bootId } = await host.identity();
    await host.launch(await capsule(host, 'recycled', 'exit 0'));
    await finished(host, 'recycled');
    // As if the runner and its command had died long ago and their numbers had gone to the stranger.
    const claim = readFileSync(join(root, 'recycled/claim'), 'utf8').trim().split(' ');
    writeFileSync(join(root, 'recycled/claim'), `${pid} ${startTicks(pid) - 1} ${bootId} ${claim[3]}\n`);
    writeFileSync(join(root, 'recycled/child'), `${pid} ${startTicks(pid) - 1}\n`);
    rmSync(join(root, 'recycled/exit'));
    expect((await host.poll('recycled')).state).toBe('lost');
    await host.kill('recycled');
    expect(lives(pid)).toBe(true);
    // Nor somebody of another boot, whatever the numbers.
    writeFileSync(
      join(root, 'recycled/claim'),
      `${pid} ${startTicks(pid)} 00000000-other-boot ${claim[3]}\n`,
    );
    writeFileSync(join(root, 'recycled/child'), `${pid} ${startTicks(pid)}\n`);
    expect((await host.poll('recycled')).state).toBe('lost');
    await host.kill('recycled');
    expect(lives(pid)).toBe(true);
    stranger.kill('SIGKILL');
  });

  it('takes a zombie runner for dead', async () => {
    const { host, root } = temporaryHost(env());
    const { bootId } = await host.identity();
    // exec turns the parent into a sleep, which never asks for its children.
    const parent = spawn('bash', ['-c', 'sleep 0.1 & echo $!; exec sleep 67'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = Number(await new Promise<Buffer>((resolve) => parent.stdout.once('data', resolve)));
    await until(
      () => readFileSync(`/proc/${pid}/stat`, 'utf8'),
      (stat) => stat.includes(') Z '),
    );
    mkdirSync(join(root, 'zombie'));
    writeFileSync(join(root, 'zombie/claim'), `${pid} ${startTicks(pid)} ${bootId} token-z\n`);
    expect((await host.poll('zombie')).state).toBe('lost');
    parent.kill('SIGKILL');
  });

  it('is killed with all its group, says so, and may be killed again', async () => {
    const { host } = temporaryHost(env());
    await host.launch(
      await capsule(host, 'k/p', "trap '' TERM; sleep 68 & echo $!; echo $$; while :; do sleep 1; done"),
    );
    const before = await until(
      () => host.poll('k/p'),
      (poll) => poll.stdout.toString().split('\n').length === 3,
    );
    const pids = before.stdout.toString().trim().split('\n').map(Number);
    await host.kill('k/p');
    expect(pids.filter(lives)).toEqual([]);
    expect(await host.poll('k/p')).toMatchObject({ state: 'exited', exit: { by: 'killed', code: 137 } });
    await host.kill('k/p');
    expect((await host.poll('k/p')).exit).toMatchObject({ by: 'killed' });
    await host.kill('never/launched');
    expect(await host.list('')).toEqual(['k/p']);
  });

  it('is killed although its runner does not answer', async () => {
    const { host, root } = temporaryHost(env());
    await host.launch(await capsule(host, 'k/p', 'exec sleep 69'));
    const { claim, child } = await until(
      () => host.poll('k/p'),
      (poll) => poll.child !== null,
    );
    process.kill(claim!.pid, 'SIGSTOP');
    await host.kill('k/p');
    expect([claim!.pid, child!.pid].filter(lives)).toEqual([]);
    expect((await host.poll('k/p')).state).toBe('lost');
    expect(processesOf(root)).toEqual([]);
  });

  it('is killed at its barrier before it ever ran', async () => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 'k/p', 'echo ran', { notBeforeMs: Date.now() + 60_000 }));
    await host.kill('k/p');
    expect(await host.poll('k/p')).toMatchObject({ state: 'exited', exit: { by: 'killed', stdoutBytes: 0 } });
  });

  it('cannot start after a kill overtook its launch', async () => {
    const { host, root } = temporaryHost(env());
    const spec = await capsule(host, 'k/p', 'echo ran');
    const stopping = createLocalHost({
      name: 'stopping',
      root,
      env: { ...env(), ASSAY_CAPSULE_STOP_AT: 'reserved' },
    });
    const launched = stopping.launch(spec);
    const runner = await stoppedRunner(root);
    await host.kill('k/p');
    process.kill(runner, 'SIGCONT');
    await launched;
    await until(
      () => lives(runner),
      (alive) => !alive,
    );
    expect(await host.poll('k/p')).toMatchObject({ state: 'lost', child: null });
  });

  it('is removed only when dead, with its empty folders, and never with others below it', async () => {
    const { host, root } = temporaryHost(env());
    await host.launch(await capsule(host, 'k/b1', 'exit 0'));
    await host.launch(await capsule(host, 'k/b1/p', 'exec sleep 70'));
    await expect(host.remove('k/b1/p')).rejects.toMatchObject({ code: 'alive' });
    expect(await host.list('k')).toEqual(['k/b1', 'k/b1/p']);
    expect(await host.list('k/b1/p')).toEqual(['k/b1/p']);
    expect(await host.list('k/b')).toEqual([]);
    await finished(host, 'k/b1');
    await expect(host.remove('k/b1')).rejects.toMatchObject({ code: 'nested' });
    await host.kill('k/b1/p');
    await host.remove('k/b1/p');
    await host.remove('k/b1');
    await host.remove('k/b1');
    expect(await host.list('')).toEqual([]);
    expect(readdirSync(root)).toEqual([]);
  });
});
