import { describe, expect, it } from 'vitest';
import { capsule, finished, temporaryHost, until, userlands } from './support.ts';

const STAMPED = /^(\d{10}\.\d{6}) (\d+\.\d\d) (.*)$/;

describe.each(userlands)('streams of a capsule on $tools tools', ({ env }) => {
  it('stamps each line with both clocks, a last one without its end too', async () => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 's', 'echo one; echo; printf "  two  "', { stamp: true }));
    const { stdout, exit } = await finished(host, 's');
    const lines = stdout.toString().split('\n');
    expect(lines.map((line) => STAMPED.exec(line)?.[3])).toEqual(['one', '', '  two  ']);
    for (const line of lines) {
      expect(Number(STAMPED.exec(line)![1]) * 1000).toBeGreaterThanOrEqual(exit!.startedAtMs);
      expect(Number(STAMPED.exec(line)![2]) * 1000).toBeGreaterThanOrEqual(exit!.startUptimeMs);
    }
    expect(exit).toMatchObject({ stdoutBytes: stdout.length, stdoutCutBytes: 0 });
  });

  it('can be the file itself, which ends the command at its cap', async () => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 'd', 'echo one; echo two >&2', { directStdout: true }));
    const { stdout, stderr, exit } = await finished(host, 'd');
    expect([stdout.toString(), stderr.toString()]).toEqual(['one\n', 'two\n']);
    expect(exit).toMatchObject({ code: 0, stdoutBytes: 4, stdoutCutBytes: 0, stderrBytes: 4 });
    const endless = 'while :; do printf "%01024d" 1 || exit 9; done';
    await host.launch(await capsule(host, 'cap', endless, { directStdout: true, stdoutCapBytes: 64 * 1024 }));
    const capped = (await finished(host, 'cap')).exit;
    expect(capped?.code).not.toBe(0);
    expect(capped).toMatchObject({ by: 'itself', stdoutBytes: 64 * 1024 });
  });

  it.each([true, false])('shows a line while the command still runs (stamp: %s)', async (stamp) => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 'live', 'echo now; exec sleep 60', { stamp }));
    const poll = await until(
      () => host.poll('live'),
      (seen) => seen.stdout.length > 0,
    );
    expect(poll.state).toBe('running');
    expect((await host.poll('live', poll.next)).stdout).toHaveLength(0);
  });

  it('stamps a line longer than its buffer once, with nothing lost', async () => {
    const { host } = temporaryHost(env());
    const long = 'x'.repeat(65_536);
    await host.launch(
      await capsule(
        host,
        'long',
        `printf '%s\\n' '${'x'.repeat(100)}'; printf 'x%.0s' {1..65536}; echo; printf 'y%.0s' {1..200000}`,
        { stamp: true },
      ),
    );
    const lines = (await finished(host, 'long')).stdout.toString().split('\n');
    expect(lines.map((line) => STAMPED.exec(line)?.[3]?.length)).toEqual([100, 65_536, 200_000]);
    expect(STAMPED.exec(lines[1]!)![3]).toBe(long);
  });

  it('keeps 50 MB of any bytes exactly', async () => {
    const { host } = temporaryHost(env());
    // Every byte value, NUL and newline included, and no newline at the end.
    await host.launch(
      await capsule(
        host,
        'big',
        'for ((i = 0; i < 256; i++)); do printf -v x "\\\\x%02x" $i; all+=$x; done; for ((i = 0; i < 255; i++)); do p+=$all; done; for ((i = 0; i < 766; i++)); do printf "$p"; done',
      ),
    );
    const { stdout, exit } = await finished(host, 'big', 60_000);
    const size = 766 * 255 * 256;
    expect(exit).toMatchObject({ code: 0, stdoutBytes: size, stdoutCutBytes: 0 });
    expect(stdout.equals(Buffer.alloc(size, Buffer.from(Array.from({ length: 256 }, (_, i) => i))))).toBe(
      true,
    );
    expect((await host.readFile('big', 'stdout')).equals(stdout)).toBe(true);
  });

  it('cuts a flood of errors and still counts it exactly', async () => {
    const { host } = temporaryHost(env());
    const flood =
      'for ((i = 0; i < 200000; i++)); do if ((i % 4)); then echo "org.apache.kafka.common.errors.X: $i"; else echo "WARN org.apache.kafka.common.errors.X $i"; fi; done >&2; printf "org.apache.kafka.common.errors.tail" >&2; echo fine';
    await host.launch(
      await capsule(host, 'flood', flood, {
        stderrCapBytes: 65_536,
        countStderr: '^org\\.apache\\.kafka\\.common\\.errors\\.',
      }),
    );
    const { stdout, stderr, exit } = await finished(host, 'flood', 60_000);
    let total = 'org.apache.kafka.common.errors.tail'.length;
    for (let i = 0; i < 200_000; i++)
      total +=
        `${i}\n`.length +
        (i % 4 ? 'org.apache.kafka.common.errors.X: ' : 'WARN org.apache.kafka.common.errors.X ').length;
    expect(stdout.toString()).toBe('fine\n');
    expect(stderr).toHaveLength(65_536);
    expect(exit).toMatchObject({
      code: 0,
      stderrBytes: 65_536,
      stderrCutBytes: total - 65_536,
      stderrLines: 200_001,
      stderrCounted: 150_001,
    });
  });

  it.each([true, false])('cuts stdout at its cap and counts the rest (stamp: %s)', async (stamp) => {
    const { host } = temporaryHost(env());
    await host.launch(
      await capsule(host, 'cap', 'for ((i = 10000; i < 20000; i++)); do echo $i; done', {
        stamp,
        stdoutCapBytes: 2_048,
      }),
    );
    const { stdout, exit } = await finished(host, 'cap');
    const kept = stdout.toString().replaceAll(/^\d+\.\d+ \d+\.\d+ /gm, '');
    expect(stdout.length).toBeLessThanOrEqual(2_048);
    expect(stdout.length).toBeGreaterThan(2_000);
    expect(exit).toMatchObject({ code: 0, stdoutBytes: stdout.length, stdoutCutBytes: 60_000 - kept.length });
  });

  it('counts in stamped lines what a shell cannot hold as cut', async () => {
    const { host } = temporaryHost(env());
    await host.launch(await capsule(host, 'nul', 'printf "a\\0b\\n\\377\\n"', { stamp: true }));
    const { stdout, exit } = await finished(host, 'nul');
    expect(
      stdout
        .toString('latin1')
        .split('\n')
        .map((line) => STAMPED.exec(line)?.[3]),
    ).toEqual(['ab', '\u{ff}', undefined]);
    expect(exit).toMatchObject({ stdoutCutBytes: 1 });
  });
});
