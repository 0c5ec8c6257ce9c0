import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ExecOutcome } from '../../../../src/lab/kubernetes/api/cluster.ts';
import { createPodExec } from '../../../../src/lab/kubernetes/api/pod-exec.ts';
import type { ExecTimes } from '../../../../src/lab/kubernetes/api/pod-exec.ts';
import { SUCCESS, accessTo, closed, execServer, exitCode, status, stderr, stdout } from './exec-server.ts';
import type { Script } from './exec-server.ts';

const POD = { namespace: 'bench', pod: 'client-c1', container: 'client' };
const TIMES: ExecTimes = { pingEveryMs: 20, silenceMs: 150, lingerMs: 200 };

async function outcomeOf(
  script: Script,
  more: { deadlineMs?: number; stdoutLimitBytes?: number; deaf?: boolean } = {},
): Promise<ExecOutcome> {
  const { deadlineMs = 5_000, stdoutLimitBytes, deaf = false } = more;
  const { access } = await execServer({ script, deaf });
  const limit = stdoutLimitBytes === undefined ? {} : { stdoutLimitBytes };
  return createPodExec(access, TIMES)(POD, ['true'], { deadlineMs, ...limit });
}

describe('a command in a pod', () => {
  it('is asked for exactly as given, without stdin', async () => {
    const { access, urls } = await execServer({
      script: (socket) => {
        socket.send(status(SUCCESS));
        socket.close(1000);
      },
    });
    const argv = ['sh', '-c', 'echo "$1" && a=b;#', 'ä ✓+/=%', ''];
    await createPodExec(access)(POD, argv, { deadlineMs: 5_000 });
    expect(urls[0]?.pathname).toBe('/api/v1/namespaces/bench/pods/client-c1/exec');
    expect(urls[0]?.searchParams.getAll('command')).toEqual(argv);
    expect(urls[0]?.searchParams.get('stdin')).toBe('false');
    expect(urls[0]?.searchParams.get('container')).toBe('client');
  });

  it('ends with the code that the status names, and both streams', async () => {
    const outcome = await outcomeOf((socket) => {
      socket.send(stdout('a'));
      socket.send(stderr('why'));
      socket.send(stdout('b\n'));
      socket.send(status(exitCode('137')));
      socket.close(1000);
    });
    expect(outcome).toEqual({ kind: 'exit', code: 137, stdout: Buffer.from('ab\n'), stderr: 'why' });
  });

  it('keeps bytes that straddle messages', async () => {
    const bytes = Buffer.from('ä✓🙂\n');
    const outcome = await outcomeOf((socket) => {
      for (const byte of bytes) socket.send(stdout(Buffer.from([byte])));
      socket.send(status(SUCCESS));
      socket.close(1000);
    });
    expect(outcome).toMatchObject({ kind: 'exit', code: 0, stdout: bytes });
  });

  it('survives channels that are closed, and messages of unknown channels', async () => {
    const outcome = await outcomeOf((socket) => {
      socket.send(stdout('x'));
      for (const channel of [0, 1, 2, 3, 77]) socket.send(closed(channel));
      socket.send(Buffer.from([255]));
      socket.send(Buffer.alloc(0));
      socket.send(Buffer.from([9, 9, 9]));
      socket.send('a text');
      socket.send(status(SUCCESS));
      socket.close(1000);
    });
    expect(outcome).toMatchObject({ kind: 'exit', code: 0, stdout: Buffer.from('x') });
  });

  it('takes what comes between the status and the close', async () => {
    const outcome = await outcomeOf((socket) => {
      socket.send(status(SUCCESS));
      socket.send(stdout('late'));
      socket.close(1000);
    });
    expect(outcome).toMatchObject({ kind: 'exit', code: 0, stdout: Buffer.from('late') });
  });

  it('ends by its status even when the server never closes, or breaks off', async () => {
    const never = await outcomeOf((socket) => {
      socket.send(status(exitCode('3')));
      socket.pause();
    });
    const broken = await outcomeOf((socket) => {
      socket.send(status(exitCode('4')), () => socket.terminate());
    });
    expect([never, broken]).toMatchObject([
      { kind: 'exit', code: 3 },
      { kind: 'exit', code: 4 },
    ]);
  });

  it.each<[string, Script]>([
    ['closed normally', (socket) => socket.close(1000)],
    ['broken off', (socket) => socket.terminate()],
    ['closed with output', (socket) => socket.send(stdout('all there'), () => socket.close(1000))],
    // A header that promises more than comes.
    ['cut in a message', (_socket, _url, raw) => raw.end(Buffer.from([0x82, 100, 1, 65, 66]))],
  ])('is unknown when the connection is %s without a status', async (_how, script) => {
    const outcome = await outcomeOf(script);
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'unreachable', started: 'maybe' });
  });

  it('is unknown when the server falls silent, long before the deadline', async () => {
    const begin = performance.now();
    const outcome = await outcomeOf(() => {}, { deaf: true, deadlineMs: 60_000 });
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'unreachable', started: 'maybe' });
    expect(performance.now() - begin).toBeLessThan(10_000);
  });

  it('is not called silent because we ourselves stood still: what came meanwhile is heard first', async () => {
    const outcome = await outcomeOf((socket) => {
      socket.once('ping', () => {
        const goOnAt = performance.now() + 2 * TIMES.silenceMs;
        while (performance.now() < goOnAt);
        socket.send(status(SUCCESS));
        socket.close(1000);
      });
    });
    expect(outcome).toMatchObject({ kind: 'exit', code: 0 });
  });

  it('may be silent for long while the server answers pings', async () => {
    const outcome = await outcomeOf((socket) => {
      let pings = 0;
      // Longer than the silence that is allowed.
      socket.on('ping', () => {
        if (++pings < 20) return;
        socket.send(status(SUCCESS));
        socket.close(1000);
      });
    });
    expect(outcome).toMatchObject({ kind: 'exit', code: 0 });
  });

  it('is unknown at its deadline, with what it had printed', async () => {
    const outcome = await outcomeOf((socket) => socket.send(stdout('some')), { deadlineMs: 300 });
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'deadline', started: 'maybe' });
    expect(outcome.stdout.toString()).toBe('some');
  });

  it('is unknown when it prints more than is taken', async () => {
    const outcome = await outcomeOf(
      (socket) => {
        for (let i = 0; i < 20; i++) socket.send(stdout(Buffer.alloc(100)));
        socket.send(status(SUCCESS));
      },
      { stdoutLimitBytes: 1_000 },
    );
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'cut' });
    expect(outcome.stdout.length).toBe(1_000);
  });

  it('is unknown when the runtime could not start it, and says so', async () => {
    const message = 'exec failed: unable to start container process: exec: "nope": executable file not found';
    const outcome = await outcomeOf((socket) => {
      socket.send(status({ status: 'Failure', reason: 'InternalError', code: 500, message }));
      socket.close(1000);
    });
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'other', started: 'no', why: message });
  });
});

