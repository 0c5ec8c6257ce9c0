import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envNameOf } from '../../../../src/design/broker-variables.ts';
import { experimentKey } from '../../../../src/design/names.ts';
import { EXPERIMENT_LABEL } from '../../../../src/lab/kubernetes/api/cluster.ts';
import { labObjects } from '../../../../src/lab/kubernetes/objects/all.ts';
import { storageClass, volumeTags } from '../../../../src/lab/kubernetes/objects/around-pods.ts';
import { brokerEnv } from '../../../../src/lab/kubernetes/objects/broker-env.ts';
import { clientPod } from '../../../../src/lab/kubernetes/objects/client-pod.ts';
import { labNames } from '../../../../src/lab/kubernetes/objects/names.ts';
import { numberOf, quantityOf } from '../../../../src/lab/kubernetes/objects/quantity.ts';
import { statefulSet } from '../../../../src/lab/kubernetes/objects/stateful-set.ts';
import { designOf, IDS, labPlanOf } from './support.ts';

const GIVEN = { kubernetes: { namespace: 'shared', storageClass: 'gp3' } };

describe('names', () => {
  it('are short in a namespace of their own, and begin with the key in a given one', () => {
    const own = designOf().names;
    expect([own.namespace, own.storageClass]).toEqual(['assay-codec-1a2b3c4d', 'assay-codec-1a2b3c4d']);
    expect([own.statefulSet, own.service, own.clientPod('c1')]).toEqual(['kafka', 'kafka-hs', 'client-c1']);
    const given = designOf(GIVEN).names;
    expect([given.namespace, given.storageClass]).toEqual(['shared', 'gp3']);
    expect([given.service, given.clientPod('c2'), given.claim(1)]).toEqual([
      'codec-1a2b3c4d-kafka-hs',
      'codec-1a2b3c4d-client-c2',
      'data-codec-1a2b3c4d-kafka-1',
    ]);
    expect(own.brokerAddress(2)).toBe('kafka-2.kafka-hs.assay-codec-1a2b3c4d.svc.cluster.local');
  });

  it('are names of Kubernetes for every experiment key', () => {
    const { kubernetes } = labPlanOf(GIVEN);
    fc.assert(
      fc.property(fc.string(), fc.string(), (workflowId, runId) => {
        if (kubernetes === undefined) throw new Error('no plan');
        const names = labNames(kubernetes, experimentKey(workflowId, runId));
        const all = [
          names.service,
          names.statefulSet,
          names.networkPolicy,
          names.claim(8),
          names.clientPod('c16'),
        ];
        // RFC 1035, the strictest of them; the hash of a revision adds 11 characters to the StatefulSet's.
        for (const name of all) expect(name).toMatch(/^[a-z]([a-z0-9-]*[a-z0-9])?$/);
        expect(Math.max(...all.map((name) => name.length))).toBeLessThanOrEqual(63);
        expect(names.statefulSet.length + 11).toBeLessThanOrEqual(63);
      }),
    );
  });
});

describe('objects', () => {
  it('all carry the label of the experiment and who made them', () => {
    for (const object of labObjects(designOf({ clients: { count: 3 } }))) {
      expect(object.metadata?.labels).toMatchObject({
        'app.kubernetes.io/managed-by': 'assay',
        [EXPERIMENT_LABEL]: IDS.key,
      });
      expect(object.metadata?.annotations).toMatchObject({
        'assay.dev/workflow-id': 'codec',
        'assay.dev/owner': 'ann',
        'assay.dev/expires-at': '2026-12-01T00:00:00.000Z',
      });
    }
  });

  it('come in the order in which they are made; what is given is not made', () => {
    const kinds = (lab = {}) => labObjects(designOf(lab)).map((object) => object.kind);
    expect(kinds({ clients: { count: 2 } })).toEqual([
      'Namespace',
      'StorageClass',
      'NetworkPolicy',
      'Service',
      'StatefulSet',
      'Pod',
      'Pod',
    ]);
    expect(kinds(GIVEN)).toEqual(['NetworkPolicy', 'Service', 'StatefulSet', 'Pod']);
  });

  it('keep a renewed expiry out of templates: new pods would be the price', () => {
    const template = (expiresAtMs: number) => {
      const { spec } = statefulSet(designOf({}, { expiresAtMs }));
      return JSON.stringify([spec?.template, spec?.volumeClaimTemplates]);
    };
    expect(template(1)).toBe(template(2));
  });

  it('leave brokers of one-node labs to the scheduler', () => {
    const affinity = (spread: string) =>
      statefulSet(designOf({ kubernetes: { brokers: { spread } } })).spec?.template.spec?.affinity;
    expect(affinity('none')).toBeUndefined();
    expect(affinity('node')?.podAntiAffinity).toBeDefined();
  });

  it('keep a client on a node of its own away from every other pod of the experiment', () => {
    const pod = clientPod(designOf({ clients: { count: 2, apart: 'node' } }), 'c2');
    expect(pod.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution).toEqual([
      {
        labelSelector: { matchLabels: { [EXPERIMENT_LABEL]: IDS.key } },
        topologyKey: 'kubernetes.io/hostname',
      },
    ]);
  });

  it('tolerate, run as and are moved as the spec says', () => {
    const { template } =
      statefulSet(
        designOf({
          kubernetes: {
            disrupt: true,
            brokers: {
              tolerations: [{ key: 'dedicated', value: 'kafka', effect: 'NoSchedule' }],
              security: { fsGroup: 2000, runAsUser: 2000 },
            },
          },
        }),
      ).spec ?? {};
    expect(template?.spec?.tolerations).toEqual([
      { key: 'dedicated', operator: 'Equal', value: 'kafka', effect: 'NoSchedule' },
    ]);
    expect(template?.spec?.securityContext).toEqual({ fsGroup: 2000, runAsUser: 2000 });
    expect(template?.metadata?.annotations).not.toHaveProperty(['karpenter.sh/do-not-disrupt']);
  });
});

