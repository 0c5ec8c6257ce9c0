import { describe, expect, it } from 'vitest';
import { capsule, finished, lives, startTicks, temporaryHost, until, userlands } from './support.ts';

describe.each(userlands)('a capsule on $tools tools', ({ env }) => {
  it('runs its command once and says how it ended, in both clocks', async () => {
    const { host } = temporaryHost(env());
    const before = Date.now();
    await host.launch(await capsule(host, 'k/b1/a=1,b=2/a1/p', 'echo out; echo err >&2; exit 3'));
    const { state, stdout, stderr, exit, child } = await finished(host, 'k/b1/a=1,b=2/a1/p');
    expect(state).toBe('exited');
    expect(stdout.toString()).toBe('out\n');
    expect(stderr.toString()).toBe('err\n');
    expect(exit).toMatchObject({
      code: 3,
      by: 'itself',
      stdoutBytes: 4,
      stdoutCutBytes: 0,
      stderrBytes: 4,
      stderrLines: 1,
      stderrCutBytes: 0,
    });
    expect(exit!.startedAtMs).toBeGreaterThanOrEqual(before);
    expect(exit!.endedAtMs).toBeGreaterThanOrEqual(exit!.startedAtMs);
    expect(exit!.endUptimeMs).toBeGreaterThanOrEqual(exit!.startUptimeMs);
    expect(child!.pid).toBeGreaterThan(0);
    expect(exit!.pinned).toBeUndefined();
  });

  it('counts the CPU of the command, not of its own helpers', async () => {
    const { host } = temporaryHost(env());
    await host.launch(
      await capsule(
        host,
        'idle',
        'for i in {1..20000}; do echo "line $i"; done | cat >/dev/null; i=0; while ((i < 200000)); do ((i++)); done',
      ),
    );
    await host.launch(await capsule(host, 'flood', 'exec dd if=/dev/zero bs=64k count=800'));
    const busy = (await finished(host, 'idle')).exit!;
    const flood = (await finished(host, 'flood')).exit!;
    expect(busy.userCpuMs! + busy.systemCpuMs!).toBeGreaterThan(50);
    // tee, wc and cat move the 50 MB three more times.
    expect(flood.userCpuMs!).toBeLessThan(100);
  });

  it('passes arguments, environment and folder on exactly, whatever is in them', async () => {
    const { host, root } = temporaryHost(env());
    const hostile = [
      '',
      ' ',
      'a b',
      "it's",
      '"q"',
      '$(touch pwned)',
      '`touch pwned`',
      ';touch pwned',
      'two\nlines\n',
      '\\',
      '*',
      '-n',
      '--',
      'é\u{1f600}',
      '\t',
      '$HOME',
      '=x',
      '!!',
    ];
    await host.launch({
      ...(await capsule(host, 'hostile', '')),
      argv: [
        'bash',
        '-c',
        'printf "%s\\0" "$@" "$EVIL" "$EMPTY" "${UNSET-unset}" "${SECRET_OF_WORKER-unset}" "$PWD" "$OPTS"',
        'argv0',
        ...hostile,
      ],
      env: { EVIL: '$(touch pwned);\n"\'', EMPTY: '', OPTS: 'a=b c' },
      cwd: root,
    });
    const { stdout } = await finished(host, 'hostile');
    expect(stdout.toString().split('\0')).toEqual([
      ...hostile,
      '$(touch pwned);\n"\'',
      '',
      'unset',
      'unset',
      root,
      'a=b c',
      '',
    ]);
    expect(await host.list('')).toEqual(['hostile']);
  });

  it('says 127 for a command that does not exist', async () => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 'nothing', '', { argv: ['no-such-command'] }));
    const { exit, stderr } = await finished(host, 'nothing');
    expect(exit).toMatchObject({ code: 127, by: 'itself' });
    expect(stderr.toString()).toContain('no-such-command');
  });

  it('ends a command at its own deadline, also one that ignores TERM', async () => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 'polite', 'echo up; exec sleep 60', { deadlineMs: 300 }));
    await host.launch(
      await capsule(host, 'deaf', "trap '' TERM; echo up; while :; do sleep 1; done", { deadlineMs: 300 }),
    );
    expect((await finished(host, 'polite')).exit).toMatchObject({
      code: 143,
      by: 'deadline',
      stdoutBytes: 3,
    });
    const deaf = await finished(host, 'deaf');
    expect(deaf.exit).toMatchObject({ code: 137, by: 'deadline' });
    expect(lives(deaf.child!.pid)).toBe(false);
  });

  it('does not start before the barrier', async () => {
    const { host } = temporaryHost(env());
    const notBeforeMs = Date.now() + 1_500;
    await host.launch(await capsule(host, 'barrier', 'echo "$EPOCHREALTIME"', { notBeforeMs }));
    // It is ready, and silent, before its time.
    const ready = await until(
      () => host.poll('barrier'),
      (poll) => poll.child !== null,
    );
    expect(ready.state).toBe('running');
    const { stdout, exit } = await finished(host, 'barrier');
    expect(Number(stdout.toString()) * 1000).toBeGreaterThanOrEqual(notBeforeMs);
    expect(exit!.startedAtMs).toBeGreaterThanOrEqual(notBeforeMs);
  });

  it('pins the command to its cores', async () => {
    const { host } = temporaryHost(env());
    await host.launch(
      await capsule(host, 'pinned', 'exec grep Cpus_allowed_list /proc/self/status', { cpus: '1' }),
    );
    const { stdout, exit } = await finished(host, 'pinned');
    // busybox older than 1.34 has no lists of cores: then it must say that it did not pin.
    expect(stdout.toString().trim().endsWith('\t1')).toBe(exit!.pinned);
  });

  it('tells the pid of the command itself, with its start time', async () => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 'pid', 'echo $$; exec sleep 60'));
    const { stdout, child } = await until(
      () => host.poll('pid'),
      (poll) => poll.stdout.length > 0,
    );
    expect(child).toEqual({ pid: Number(stdout.toString()), startTicks: startTicks(child!.pid) });
  });

  it('goes on undisturbed when its command is stopped and continued', async () => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 'stopped', 'echo up; read -t 1 <> <(:); exit 5'));
    const { child } = await until(
      () => host.poll('stopped'),
      (poll) => poll.stdout.length > 0,
    );
    process.kill(child!.pid, 'SIGSTOP');
    expect((await host.poll('stopped')).state).toBe('running');
    process.kill(child!.pid, 'SIGCONT');
    expect((await finished(host, 'stopped')).exit).toMatchObject({ code: 5, by: 'itself' });
  });

  it('leaves no process behind, and a stray that holds the pipes cannot hang it', async () => {
    const { host } = temporaryHost(env());
    const strays = 'sleep 61 & echo $!; setsid sleep 62 & echo $!; exit 4';
    await host.launch(await capsule(host, 'strays', strays));
    const { stdout, exit } = await finished(host, 'strays');
    const pids = stdout.toString().trim().split('\n').map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.filter(lives)).toEqual([]);
    expect(exit).toMatchObject({ code: 4, by: 'itself' });
  });
});
