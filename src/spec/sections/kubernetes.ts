import { z } from 'zod';
import { byteRate, duration, line, size, whole } from '../values.ts';

/*
 * What only a lab on Kubernetes has. Defaults are those of the reference template (docs/kubernetes-manifest.md), so that
 * `target: kubernetes` alone asks for the lab that the published report describes.
 */

/** A name of Kubernetes: RFC 1123 label. */
const dnsLabel = (most = 63) =>
  z
    .string({ error: 'Expected a name.' })
    .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, {
      error: 'Expected a name of Kubernetes: lower-case letters, digits and dashes, no dash at either end.',
    })
    .max(most, { error: `A name of Kubernetes has at most ${most} characters here.` });

/** Key of a label, with an optional domain before a slash. */
const LABEL_KEY = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;

const labelKey = z.string().regex(LABEL_KEY, { error: 'Expected the key of a label of Kubernetes.' });
const labelValue = z
  .string({ error: 'Expected the value of a label as text; put numbers and true or false in quotes.' })
  .regex(LABEL_VALUE, {
    error:
      'Expected the value of a label of Kubernetes: at most 63 letters, digits, dots, dashes and underscores.',
  });

const nodes = (byDefault: Readonly<Record<string, string>>) =>
  z
    .record(labelKey, labelValue, { error: 'Expected a map of node labels.' })
    .default(byDefault)
    .describe('labels that a node must have; what is written replaces the default as a whole');

/** Cores as Kubernetes writes them: `3`, `1.9`, `500m`. */
const cpu = (byDefault: string) =>
  z
    .union([z.string(), z.number()], { error: 'Expected cores, e.g. 2 or 500m.' })
    .transform(String)
    .refine((text) => /^\d{1,4}(\.\d{1,3})?$|^\d{1,7}m$/.test(text) && Number.parseFloat(text) > 0, {
      error: 'Expected cores, e.g. 2, 1.9 or 500m.',
    })
    .prefault(byDefault)
    .describe('cores, e.g. 2 or 500m');

const memory = (byDefault: string) =>
  size(64 * 1024 ** 2)
    .prefault(byDefault)
    .describe('memory');

interface ResourceDefaults {
  readonly requests: { readonly cpu: string; readonly memory: string };
  readonly limits: { readonly cpu: string; readonly memory: string };
}

const resources = ({ requests, limits }: ResourceDefaults) =>
  z.strictObject({
    requests: z
      .strictObject({ cpu: cpu(requests.cpu), memory: memory(requests.memory) })
      .prefault({})
      .describe('what the scheduler sets aside'),
    limits: z
      .strictObject({ cpu: cpu(limits.cpu), memory: memory(limits.memory) })
      .prefault({})
      .describe('what a pod may use at most'),
  });

const toleration = z.strictObject({
  key: labelKey.optional().describe('key of the taint; left out = every taint'),
  operator: z
    .enum(['Equal', 'Exists'], { error: 'Expected Equal or Exists.' })
    .default('Equal')
    .describe('Exists: whatever its value'),
  value: labelValue.optional().describe('value of the taint'),
  effect: z
    .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
      error: 'Expected NoSchedule, PreferNoSchedule or NoExecute.',
    })
    .optional()
    .describe('effect of the taint; left out = every effect'),
});

const tolerations = z
  .array(toleration, { error: 'Expected a list of tolerations.' })
  .max(16)
  .default([])
  .describe('taints of nodes that its pods put up with');

const image = line(300)
  .optional()
  .describe('image with the layout of the official one; left out = apache/kafka of lab.brokers.kafka');

const storageClass = z.union(
  [
    dnsLabel(),
    z.strictObject({
      name: dnsLabel().optional().describe('its name; left out = one of the experiment'),
      provisioner: line(100).default('ebs.csi.aws.com').describe('the driver that makes volumes'),
      type: line(20).default('gp3').describe('type of the volumes'),
      iops: whole(100, 256_000)
        .optional()
        .describe('operations per second of each volume; left out = 3000 for gp3'),
      throughput: byteRate()
        .optional()
        .describe('bytes per second of each volume, whole MiB; left out = 125MiB/s for gp3'),
      encrypted: z
        .boolean({ error: 'Expected true or false.' })
        .default(true)
        .describe('whether volumes are encrypted'),
      reclaim: z
        .enum(['delete', 'retain'], { error: 'Expected delete or retain.' })
        .default('delete')
        .describe(
          'retain: volumes stay, and are billed, after the lab is gone; the experiment ends with leaks',
        ),
    }),
  ],
  { error: 'Expected the name of a storage class, or what to create: { type: gp3, iops: 3000 }.' },
);

const namespace = z.union(
  [dnsLabel(), z.strictObject({ create: dnsLabel().describe('a namespace that does not exist yet') })],
  { error: 'Expected the name of a namespace, or { create: NAME }.' },
);

const money = z
  .number({ error: 'Expected US dollars as a number, such as 0.236.' })
  .min(0, { error: 'A price is not below 0.' })
  .max(10_000, { error: 'This price is above 10,000 US dollars.' });