describe('storage class', () => {
  it('of another type than gp3 has only what the spec says', () => {
    const made = storageClass(designOf({ kubernetes: { storageClass: { type: 'io2', iops: 8000 } } }));
    expect(made?.parameters).toMatchObject({ type: 'io2', iops: '8000', encrypted: 'true' });
    expect(made?.parameters).not.toHaveProperty('throughput');
  });

  it('tags volumes, but never with what EC2 refuses or the driver takes for a template', () => {
    expect(volumeTags({ ...IDS, workflowId: '{{ .PVCName }}' })).not.toHaveProperty('assay.dev/workflow-id');
    expect(volumeTags({ ...IDS, workflowId: 'ü' })).not.toHaveProperty('assay.dev/workflow-id');
    expect(volumeTags(IDS)).toMatchObject({ 'assay.dev/workflow-id': 'codec' });
  });
});

describe('environment of brokers', () => {
  it.each([
    ['num.io.threads', 'KAFKA_NUM_IO_THREADS'],
    ['some-plugin.a_b', 'KAFKA_SOME___PLUGIN_A__B'],
    ['opts', null],
    ['jvm.performance.opts', null],
    ['Upper.case', null],
  ])('%s is %s', (property, name) => {
    expect(envNameOf(property)).toBe(name);
  });

  const env = (config: Record<string, string>) => {
    const design = designOf();
    return Object.fromEntries(
      brokerEnv(design, { ...design.plan.brokers, config }).map(({ name, value }) => [name, value]),
    );
  };

  it('puts settings over what the lab departs in, and heap and compiler into their variables', () => {
    const design = designOf();
    const settings = {
      config: { 'offsets.topic.num.partitions': '7' },
      heapBytes: 3 * 1024 ** 2,
      jit: 'c1' as const,
    };
    const made = new Map(brokerEnv(design, settings).map(({ name, value }) => [name, value]));
    expect(made.get('KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS')).toBe('7');
    expect(made.get('KAFKA_HEAP_OPTS')).toBe('-Xms3M -Xmx3M');
    expect(made.get('KAFKA_OPTS')).toContain('-XX:TieredStopAtLevel=1');
  });

  it('never lets a setting be another variable of the container', () => {
    expect(env({ 'some.setting': '$(KAFKA_OPTS) $$ $x' })['KAFKA_SOME_SETTING']).toBe('$$(KAFKA_OPTS) $$ $x');
    expect(() => env({ opts: '-javaagent:/x' })).toThrow('lab.brokers.config.opts');
    expect(() => env({ 'log.dirs': '/x' })).toThrow('lab.brokers.config.log.dirs');
  });
});

describe('quantities', () => {
  it('are exact', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 50 }), (bytes) => {
        expect(numberOf(quantityOf(bytes))).toBe(bytes);
      }),
    );
    expect([2500 * 1024 ** 2, 10 * 1024 ** 3, 1024 ** 4].map(quantityOf)).toEqual(['2500Mi', '10Gi', '1Ti']);
  });

  it.each([
    ['100m', 0.1],
    ['3', 3],
    ['1e3', 1000],
    ['2k', 2000],
    ['1.5Gi', 1.5 * 1024 ** 3],
  ])('%s is %d', (text, value) => {
    expect(numberOf(text)).toBeCloseTo(value, 9);
  });

  it.each(['', 'x', '3 Gi', '1Zi'])('"%s" is none', (text) => {
    expect(numberOf(text)).toBeNaN();
  });
});
