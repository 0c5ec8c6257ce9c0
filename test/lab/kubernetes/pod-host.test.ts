import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Cluster, Kinds } from '../../../src/lab/kubernetes/api/cluster.ts';
import { createPodHost } from '../../../src/lab/kubernetes/pod-host.ts';
import type { PodHost } from '../../../src/lab/kubernetes/pod-host.ts';
import { capsule, finished, userlands } from '../capsule/support.ts';
import { broken, localPod } from './api/local-pod.ts';

const UID = '01234567-89ab-cdef-0123-456789abcdef';
const running = (uid: string, restartCount = 0): Kinds['Pod'] => ({
  metadata: { name: 'c1', namespace: 'bench', uid },
  spec: { nodeName: 'node-1', containers: [] },
  status: {
    containerStatuses: [
      {
        name: 'client',
        containerID: 'containerd://abc',
        restartCount,
        ready: true,
        image: '',
        imageID: '',
        state: { running: {} },
      },
    ],
  },
});

let root = '';
let pod: Kinds['Pod'] | null = null;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-pod-'));
  pod = running(UID);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const get = (() => Promise.resolve(pod)) as unknown as Cluster['get'];
const host = (exec: Cluster['exec']): PodHost =>
  createPodHost({
    name: 'c1',
    namespace: 'bench',
    pod: 'c1',
    container: 'client',
    cluster: { exec, get },
    root,
  });

describe.each(userlands)('a pod with $tools tools', ({ env }) => {
  const inPod = (): NodeJS.ProcessEnv => ({ ...env(), ASSAY_POD_UID: UID });

  it('gets the scripts when it misses them, and runs capsules', async () => {
    const c1 = host(localPod(inPod()).exec);
    const spec = await capsule(c1, 'exp-1/b1/p-1', 'echo out; echo err >&2; exit 3');
    expect(spec.identity).toMatchObject({ podUid: UID, runtimeId: 'containerd://abc', node: 'node-1' });
    await c1.launch(spec);
    const end = await finished(c1, spec.name);
    expect(end).toMatchObject({ state: 'exited', exit: { code: 3 } });
    expect(end.stdout.toString()).toBe('out\n');
    expect(await c1.list('exp-1')).toEqual([spec.name]);
    await c1.remove(spec.name);
    // A new emptyDir has no scripts.
    rmSync(join(root, '.scripts'), { recursive: true });
    expect(await c1.list('')).toEqual([]);
  });

  it('starts a load once although every other connection breaks', async () => {
    const exec = localPod(inPod(), (outcome, nth) => (nth % 2 === 0 ? broken('maybe') : outcome)).exec;
    const c1 = host(exec);
    const spec = await capsule(c1, 'exp-1/b1/p-1', 'echo once >>"$ONCE"', {
      env: { ONCE: join(root, 'once') },
    });
    await Promise.all([c1.launch(spec), c1.launch(spec), c1.launch(spec)]);
    await finished(c1, spec.name);
    expect(readFileSync(join(root, 'once'), 'utf8')).toBe('once\n');
  });

  it('kills what runs', async () => {
    const c1 = host(localPod(inPod()).exec);
    const spec = await capsule(c1, 'exp-1/b1/p-1', 'sleep 300');
    await c1.launch(spec);
    await c1.kill(spec.name);
    expect((await c1.poll(spec.name)).exit?.by).toBe('killed');
  });

  it('takes a payload in parts and knows it the next time', async () => {
    const { exec, commands } = localPod(inPod());
    const c1 = host(exec);
    const content = randomBytes(300_000);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const path = await c1.putFile('payloads/p1', content, sha256);
    expect(readFileSync(path).equals(content)).toBe(true);
    const before = commands.length;
    expect(await c1.putFile('payloads/p1', content, sha256)).toBe(path);
    expect(commands.length - before).toBe(1);
    expect(readdirSync(join(root, '.files', 'payloads'))).toEqual(['p1']);
  });
});

describe('a pod that was replaced', () => {
  const inside = (uid: string): Cluster['exec'] => localPod({ ...process.env, ASSAY_POD_UID: uid }).exec;

  it('refuses a launch for the one before', async () => {
    const before = host(inside(UID));
    const spec = await capsule(before, 'exp-1/b1/p-1', 'true');
    const other = UID.replace('0', 'f');
    pod = running(other);
    const after = host(inside(other));
    await expect(after.launch(spec)).rejects.toMatchObject({ code: 'identity' });
    expect(JSON.stringify(await after.identity())).not.toBe(JSON.stringify(spec.identity));
  });

  it('has no identity while two answer', async () => {
    pod = running(UID.replace('0', 'f'));
    await expect(host(inside(UID)).identity()).rejects.toMatchObject({ code: 'identity' });
  });

  it('is another host after a restart of its container', async () => {
    const c1 = host(inside(UID));
    const before = JSON.stringify(await c1.identity());
    pod = running(UID, 1);
    expect(JSON.stringify(await c1.identity())).not.toBe(before);
  });

  it('says what is the matter when it does not run, or is not there', async () => {
    const c1 = host(inside(UID));
    pod = null;
    await expect(c1.identity()).rejects.toThrow('bench/c1 is not there');
    pod = Object.assign(running(UID), { status: { phase: 'Pending' } });
    await expect(c1.identity()).rejects.toThrow('no running container client (Pending)');
  });
});