describe('a refusal of the API server', () => {
  it.each([
    [401, 'expired-credentials'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [503, 'unreachable'],
    [500, 'other'],
  ])('%i is %s, and nothing was started', async (code, meaning) => {
    const body = JSON.stringify({ kind: 'Status', status: 'Failure', code, message: 'so the server says' });
    const { access } = await execServer({ refuse: { status: code, body } });
    const outcome = await createPodExec(access)(POD, ['true'], { deadlineMs: 5_000 });
    expect(outcome).toMatchObject({ kind: 'unknown', code: meaning, started: 'no' });
    expect(outcome).toHaveProperty('why', expect.stringContaining('so the server says'));
  });

  it('nobody listens: nothing was started', async () => {
    const outcome = await createPodExec(accessTo(await unusedPort()))(POD, ['true'], { deadlineMs: 5_000 });
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'unreachable', started: 'no' });
  });

  it('no answer to the handshake: it may have been started', async () => {
    const { access } = await execServer({ mute: true });
    const outcome = await createPodExec(access)(POD, ['true'], { deadlineMs: 300 });
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'deadline', started: 'maybe' });
  });
});

describe('many commands', () => {
  it('run at most 24 at once, and each ends', async () => {
    let open = 0;
    let most = 0;
    const { access } = await execServer({
      script: (socket) => {
        most = Math.max(most, ++open);
        socket.on('ping', () => {
          socket.send(status(SUCCESS));
          socket.close(1000);
        });
        socket.on('close', () => {
          open--;
        });
      },
    });
    const exec = createPodExec(access, TIMES);
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, () => exec(POD, ['true'], { deadlineMs: 20_000 })),
    );
    expect(outcomes.every(({ kind }) => kind === 'exit')).toBe(true);
    expect(most).toBeGreaterThan(10);
    // A place is given back a moment before the server sees the close.
    expect(most).toBeLessThanOrEqual(48);
  });

  it('that find no place by their deadline were not started', async () => {
    const { access, urls } = await execServer({ script: () => {} });
    const exec = createPodExec(access);
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => exec(POD, ['true'], { deadlineMs: 500 })),
    );
    expect(urls.length).toBe(24);
    expect(outcomes.filter((o) => o.kind === 'unknown' && o.started === 'no').length).toBe(6);
  });

  it('are called off with the reason of the signal', async () => {
    const { access } = await execServer({ script: () => {} });
    const controller = new AbortController();
    const running = createPodExec(access)(POD, ['true'], { deadlineMs: 20_000, signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
