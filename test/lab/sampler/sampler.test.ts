import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { samplerCapsule } from '../../../src/lab/sampler/sampler.ts';
import type { Host } from '../../../src/lab/host.ts';
import { blockDeviceOf } from '../../../src/lab/local/block-device.ts';
import { capsule, finished, lives, startTicks, temporaryHost, until, userlands } from '../capsule/support.ts';

interface Sample {
  w0: number;
  w1: number;
  u0: number;
  u1: number;
  cpu: number[];
  disk: Record<string, number> | null;
  dirty: number | null;
  wb: number | null;
  net: Record<string, [number, number]>;
  psi: Record<string, number> | null;
  proc: Record<string, [number, number, number] | null>;
  cg: { throttledUsec: number } | null;
}

/** The samples of a running sampler once there are so many; each line must be JSON. */
async function samples(host: Host, name: string, count: number): Promise<Sample[]> {
  const { stdout } = await until(
    () => host.poll(name),
    (poll) => poll.stdout.toString().split('\n').length > count + 1,
  );
  return stdout
    .toString()
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as Sample);
}

describe.each(userlands)('the sampler on $tools tools', ({ env }) => {
  it('writes a header and a line a second on an absolute schedule', async () => {
    const { host } = temporaryHost(env());
    const identity = await host.identity();
    const device = blockDeviceOf('/')?.device ?? null;
    await host.launch(
      samplerCapsule({ name: 's', device, netInterfaces: ['lo'], watch: {}, deadlineMs: 60_000, identity }),
    );
    const seen = await samples(host, 's', 4);
    const header = JSON.parse((await host.poll('s')).stdout.toString().split('\n')[0]!) as object;
    expect(header).toEqual({
      sampler: 1,
      boot: identity.bootId,
      hz: 100,
      ncpu: expect.any(Number) as number,
      device,
    });
    for (const sample of seen) {
      expect(Object.keys(sample)).toEqual([
        'w0',
        'w1',
        'u0',
        'u1',
        'cpu',
        'disk',
        'dirty',
        'wb',
        'net',
        'psi',
        'proc',
        'cg',
      ]);
      expect(sample.w1).toBeGreaterThanOrEqual(sample.w0);
      expect(sample.cpu).toHaveLength(8);
      expect(sample.dirty).toBeTypeOf('number');
      expect(sample.wb).toBeTypeOf('number');
      expect(sample.net['lo']).toHaveLength(2);
    }
    // Whole seconds apart whatever a sample takes; a busy machine may miss some.
    const phase = seen.map((sample) => sample.w0 % 1);
    const drift = phase.map((p) => Math.abs(((p - phase[0]! + 1.5) % 1) - 0.5));
    expect(Math.min(...drift.slice(1))).toBeLessThan(0.2);
  });

  it('counts what was written to the device', async () => {
    const { host, root } = temporaryHost(env());
    const device = blockDeviceOf(root);
    expect(device, `${root} must lie on a disk for this test`).not.toBeNull();
    await host.launch(
      samplerCapsule({
        name: 's',
        device: device!.device,
        netInterfaces: [],
        watch: {},
        deadlineMs: 60_000,
        identity: await host.identity(),
      }),
    );
    const before = (await samples(host, 's', 1)).at(-1)!;
    await host.launch(
      await capsule(host, 'w', 'dd if=/dev/urandom of=big bs=64k count=64 conv=fsync', { cwd: root }),
    );
    await finished(host, 'w');
    const now = (await samples(host, 's', 0)).length;
    const after = (await samples(host, 's', now + 1)).at(-1)!;
    expect((after.disk!['wsect']! - before.disk!['wsect']!) * 512).toBeGreaterThanOrEqual(64 * 65_536);
  });

  it('says null for what it cannot know, and reads a process as soon as there is one', async () => {
    const { host, root } = temporaryHost(env());
    const watch = { b1: join(root, 'b1/child'), self: process.pid, gone: 4_194_300 };
    await host.launch(
      samplerCapsule({
        name: 's',
        device: null,
        netInterfaces: ['nosuch'],
        watch,
        deadlineMs: 60_000,
        identity: await host.identity(),
      }),
    );
    const [first] = await samples(host, 's', 1);
    expect(first).toMatchObject({ disk: null, net: {}, proc: { b1: null, gone: null } });
    expect(first!.proc['self']![2]).toBe(startTicks(process.pid));
    await host.launch(await capsule(host, 'b1', 'while :; do :; done'));
    const read = async () => (await samples(host, 's', 1)).filter((sample) => sample.proc['b1'] !== null);
    const burnt = await until(read, (some) => some.length > 1);
    const { child } = await host.poll('b1');
    expect(burnt[0]!.proc['b1']![2]).toBe(child!.startTicks);
    expect(burnt.at(-1)!.proc['b1']![0]).toBeGreaterThan(0);
    await host.kill('b1');
    await until(
      async () => (await samples(host, 's', 1)).at(-1)!.proc['b1'],
      (value) => value === null,
    );
    // The pid of a living process with another start time is somebody else.
    writeFileSync(watch.b1, `${process.pid} ${startTicks(process.pid) - 1}\n`);
    const count = (await samples(host, 's', 1)).length;
    expect((await samples(host, 's', count + 1)).at(-1)!.proc['b1']).toBeNull();
  });

  it('stops at a file `stop`, at a kill with whole lines, and with its runner', async () => {
    const { host, root } = temporaryHost(env());
    const identity = await host.identity();
    const start = (name: string) =>
      host.launch(
        samplerCapsule({ name, device: null, netInterfaces: [], watch: {}, deadlineMs: 60_000, identity }),
      );
    await Promise.all(['stop', 'kill', 'orphan'].map(start));
    for (const name of ['stop', 'kill', 'orphan']) await samples(host, name, 1);
    writeFileSync(join(root, 'stop/stop'), '');
    expect((await finished(host, 'stop')).exit).toMatchObject({ code: 0, by: 'itself' });
    await host.kill('kill');
    const killed = await finished(host, 'kill');
    expect(killed.exit).toMatchObject({ by: 'killed' });
    expect(killed.stdout.toString().endsWith('}\n')).toBe(true);
    const orphan = await host.poll('orphan');
    process.kill(orphan.claim!.pid, 'SIGKILL');
    // Nobody polls it: it has to see for itself.
    await until(
      () => lives(orphan.child!.pid),
      (alive) => !alive,
    );
  });
});

it('refuses targets that it cannot pass on', () => {
  const options = {
    name: 's',
    device: 'vda',
    netInterfaces: ['lo'],
    watch: {},
    deadlineMs: 1,
    identity: { bootId: 'x' },
  };
  const invalid = expect.objectContaining({ code: 'invalid' });
  expect(() => samplerCapsule({ ...options, watch: { 'a"b': 1 } })).toThrow(invalid);
  expect(() => samplerCapsule({ ...options, watch: { b1: 'relative/child' } })).toThrow(invalid);
  expect(() => samplerCapsule({ ...options, device: '../x' })).toThrow(invalid);
  expect(() => samplerCapsule({ ...options, netInterfaces: ['lo,$(x)'] })).toThrow(invalid);
});
