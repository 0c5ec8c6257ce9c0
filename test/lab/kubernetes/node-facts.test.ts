import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { factsOfNode, parseNodeLook, sharedFacts } from '../../../src/lab/kubernetes/node-facts.ts';

const SCRIPT = readFileSync(new URL('../../../src/lab/kubernetes/node-look.sh', import.meta.url), 'utf8');

describe('node-look.sh', () => {
  it('tells this machine as /proc does', () => {
    const { facts, interfaces } = parseNodeLook(
      execFileSync('bash', ['-c', SCRIPT, 'node-look'], { encoding: 'utf8' }),
    );
    const proc = (path: string) => readFileSync(`/proc/sys/${path}`, 'utf8').trim();
    expect(facts).toMatchObject({
      'vm.dirty_ratio': proc('vm/dirty_ratio'),
      'vm.dirty_background_ratio': proc('vm/dirty_background_ratio'),
      'vm.max_map_count': proc('vm/max_map_count'),
      kernel: proc('kernel/osrelease'),
    });
    expect(facts['openFiles']).toMatch(/^(\d+|unlimited)$/);
    expect(facts['java']).toMatch(/^\d+\.\d+/);
    expect(interfaces).not.toContain('lo');
  });
});

describe('parseNodeLook', () => {
  it('keeps interfaces, the first broker process and its flags apart from facts', () => {
    const text =
      'kernel 6.1.0\ncpu AMD EPYC 7571\ninterface eth0\nbroker 214\njvm -Xmx4G\nbroker 1\njvm -Xmx4G\nnoise\n';
    expect(parseNodeLook(text)).toEqual({
      facts: { kernel: '6.1.0', cpu: 'AMD EPYC 7571' },
      interfaces: ['eth0'],
      brokerPid: 1,
      jvmFlags: ['-Xmx4G'],
    });
    expect(parseNodeLook('').brokerPid).toBeNull();
  });
});

describe('factsOfNode', () => {
  it('reads what was rented', () => {
    expect(
      factsOfNode({
        metadata: {
          labels: {
            'node.kubernetes.io/instance-type': 'm5.xlarge',
            'topology.kubernetes.io/zone': 'ap-northeast-2b',
            'karpenter.sh/capacity-type': 'on-demand',
            other: 'x',
          },
        },
        spec: { providerID: 'aws:///ap-northeast-2b/i-0123456789abcdef0' },
      }),
    ).toEqual({
      instanceType: 'm5.xlarge',
      zone: 'ap-northeast-2b',
      capacityType: 'on-demand',
      instance: 'i-0123456789abcdef0',
    });
    expect(factsOfNode({})).toEqual({});
  });
});

describe('sharedFacts', () => {
  const pod = (who: string, facts: Record<string, string>) => ({ who, pod: who, node: null, facts });

  it('says once what is alike, and whose what differs', () => {
    const pods = [
      pod('broker b1', { kernel: '6.1', cores: '4', instance: 'i-1' }),
      pod('broker b2', { kernel: '6.1', cores: '4', instance: 'i-2' }),
      pod('client c1', { kernel: '6.1', cores: '2', instance: 'i-3', zone: 'a' }),
    ];
    expect(sharedFacts(pods)).toEqual({
      kernel: '6.1',
      cores: '4 (broker b1, broker b2); 2 (client c1)',
      zone: 'unknown (broker b1, broker b2); a (client c1)',
    });
  });
});
