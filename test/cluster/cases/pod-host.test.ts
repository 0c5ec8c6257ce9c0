import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CapsuleSpec } from '../../../src/lab/host.ts';
import { openCluster } from '../../../src/lab/kubernetes/api/client-cluster.ts';
import type { Typed } from '../../../src/lab/kubernetes/api/cluster.ts';
import { createPodHost } from '../../../src/lab/kubernetes/pod-host.ts';
import { readPodIdentity } from '../../../src/lab/kubernetes/pod-identity.ts';
import { until } from '../../../src/lab/wait.ts';
import { killApiServer, startApiServer } from '../support/api-server.ts';
import { get, kubectl } from '../support/command.ts';
import { dropTo } from '../support/network.ts';

/* Exec, capsules and payloads in a real pod, over a real API server and kubelet. */

const NAMESPACE = 'pod-host-check';
const LABELS = { 'assay.dev/experiment': NAMESPACE };
const POD = { namespace: NAMESPACE, pod: 'c1', container: 'client' };
const REF = { kind: 'Pod', namespace: NAMESPACE, name: 'c1' } as const;

const cluster = openCluster();
const host = createPodHost({ ...POD, name: 'c1', cluster });
const exec = (script: string, deadlineMs = 30_000) =>
  cluster.exec(POD, ['bash', '-c', script], { deadlineMs });

const pod: Typed<'Pod'> = {
  kind: 'Pod',
  metadata: { name: 'c1', namespace: NAMESPACE, labels: LABELS },
  spec: {
    containers: [
      {
        name: 'client',
        image: 'apache/kafka:4.3.1',
        imagePullPolicy: 'IfNotPresent',
        command: ['bash', '-c', 'echo up; trap "exit 1" TERM; while :; do sleep 0.2; done'],
        volumeMounts: [{ name: 'assay', mountPath: '/assay' }],
      },
    ],
    securityContext: { fsGroup: 1000 },
    terminationGracePeriodSeconds: 1,
    volumes: [{ name: 'assay', emptyDir: { sizeLimit: '200Mi' } }],
  },
};

const runs = async (): Promise<true | undefined> =>
  readPodIdentity(cluster, POD).then(
    () => true as const,
    () => undefined,
  );

async function spec(name: string, script: string): Promise<CapsuleSpec> {
  return {
    name,
    argv: ['bash', '-c', script],
    deadlineMs: 120_000,
    stdoutCapBytes: 1 << 20,
    stderrCapBytes: 1 << 20,
    stamp: false,
    identity: await host.identity(),
  };
}

const ended = (name: string) =>
  until(
    async () => {
      const poll = await host.poll(name).catch(() => null);
      return poll === null || poll.state === 'running' ? undefined : poll;
    },
    { everyMs: 200, limitMs: 60_000 },
  );

beforeAll(async () => {
  await cluster.createIfAbsent({ kind: 'Namespace', metadata: { name: NAMESPACE, labels: LABELS } });
  // The namespace's own account comes a moment later.
  const made = await until(
    () =>
      cluster.apply(pod).then(
        () => true as const,
        () => undefined,
      ),
    { everyMs: 200, limitMs: 30_000 },
  );
  expect(made).toBe(true);
  expect(await until(runs, { everyMs: 200, limitMs: 60_000 })).toBe(true);
});

afterAll(async () => {
  await kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout=120s'], {
    limitMs: 150_000,
  });
});

