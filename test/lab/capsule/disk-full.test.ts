import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalHost } from '../../../src/lab/local/local-host.ts';
import { capsule, finished, onTinyDisk, processesOf, until, userlands } from './support.ts';

/** Takes all the room that is left. */
function fill(root: string): string {
  const file = join(root, 'ballast');
  try {
    execFileSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1k'], { stdio: 'ignore' });
  } catch {
    // dd fails when the disk is full, which is what it is for.
  }
  return file;
}

describe.each(userlands)('a full disk on $tools tools', ({ env }) => {
  it.each([true, false])(
    'cannot keep a capsule from ending, and what was measured stays (stamp: %s)',
    async (stamp) => {
      await onTinyDisk(96, async (root) => {
        const host = createLocalHost({ name: 'tiny', root, env: env() });
        const script =
          'echo first; for ((i = 0; i < 20000; i++)); do echo "line $i of what fills the disk"; done; echo more >&2; exit 6';
        await host.launch(await capsule(host, 'k/p', script, { stamp, stdoutCapBytes: 10_000_000 }));
        const { state, stdout, exit } = await finished(host, 'k/p');
        const text = stdout.toString().replaceAll(/^\d+\.\d+ \d+\.\d+ /gm, '');
        let total = 'first\n'.length;
        for (let i = 0; i < 20_000; i++) total += `line ${i} of what fills the disk\n`.length;
        expect(state).toBe('exited');
        expect(exit).toMatchObject({ code: 6, by: 'itself', stdoutBytes: stdout.length });
        expect(text.startsWith('first\nline 0 of what fills the disk\nline 1 ')).toBe(true);
        expect(stdout.length).toBeGreaterThan(40_000);
        // A line that the disk took in part only is cut as a whole when stamped.
        if (stamp) expect(exit!.stdoutCutBytes).toBeGreaterThan(total - stdout.length);
        else expect(exit!.stdoutCutBytes).toBe(total - stdout.length);
        expect(processesOf(root)).toEqual([]);
      });
    },
  );

  it('that fills up while the command is silent still takes its exit record', async () => {
    await onTinyDisk(96, async (root) => {
      const host = createLocalHost({ name: 'tiny', root, env: env() });
      await host.launch(
        await capsule(host, 'k/p', 'until [[ -e go ]]; do sleep 0.05; done; echo lost; exit 7', {
          cwd: root,
        }),
      );
      await until(
        () => host.poll('k/p'),
        (poll) => poll.child !== null,
      );
      writeFileSync(join(root, 'go.part'), '');
      fill(root);
      execFileSync('mv', [join(root, 'go.part'), join(root, 'go')]);
      expect((await finished(host, 'k/p')).exit).toMatchObject({
        code: 7,
        stdoutBytes: 0,
        stdoutCutBytes: 5,
      });
    });
  });

  it('refuses a launch with a plain reason, claims nothing, and takes it once there is room', async () => {
    await onTinyDisk(64, async (root) => {
      const host = createLocalHost({ name: 'tiny', root, env: env() });
      const spec = await capsule(host, 'k/p', 'echo ran');
      const ballast = fill(root);
      await expect(host.launch(spec)).rejects.toMatchObject({ code: 'disk-full' });
      expect((await host.poll('k/p')).state).toBe('absent');
      // Room for the launch file, not for the runner's own records.
      execFileSync('truncate', ['-s', '-4096', ballast]);
      await expect(host.launch(spec)).rejects.toMatchObject({ code: 'disk-full' });
      expect((await host.poll('k/p')).state).toBe('absent');
      rmSync(ballast);
      await host.launch(spec);
      expect((await finished(host, 'k/p')).stdout.toString()).toBe('ran\n');
    });
  });
});