const prices = z.strictObject({
  date: z
    .string({ error: 'Expected a date such as 2026-09-02.' })
    .regex(/^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, {
      error: 'Expected a date such as 2026-09-02, or a month such as 2026-09.',
    })
    .describe('when these prices were looked up'),
  instances: z
    .record(labelValue, money, { error: 'Expected a map of instance types.' })
    .default({})
    .describe('US dollars an hour by instance type'),
  volumes: z
    .record(labelValue, money, { error: 'Expected a map of volume types.' })
    .default({})
    .describe('US dollars a GB-month by volume type'),
  iops: money.optional().describe('US dollars a month of each operation per second beyond those included'),
  throughput: money.optional().describe('US dollars a month of each MiB/s beyond those included'),
});

const periods = (period: string, failures: number) => ({
  period: duration(1_000).prefault(period).describe('time between two looks, whole seconds'),
  failures: whole(1, 1_000).default(failures).describe('failed looks in a row that count'),
});

const probes = z.strictObject({
  startup: z.strictObject(periods('5s', 60)).prefault({}).describe('until the port of a broker is open'),
  readiness: z.strictObject(periods('5s', 3)).prefault({}).describe('whether its port still is'),
});

const security = z.strictObject({
  fsGroup: whole(0, 2 ** 31 - 1)
    .default(1000)
    .describe('group that volumes belong to'),
  runAsUser: whole(0, 2 ** 31 - 1)
    .optional()
    .describe('user of the processes; left out = that of the image'),
});

const brokers = z.strictObject({
  image,
  nodes: nodes({
    'node.kubernetes.io/instance-type': 'm5.xlarge',
    'karpenter.sh/capacity-type': 'on-demand',
    'topology.kubernetes.io/zone': 'ap-northeast-2b',
  }),
  tolerations,
  resources: resources({
    requests: { cpu: '3', memory: '10GiB' },
    limits: { cpu: '4', memory: '12GiB' },
  })
    .prefault({})
    .describe('cores and memory of each broker'),
  spread: z
    .enum(['node', 'none'], { error: 'Expected node or none.' })
    .default('node')
    .describe('node: each broker on a node of its own; none: as the scheduler likes, for labs of one node'),
  disk: size(1024 ** 3)
    .prefault('100GiB')
    .describe('size of the volume of each broker'),
  grace: duration(1_000, 3_600_000).prefault('60s').describe('time to shut down, whole seconds'),
  probes: probes.prefault({}).describe('how the cluster sees that a broker serves'),
  security: security.prefault({}).describe('user and group of its pods'),
});

const clients = z.strictObject({
  image,
  nodes: nodes({
    'node.kubernetes.io/instance-type': 'm5.large',
    'topology.kubernetes.io/zone': 'ap-northeast-2b',
    'karpenter.sh/capacity-type': 'on-demand',
  }),
  tolerations,
  resources: resources({
    requests: { cpu: '500m', memory: '2500MiB' },
    limits: { cpu: '1900m', memory: '4GiB' },
  })
    .prefault({})
    .describe('cores and memory of each client'),
});

/** Section `lab.kubernetes`. */
export const kubernetes = z.strictObject({
  context: line(200)
    .optional()
    .describe(
      "context of the worker's kubeconfig; left out = its current one, in a pod the cluster around it",
    ),
  namespace: namespace
    .optional()
    .describe('a namespace that exists, or { create: NAME }; left out = a new one of the experiment'),
  storageClass: storageClass
    .prefault({})
    .describe('a storage class that exists, or what to create; it must wait for the first consumer'),
  brokers: brokers.prefault({}).describe('pods of the brokers'),
  clients: clients.prefault({}).describe('pods of the clients'),
  domain: line(253)
    .refine((text) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text), {
      error: 'Expected a domain such as cluster.local.',
    })
    .default('cluster.local')
    .describe('domain of the cluster, the end of every name in it'),
  disrupt: z
    .boolean({ error: 'Expected true or false.' })
    .default(false)
    .describe('whether Karpenter may move pods of the lab'),
  scratch: size(256 * 1024 ** 2)
    .prefault('4GiB')
    .describe('the most that logs, samples and payload files take on the node of each pod'),
  region: z
    .string({ error: 'Expected a region such as ap-northeast-2.' })
    .regex(/^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/, { error: 'Expected a region such as ap-northeast-2.' })
    .optional()
    .describe("AWS region of volumes, metrics and prices; left out = that of the brokers' zone"),
  prices: prices.optional().describe('prices to reckon with; left out = those that AWS lists on the day'),
});

/** Broker properties that the reference template sets, for what a spec leaves out (docs/decisions/0013). */
export function templateBrokerConfig(brokers: number): Readonly<Record<string, string>> {
  const copies = String(Math.min(3, brokers));
  return {
    'default.replication.factor': copies,
    'log.segment.bytes': String(1024 ** 3),
    'num.io.threads': '8',
    'num.network.threads': '4',
    'num.partitions': '6',
    'num.replica.fetchers': '2',
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.min.isr': String(Math.min(2, brokers)),
    'transaction.state.log.replication.factor': copies,
  };
}

/** Heaps of the reference template. */
export const TEMPLATE_HEAP_BYTES = { brokers: 4 * 1024 ** 3, clients: 2 * 1024 ** 3 } as const;