describe('the cluster', () => {
  test('says its version, what we may, what a container printed and what happened to a pod', async () => {
    expect((await cluster.version()).gitVersion).toMatch(/^v1\.\d+/);
    const create = { verb: 'create', group: '', resource: 'pods', subresource: 'exec', namespace: NAMESPACE };
    expect((await cluster.may(create)).allowed).toBe(true);
    expect(await cluster.readLog(POD)).toBe('up\n');
    const events = await cluster.events(REF);
    expect(events.map(({ reason }) => reason)).toContain('Scheduled');
    expect(events.every(({ atMs }) => atMs !== null && atMs > 0)).toBe(true);
  });

  test('lists by label, applies the same again, and leaves alone what is foreign', async () => {
    const found = await cluster.list('Pod', { namespace: NAMESPACE, labels: LABELS });
    expect(found.map((one) => one.metadata?.name)).toEqual(['c1']);
    expect((await cluster.apply(pod)).uid).toBe(found[0]?.metadata?.uid);
    await kubectl(['-n', NAMESPACE, 'create', 'service', 'clusterip', 'theirs', '--tcp=80']);
    const theirs = await get<{ metadata: { resourceVersion: string } }>('service', 'theirs', '-n', NAMESPACE);
    const ours: Typed<'Service'> = {
      kind: 'Service',
      metadata: { name: 'theirs', namespace: NAMESPACE, labels: LABELS },
      spec: { clusterIP: 'None' },
    };
    await expect(cluster.apply(ours)).rejects.toMatchObject({ code: 'foreign' });
    await expect(cluster.createIfAbsent(ours)).rejects.toMatchObject({ code: 'foreign' });
    const after = await get<{ metadata: { resourceVersion: string } }>('service', 'theirs', '-n', NAMESPACE);
    expect(after.metadata.resourceVersion).toBe(theirs.metadata.resourceVersion);
  });

  test('creates, applies over what it created, takes fields away, deletes exactly it', async () => {
    const service = (ports: readonly number[]): Typed<'Service'> => ({
      kind: 'Service',
      metadata: { name: 'ours', namespace: NAMESPACE, labels: LABELS },
      spec: { ports: ports.map((port) => ({ name: `p${port}`, port })) },
    });
    const { uid, created } = await cluster.createIfAbsent(service([80]));
    expect(created).toBe(true);
    expect((await cluster.createIfAbsent(service([80]))).created).toBe(false);
    const ref = { kind: 'Service', namespace: NAMESPACE, name: 'ours' } as const;
    await cluster.apply(service([80, 81]));
    expect((await cluster.apply(service([80]))).object.spec?.ports?.map(({ port }) => port)).toEqual([80]);
    // Ports of another manager are nobody's to force.
    await kubectl([
      '-n',
      NAMESPACE,
      'patch',
      'service',
      'ours',
      '--field-manager=them',
      '-p',
      '{"spec":{"ports":[{"name":"p80","port":80,"targetPort":9999}]}}',
    ]);
    const wrong = service([80]);
    for (const port of wrong.spec?.ports ?? []) port.targetPort = 1234;
    await expect(cluster.apply(wrong)).rejects.toMatchObject({
      code: 'conflict',
      fields: [expect.stringContaining('them')],
    });
    // Of another UID: not ours, so ours is gone; it stays.
    expect(await cluster.delete({ ...ref, uid: '00000000-0000-0000-0000-000000000000' })).toEqual({
      gone: true,
    });
    expect((await cluster.get(ref))?.metadata?.uid).toBe(uid);
    expect(await cluster.delete({ ...ref, uid })).toEqual({ gone: true });
    expect(await cluster.delete({ ...ref, uid })).toEqual({ gone: true });
    expect(await cluster.get(ref)).toBeNull();
  });

  test('says that a kind is not installed', async () => {
    await expect(cluster.list('NodePool')).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('a command', () => {
  test.each([
    ['true', 0],
    ['exit 3', 3],
    ['kill -KILL $$', 137],
  ])('`%s` ends with %i', async (script, code) => {
    expect(await exec(script)).toMatchObject({ kind: 'exit', code });
  });

  test('whose program or pod is missing was not started', async () => {
    const program = await cluster.exec(POD, ['no-such-program'], { deadlineMs: 30_000 });
    expect(program).toMatchObject({ kind: 'unknown', started: 'no' });
    const none = await cluster.exec({ ...POD, pod: 'c9' }, ['true'], { deadlineMs: 30_000 });
    expect(none).toMatchObject({ kind: 'unknown', started: 'no', code: 'not-found' });
    const container = await cluster.exec({ ...POD, container: 'c9' }, ['true'], { deadlineMs: 30_000 });
    expect(container).toMatchObject({ kind: 'unknown', started: 'no' });
  });

  test('gives all of 8 MB', async () => {
    const outcome = await exec('head -c 8000000 /dev/zero | tr "\\0" x');
    expect(outcome).toMatchObject({ kind: 'exit', code: 0 });
    expect(outcome.stdout.length).toBe(8_000_000);
  });

  test('runs 20 times at once, each with its own code', async () => {
    const outcomes = await Promise.all(Array.from({ length: 20 }, (_, i) => exec(`echo ${i}; exit ${i}`)));
    expect(outcomes.map((o) => (o.kind === 'exit' ? o.code : o.why))).toEqual(
      Array.from({ length: 20 }, (_, i) => i),
    );
    expect(outcomes.map((o) => o.stdout.toString())).toEqual(Array.from({ length: 20 }, (_, i) => `${i}\n`));
  });

  test('lives on after its deadline: what it is, is unknown', async () => {
    const outcome = await exec('echo $$; exec sleep 300', 1_500);
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'deadline', started: 'maybe' });
    const pid = outcome.stdout.toString().trim();
    expect((await exec(`kill -KILL ${pid}; while kill -0 ${pid}; do sleep 0.1; done`)).kind).toBe('exit');
  });
});

describe('a host in a pod', () => {
  test('is known from inside and by the API', async () => {
    const found = await cluster.get(REF);
    const identity = await host.identity();
    expect(identity.podUid).toBe(found?.metadata?.uid);
    expect(identity.runtimeId).toMatch(/^containerd:\/\//);
    expect(identity).toMatchObject({ restarts: 0, containerId: expect.stringMatching(/^pid:/) });
  });

  test('runs a capsule once, whoever launches it, and tells how it ended', async () => {
    const load = await spec('exp/b1/once', 'echo once; echo err >&2; exit 7');
    await Promise.all([host.launch(load), host.launch(load), host.launch(load)]);
    const end = await ended(load.name);
    expect(end).toMatchObject({ state: 'exited', exit: { code: 7, by: 'itself' } });
    expect([end?.stdout.toString(), end?.stderr.toString()]).toEqual(['once\n', 'err\n']);
  });

  test('kills a capsule with all its processes', async () => {
    const load = await spec('exp/b1/kill', 'sleep 301 & sleep 301');
    await host.launch(load);
    await host.kill(load.name);
    expect((await host.poll(load.name)).exit?.by).toBe('killed');
    expect((await exec('! grep -lz "sleep.301" /proc/[0-9]*/cmdline 2>/dev/null | grep .')).kind).toBe(
      'exit',
    );
    await host.remove(load.name);
    expect(await host.list('exp/b1/kill')).toEqual([]);
  });

  test('takes a payload of 5 MB', async () => {
    const content = randomBytes(5_000_000);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const path = await host.putFile('payloads/p', content, sha256);
    const sum = await exec(`sha256sum <${path}; ls ${path.slice(0, path.lastIndexOf('/'))}`);
    expect(sum.stdout.toString()).toBe(`${sha256}  -\np\n`);
  });

  test('keeps a load through the death of the API server', async () => {
    const load = await spec('exp/b2/outage', 'for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 1; done; exit 5');
    await host.launch(load);
    const running = exec('sleep 60', 90_000);
    const begin = performance.now();
    await until(async () => ((await host.poll(load.name)).stdout.length > 0 ? true : undefined), {
      everyMs: 100,
      limitMs: 20_000,
    });
    killApiServer();
    expect(await running).toMatchObject({ kind: 'unknown', code: 'unreachable', started: 'maybe' });
    expect(performance.now() - begin).toBeLessThan(45_000);
    await expect(host.poll(load.name)).rejects.toMatchObject({ code: 'transport' });
    await startApiServer();
    const end = await ended(load.name);
    expect(end).toMatchObject({ state: 'exited', exit: { code: 5 } });
    expect(end?.stdout.toString()).toBe('1\n2\n3\n4\n5\n6\n7\n8\n');
  });

  test('knows soon that a connection is dead when its packets are dropped', async () => {
    const running = exec('touch /assay/started; sleep 60', 120_000);
    const started = async (): Promise<boolean> => {
      const outcome = await exec('[ -e /assay/started ]');
      return outcome.kind === 'exit' && outcome.code === 0;
    };
    await until(async () => ((await started()) ? true : undefined), { everyMs: 100, limitMs: 20_000 });
    const begin = performance.now();
    const cut = await dropTo('api');
    try {
      expect(await running).toMatchObject({ kind: 'unknown', code: 'unreachable', started: 'maybe' });
    } finally {
      await cut.restore();
    }
    expect(performance.now() - begin).toBeLessThan(40_000);
    expect(await exec('true')).toMatchObject({ kind: 'exit', code: 0 });
  });

  test('is another host after its container was restarted: it refuses a launch for the one before', async () => {
    const before = await host.identity();
    const load = await spec('exp/b3/late', 'true');
    await exec('kill -TERM 1');
    const after = await until(
      async () => {
        const now = await host.identity().catch(() => null);
        return now !== null && now.restarts > before.restarts ? now : undefined;
      },
      { everyMs: 300, limitMs: 60_000 },
    );
    expect(after).toMatchObject({ podUid: before.podUid, bootId: before.bootId });
    expect(after?.containerId).not.toBe(before.containerId);
    await expect(host.launch(load)).rejects.toMatchObject({ code: 'identity' });
    // What was on the emptyDir is still there.
    expect(await host.list('exp/b1')).toContain('exp/b1/once');
  });
});
