import { describe, expect, it } from 'vitest';
import { settingLines } from '../../src/cli/plan-settings.ts';
import { drawPlan } from '../../src/design/draw-plan.ts';
import { kubernetesPlanOf } from '../../src/design/kubernetes-plan.ts';
import { labRefusals } from '../../src/design/lab-limits.ts';
import { parseSpec } from '../../src/spec/check.ts';
import type { Spec } from '../../src/spec/schema.ts';
import { smallSpec } from '../spec/small-spec.ts';

type Json = Record<string, unknown>;

const GIB = 1024 ** 3;

function specOf(lab: Json, more: Json = {}): Spec {
  const parsed = parseSpec(smallSpec({ lab: { target: 'kubernetes', ...lab }, ...more }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.spec;
}

const planOf = (kubernetes: Json = {}) => kubernetesPlanOf(specOf({ kubernetes }));
const refused = (lab: Json, more: Json = {}) =>
  labRefusals(specOf(lab, more), ['local', 'kubernetes']).map((issue) => issue.path.join('.'));

describe('the kubernetes part of a plan', () => {
  it('is that of the reference template when the spec says the target only', () => {
    expect(kubernetesPlanOf(specOf({}))).toMatchObject({
      context: null,
      namespace: { mode: 'created', name: null },
      storageClass: {
        mode: 'created',
        name: null,
        type: 'gp3',
        iops: 3000,
        throughputMiBps: 125,
        encrypted: true,
      },
      brokers: {
        image: 'apache/kafka:4.3.1',
        nodeLabels: { 'node.kubernetes.io/instance-type': 'm5.xlarge' },
        requests: { cpu: '3', memoryBytes: 10 * GIB },
        limits: { cpu: '4', memoryBytes: 12 * GIB },
        diskBytes: 100 * GIB,
        spread: 'node',
        graceS: 60,
        startup: { periodS: 5, failures: 60 },
        fsGroup: 1000,
        runAsUser: null,
      },
      clients: { requests: { cpu: '500m', memoryBytes: 2500 * 1024 ** 2 }, limits: { cpu: '1900m' } },
      region: 'ap-northeast-2',
      prices: null,
    });
  });

  it('does not exist for a local lab, whose plan is what it was', () => {
    const drawn = drawPlan(smallSpec(), { experimentKey: 'k' });
    expect(drawn.ok && Object.keys(drawn.plan.lab)).toEqual(['target', 'brokers', 'clients', 'pin']);
    expect(drawn.ok && Object.keys(drawn.plan.spec.lab)).toEqual(['target', 'brokers', 'clients', 'pin']);
    expect(drawn.ok && drawn.plan.lab.brokers).toMatchObject({ heapBytes: GIB / 2, config: {} });
  });

  it('takes heaps and broker properties of the template for what the spec leaves out, and for nothing else', () => {
    const { brokers, clients } = specOf(
      { brokers: { count: 1, config: { 'num.network.threads': 9 } }, clients: { heap: '1GiB' } },
      { topics: { main: { replication: 1 } } },
    ).lab;
    expect([brokers.heap, clients.heap]).toEqual([4 * GIB, GIB]);
    expect(brokers.config).toMatchObject({
      'num.network.threads': '9',
      'num.replica.fetchers': '2',
      'offsets.topic.replication.factor': '1',
      'transaction.state.log.min.isr': '1',
    });
    expect(Object.keys(brokers.config)).not.toContain('min.insync.replicas');
    expect(Object.keys(brokers.config)).not.toContain('log.retention.hours');
  });

  it('accepts every topic that a local lab accepts: one copy and acks=all', () => {
    const topics = { main: { replication: 1 } };
    expect(refused({}, { topics })).toEqual([]);
  });

  it('knows what is given from what is created', () => {
    expect(planOf({ namespace: 'bench', storageClass: 'fast' })).toMatchObject({
      namespace: { mode: 'given', name: 'bench' },
      storageClass: { mode: 'given', name: 'fast' },
    });
    expect(
      planOf({ namespace: { create: 'bench' }, storageClass: { name: 'x', type: 'io2' } }),
    ).toMatchObject({
      namespace: { mode: 'created', name: 'bench' },
      storageClass: { mode: 'created', name: 'x', iops: null, throughputMiBps: null },
    });
  });

  it('takes its region from the zone of the brokers, unless it is written or there is none', () => {
    expect(planOf({ region: 'eu-west-1' })?.region).toBe('eu-west-1');
    expect(planOf({ brokers: { nodes: { 'topology.kubernetes.io/zone': 'us-gov-west-1a' } } })?.region).toBe(
      'us-gov-west-1',
    );
    expect(planOf({ brokers: { nodes: {} } })?.region).toBeNull();
  });

  it('is shown with the other settings', () => {
    const local = drawPlan(smallSpec(), { experimentKey: 'k' });
    const kubernetes = planOf({ prices: { date: '2026-09', instances: { 'm5.xlarge': 0.236 } } });
    if (!local.ok || kubernetes === null) throw new Error('no plan');
    const lines = settingLines({
      ...local.plan,
      lab: { ...local.plan.lab, target: 'kubernetes', kubernetes },
    });
    for (const line of [
      'lab: kubernetes',
      'namespace: one of the experiment, created and taken down',
      'storage class: one of the experiment, created and taken down: gp3 of ebs.csi.aws.com, 3000 IOPS, 125 MiB/s, encrypted',
      'brokers: on nodes with node.kubernetes.io/instance-type=m5.xlarge',
      'prices of 2026-09: m5.xlarge $0.236 an hour',
    ])
      expect(lines).toContain(line);
    expect(lines.join()).not.toContain('different cores');
  });
});

describe('a kubernetes lab is refused for', () => {
  const at = 'lab.kubernetes.';
  it.each<[string, Json, string[]]>([
    ['cores of one machine', { pin: true }, ['lab.pin']],
    ['a cluster of somebody', { bootstrap: ['b:9092'] }, ['lab.bootstrap']],
    ['a heap above the limit', { brokers: { heap: '12GiB' } }, [`${at}brokers.resources.limits.memory`]],
    [
      'requests above limits',
      { kubernetes: { clients: { resources: { requests: { cpu: 2, memory: '5GiB' } } } } },
      [`${at}clients.resources.requests.cpu`, `${at}clients.resources.requests.memory`],
    ],
    [
      'an odd toleration',
      {
        kubernetes: {
          brokers: { tolerations: [{ value: 'x', operator: 'Exists' }, { effect: 'NoExecute' }] },
        },
      },
      [`${at}brokers.tolerations.0`, `${at}brokers.tolerations.1`],
    ],
    ['too many operations', { kubernetes: { storageClass: { iops: 90_000 } } }, [`${at}storageClass.iops`]],
    ['too few operations', { kubernetes: { storageClass: { iops: 2999 } } }, [`${at}storageClass.iops`]],
    [
      'too much throughput',
      { kubernetes: { storageClass: { throughput: '3GiB/s' } } },
      [`${at}storageClass.throughput`],
    ],
    [
      'throughput without its operations',
      { kubernetes: { storageClass: { throughput: '1000MiB/s' } } },
      [`${at}storageClass.throughput`],
    ],
    [
      'throughput of half a MiB',
      { kubernetes: { storageClass: { throughput: '131000KiB/s' } } },
      [`${at}storageClass.throughput`],
    ],
    [
      'throughput of another type',
      { kubernetes: { storageClass: { type: 'io2', throughput: '200MiB/s' } } },
      [`${at}storageClass.throughput`],
    ],
    ['half seconds', { kubernetes: { brokers: { grace: '1500ms' } } }, [`${at}brokers.grace`]],
  ])('%s', (_, lab, paths) => {
    expect(refused(lab)).toEqual(paths);
  });

  it('a property that would be a variable of its image, be it a level of a factor', () => {
    const allowUnknown = ['opts', 'heap.opts'];
    expect(refused({ brokers: { config: { opts: '-javaagent:/x' } } }, { allowUnknown })).toEqual([
      'lab.brokers.config.opts',
    ]);
    const factors = { heap: { set: 'lab.brokers.config.heap.opts', levels: ['-Xmx1g', '-Xmx2g'] } };
    expect(refused({}, { allowUnknown, factors })).toEqual(['factors.heap']);
  });

  it('nothing of this: more throughput with its operations, on a larger disk', () => {
    const storageClass = { iops: 16_000, throughput: '1000MiB/s' };
    expect(refused({ kubernetes: { storageClass } })).toEqual([]);
  });
});
