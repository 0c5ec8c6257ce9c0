import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExecOutcome } from '../../../../src/lab/kubernetes/api/cluster.ts';
import { createPodTransport } from '../../../../src/lab/kubernetes/api/pod-transport.ts';
import { until, userlands } from '../../capsule/support.ts';
import { broken, localPod, type LocalPod } from './local-pod.ts';

const POD = { namespace: 'bench', pod: 'client-c1', container: 'client' };

describe('exec', () => {
  it('gives the code and stdout', async () => {
    const transport = createPodTransport(localPod(process.env), POD);
    const { code, stdout } = await transport.exec(['sh', '-c', 'printf x; exit 3'], 5_000);
    expect([code, stdout.toString()]).toEqual([3, 'x']);
  });

  it('runs again what broke, whether or not it was started', async () => {
    const pod = localPod(process.env, (outcome, nth) =>
      nth === 1 ? broken('no') : nth === 2 ? broken('maybe') : outcome,
    );
    expect((await createPodTransport(pod, POD).exec(['true'], 10_000)).code).toBe(0);
    expect(pod.commands.length).toBe(3);
  });

  it('rejects when its time is over, and at once when the pod is not there', async () => {
    const never = createPodTransport(
      localPod(process.env, () => broken('no')),
      POD,
    );
    await expect(never.exec(['true'], 700)).rejects.toMatchObject({ code: 'transport' });
    const why = { pod: 'pods "client-c1" not found', container: 'container not found ("client")' };
    const answering = (said: string): LocalPod =>
      localPod(process.env, () => ({
        ...(broken('no') as ExecOutcome & { kind: 'unknown' }),
        code: 'not-found',
        why: said,
      }));
    const gone = answering(why.pod);
    await expect(createPodTransport(gone, POD).exec(['true'], 60_000)).rejects.toMatchObject({
      code: 'gone',
      message: expect.stringContaining('pod bench/client-c1'),
    });
    expect(gone.commands.length).toBe(1);
    // The container may be starting again.
    const starting = answering(why.container);
    await expect(createPodTransport(starting, POD).exec(['true'], 60_000)).rejects.toMatchObject({
      code: 'transport',
    });
  });
});

describe.each(userlands)('detach with $tools tools', ({ env }) => {
  it('starts a process in a session of its own that holds no stream', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-detach-'));
    const file = join(folder, 'pid');
    const pod = localPod(env());
    // Its exec ends although the process lives.
    await createPodTransport(pod, POD).detach([
      'sh',
      '-c',
      `echo $$ >"$1.x"; mv "$1.x" "$1"; exec sleep 60`,
      'sh',
      file,
    ]);
    const pid = await until(
      () => {
        try {
          return Number(readFileSync(file, 'utf8'));
        } catch {
          return 0;
        }
      },
      (value) => value > 0,
    );
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    expect(Number(stat.slice(stat.lastIndexOf(') ') + 2).split(' ')[3])).toBe(pid);
    process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });
});

describe('detach', () => {
  it('is not repeated once it may have started: the claim tells', async () => {
    const pod = localPod(process.env, () => broken('maybe'));
    await createPodTransport(pod, POD).detach(['true']);
    expect(pod.commands.length).toBe(1);
  });

  it('is repeated when it was certainly not started', async () => {
    const pod = localPod(process.env, (outcome, nth) => (nth < 3 ? broken('no') : outcome));
    await createPodTransport(pod, POD).detach(['true']);
    expect(pod.commands.length).toBe(3);
  });
});
