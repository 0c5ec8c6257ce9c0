import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { CapsuleError } from '../../../src/lab/capsule/capsule-error.ts';
import { parseDeviceReading } from '../../../src/lab/kubernetes/devices.ts';
import { parseKafkaLook } from '../../../src/lab/kubernetes/kafka-look.ts';
import { look, scriptText } from '../../../src/lab/look.ts';
import { parseNodeLook } from '../../../src/lab/kubernetes/node-facts.ts';
import { createLocalTransport } from '../../../src/lab/local/local-transport.ts';
import type { Transport } from '../../../src/lab/transport.ts';
import { busyboxEnv } from '../capsule/support.ts';

/** The scripts lie where pods are looked at. */
const BESIDE = new URL('../../../src/lab/kubernetes/pod-ways.ts', import.meta.url).href;

const root = mkdtempSync(join(tmpdir(), 'assay-look-'));
afterAll(() => rmSync(root, { recursive: true }));
const local = createLocalTransport();
/** The two userlands of the images: Debian's tools, and Alpine's. */
const USERLANDS: readonly (readonly [string, Transport])[] = [
  ['GNU tools', local],
  ['busybox', createLocalTransport(busyboxEnv())],
];
const ask = (script: string, args: readonly string[] = [], transport: Transport = local) =>
  look(transport, { name: 'try', script, args, deadlineMs: 20_000 });

describe('look', () => {
  it.each(USERLANDS)('hands arguments on untouched and returns all that was printed: %s', async (_, host) => {
    const hostile = ['a b', '', "'; exit 3", '$(date)', '"', 'ä\n'];
    expect(await ask('printf "%s|" "$@"', hostile, host)).toBe(`${hostile.join('|')}|`);
    expect(await ask('for i in {1..20000}; do echo $i; done', [], host)).toHaveLength(108_894);
    expect(await ask('exit 7', [], host)).toBe('');
  });

  /** What the pod prints arrives without its end so many times. */
  function cutting(times: number): Transport & { calls: number } {
    const transport = {
      ...local,
      calls: 0,
      exec: async (argv: readonly string[], deadlineMs: number) => {
        const result = await local.exec(argv, deadlineMs);
        transport.calls += 1;
        return transport.calls <= times ? { ...result, stdout: result.stdout.subarray(0, -30) } : result;
      },
    };
    return transport;
  }

  it('asks again for an answer that was cut on the way, and gives up at the third', async () => {
    const once = cutting(1);
    expect(await ask('echo hello', [], once)).toBe('hello\n');
    expect(once.calls).toBe(2);
    await expect(ask('echo hello', [], cutting(3))).rejects.toBeInstanceOf(CapsuleError);
  });
});

describe('kafka-look.sh', () => {
  const logDir = join(root, 'data', 'kafka');
  const file = (path: string, text = '') => {
    mkdirSync(dirname(join(logDir, path)), { recursive: true });
    writeFileSync(join(logDir, path), text);
  };

  it.each(USERLANDS)('finds folders by prefix, their newest epochs and segments: %s', async (_, host) => {
    file('meta.properties', '#\n#Mon\nversion=1\ncluster.id=gXM9wnei6pYdwYagmt9OeA\nnode.id=1\n');
    file('assay.k.b1.main-0/leader-epoch-checkpoint', '0\n2\n0 0\n1 1184\n');
    file('assay.k.b1.main-0/00000000000000000000.log');
    file('assay.k.b1.main-0/00000000000000001184.log');
    file('assay.k.b1.main-0/00000000000000000000.index');
    file('assay.k.b1.main-12/leader-epoch-checkpoint', '0\n0\n');
    file('assay.k.b1.old-0.0a1b2c-delete/00000000000000000000.log');
    file('assay.k.notes', 'no folder');
    file('other-0/leader-epoch-checkpoint', '0\n1\n7 0\n');
    const seen = parseKafkaLook(await ask(scriptText('kafka-look.sh', BESIDE), [logDir, 'assay.k.'], host));
    expect(seen.clusterId).toBe('gXM9wnei6pYdwYagmt9OeA');
    expect(seen.folders).toEqual([
      'assay.k.b1.main-0',
      'assay.k.b1.main-12',
      'assay.k.b1.old-0.0a1b2c-delete',
    ]);
    expect(seen.epochs).toEqual(new Map([['assay.k.b1.main-0', 1]]));
    expect(seen.segments.get('assay.k.b1.main-0')).toEqual([
      '00000000000000000000.log',
      '00000000000000001184.log',
    ]);
    const all = parseKafkaLook(await ask(scriptText('kafka-look.sh', BESIDE), [logDir, '']));
    expect(all).toMatchObject({ clusterId: 'gXM9wnei6pYdwYagmt9OeA', folders: [] });
  });

  it('finds nothing where nothing is', async () => {
    const seen = parseKafkaLook(
      await ask(scriptText('kafka-look.sh', BESIDE), [join(root, 'nowhere'), 'assay.']),
    );
    expect(seen).toMatchObject({ clusterId: null, folders: [] });
  });
});

describe('node-look.sh and device-look.sh', () => {
  it('print the same with either userland', async () => {
    const nodes = await Promise.all(
      USERLANDS.map(async ([, host]) =>
        parseNodeLook(await ask(scriptText('node-look.sh', BESIDE), [], host)),
      ),
    );
    expect(nodes[1]?.facts['kernel']).toBe(nodes[0]?.facts['kernel']);
    expect(nodes[1]?.facts['vm.dirty_ratio']).toBe(nodes[0]?.facts['vm.dirty_ratio']);
    expect(nodes[1]?.interfaces).toEqual(nodes[0]?.interfaces);
    const devices = await Promise.all(
      USERLANDS.map(async ([, host]) =>
        parseDeviceReading(await ask(scriptText('device-look.sh', BESIDE), [root, '65536'], host)),
      ),
    );
    expect(devices[1]?.mount).toEqual(devices[0]?.mount);
    expect(devices[1]?.disk).toBe(devices[0]?.disk);
    expect(devices[1]?.wroteBytes).toBe(devices[0]?.wroteBytes);
  });
});
