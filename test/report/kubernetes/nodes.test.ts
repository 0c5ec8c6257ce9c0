import { describe, expect, test } from 'vitest';
import { limitsOf } from '../../../src/analysis/limits.ts';
import { creditRows } from '../../../src/report/kubernetes/credits.ts';
import { nodeDifferences, nodeRows } from '../../../src/report/kubernetes/nodes.ts';
import { sharingLimits } from '../../../src/report/kubernetes/sharing.ts';
import type { EnvironmentRecord } from '../../../src/report/results.ts';
import { plan } from '../fixture-plan.ts';
import { cloudWatchInPods, IN_PODS_ENVIRONMENT, PARTS, PODS } from './fixture.ts';

type Pods = EnvironmentRecord['pods'];
const labs = (pods: Pods = PODS, lab = 1) => [
  { lab, environment: { ...IN_PODS_ENVIRONMENT, pods } as EnvironmentRecord },
];
const moved = (who: string, change: Partial<NonNullable<Pods>[number]>): Pods =>
  PODS.map((pod) => (pod.who === who ? { ...pod, ...change } : pod));

describe('nodes', () => {
  test('what is under each pod; the digest in short; what is not known is null', () => {
    expect(nodeRows(labs())[0]).toEqual({
      lab: 1,
      who: 'broker b1',
      pod: 'kafka-0',
      node: 'ip-10-0-0-1',
      instanceType: 'm5.xlarge',
      capacityType: null,
      zone: 'ap-northeast-2b',
      kernel: '6.18.41',
      java: '21.0.11',
      image: 'sha256:abababababab…',
    });
    expect(nodeRows(labs(moved('broker b1', { facts: {} })))[0]).toMatchObject({ kernel: null, image: null });
  });

  test('brokers that are not alike are named with their values; what each node has of its own is none', () => {
    expect(nodeDifferences(labs())).toEqual([
      'The brokers differ in kernel: 6.18.41 (broker b1, broker b2); 6.1.999 (broker b3).',
    ]);
    const alike = moved('broker b3', { facts: { ...PODS[0]?.facts, instance: 'i-00000003' } });
    expect(nodeDifferences(labs(alike))).toEqual([]);
  });

  test('a client of another size is no difference, an unknown fact is one', () => {
    const small = moved('client c1', { facts: { ...PODS[3]?.facts, instanceType: 'm5.large' } });
    expect(nodeDifferences(labs(small))).toHaveLength(1);
    const { java: _, ...without } = PODS[1]?.facts ?? {};
    expect(nodeDifferences(labs(moved('broker b2', { facts: without })))).toContain(
      'The brokers differ in java: 21.0.11 (broker b1, broker b3); unknown (broker b2).',
    );
  });
});

describe('what pods share', () => {
  const together = 'rates are those of 1 client and 3 brokers together';

  test('a node that several pods of the lab share is named with them', () => {
    expect(sharingLimits(PARTS.plan, labs())[0]).toBe(
      `Broker b1, client c1 shared the node ip-10-0-0-1: ${together}, never broker capacity.`,
    );
  });

  test('where none is shared that is said, and what is not recorded too', () => {
    const apart = sharingLimits(PARTS.plan, labs(moved('client c1', { node: 'ip-10-0-0-4' })));
    expect(apart[0]).toBe(
      `No two pods of the lab shared a node. What else ran on their nodes is not recorded, and ${together}, over this cluster's network.`,
    );
  });

  test('a pod whose node is not known: nothing is claimed', () => {
    const lost = sharingLimits(PARTS.plan, labs(moved('client c1', { node: null })));
    expect(lost[0]).toMatch(/^On which nodes the pods ran is not known/);
    expect(sharingLimits(PARTS.plan, labs([]))[0]).toMatch(/^On which nodes the pods ran is not known/);
  });

  test('one zone, several zones, unknown zones', () => {
    expect(sharingLimits(PARTS.plan, labs())[1]).toMatch(/^All pods ran in the zone ap-northeast-2b:/);
    const two = moved('broker b2', { facts: { ...PODS[1]?.facts, zone: 'ap-northeast-2c' } });
    expect(sharingLimits(PARTS.plan, labs(two))[1]).toMatch(/zones ap-northeast-2b, ap-northeast-2c:/);
    expect(sharingLimits(PARTS.plan, labs(moved('broker b2', { facts: {} })))).toHaveLength(1);
  });

  test('two labs say it each for itself; a local lab says nothing here', () => {
    const two = sharingLimits(PARTS.plan, [...labs(), ...labs(moved('client c1', { node: 'n4' }), 2)]);
    expect(two.map((text) => text.slice(0, 6))).toEqual(['Lab 1:', 'Lab 1:', 'Lab 2:', 'Lab 2:']);
    expect(sharingLimits(plan(), labs())).toEqual([]);
  });

  test('one machine and one disk are limits of a local lab only', () => {
    const [local, pods] = [limitsOf(plan()).join('\n'), limitsOf(PARTS.plan).join('\n')];
    for (const words of ['share this machine', 'loopback', 'another machine']) {
      expect(local).toContain(words);
      expect(pods).not.toContain(words);
    }
    expect(limitsOf({ ...PARTS.plan, labs: 6 }).join('\n')).toContain(
      '6 labs, provisioned one after the other in one cluster',
    );
  });
});

describe('credits', () => {
  test('network in and out apart, a balance without points is unknown, and who is there', () => {
    const [node, ...others] = creditRows(cloudWatchInPods(), labs());
    expect(node).toMatchObject({ id: 'i-00000001', who: 'broker b1, client c1' });
    const figures = Object.fromEntries(node?.figures.map(({ name, text }) => [name, text]) ?? []);
    expect(figures).toMatchObject({
      'network in, busiest bin, MiB/s': '30.0',
      'network out, busiest bin, MiB/s': '50.0',
      'EBS I/O credits, lowest': null,
    });
    expect(others).toEqual([]);
    expect(creditRows(null, labs())).toEqual([]);
  });

  test('five-minute bins are said, and a sum whose width does not show has no rate', () => {
    const of = (spacingS: number | null) =>
      creditRows(
        cloudWatchInPods({
          series: cloudWatchInPods().series.map((one) => ({ ...one, spacingS })),
        }),
        labs(),
      )[0]?.figures[0]?.text;
    expect(of(300)).toBe('6.00 (bins of 5.00 min)');
    expect(of(null)).toBeUndefined();
  });
});
