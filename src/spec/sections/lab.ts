import { z } from 'zod';
import { kafkaConfig, line, size, whole } from '../values.ts';

/** Fixed heap of a JVM; below 64 MiB not even the perf tool starts. */
const heap = (leastMiB: number) => size(leastMiB * 1024 ** 2).prefault('512MiB');

const resources = z.strictObject({
  cpu: z
    .union([z.string(), z.number()], { error: 'Expected cores, e.g. 2 or "500m".' })
    .optional()
    .describe('cores of each pod, e.g. 2 or "500m"'),
  memory: size(64 * 1024 ** 2)
    .optional()
    .describe('memory of each pod'),
});

const brokers = z.strictObject({
  count: whole(1, 9).default(3).describe('brokers, each a controller too (KRaft)'),
  /** Becomes a Maven version: nothing but digits and dots. */
  kafka: z
    .string({ error: 'Expected a Kafka version such as 4.3.1.' })
    .regex(/^\d{1,2}\.\d{1,2}\.\d{1,2}$/, { error: 'Expected a Kafka version such as 4.3.1.' })
    .default('4.3.1')
    .describe('version of the brokers and of the perf tool'),
  heap: heap(256).describe('heap of each broker, fixed'),
  jit: z
    .enum(['full', 'c1'], { error: 'Expected full or c1.' })
    .default('full')
    .describe(
      'full: as in production; c1: the fast compiler only, which starts sooner and is no measure of a real broker',
    ),
  config: kafkaConfig('broker').prefault({}).describe('broker properties, by their Kafka names'),
  image: line(300).optional().describe('kubernetes: image of the brokers'),
  resources: resources.optional().describe('kubernetes: requests and limits of each broker'),
});

const clients = z.strictObject({
  count: whole(1, 16).default(1).describe('client hosts, called c1, c2, …'),
  apart: z
    .enum(['none', 'node'], { error: 'Expected none or node.' })
    .default('none')
    .describe('node: each client host on a node of its own; a local lab has one machine and refuses it'),
  heap: heap(64).describe('heap of each perf tool'),
  image: line(300).optional().describe('kubernetes: image of the clients'),
  resources: resources.optional().describe('kubernetes: requests and limits of each client'),
});

const storageClass = z.union(
  [
    line(63),
    z.strictObject({
      type: line(20).default('gp3').describe('type of the volumes'),
      size: size(1024 ** 3)
        .optional()
        .describe('size of each volume'),
      iops: whole(100, 256_000).optional().describe('operations per second of each volume'),
      throughput: size(1024 ** 2)
        .optional()
        .describe('bytes per second of each volume, written as a size'),
      encrypted: z
        .boolean({ error: 'Expected true or false.' })
        .default(true)
        .describe('whether volumes are encrypted'),
    }),
  ],
  { error: 'Expected the name of a storage class, or what to create: { type: gp3, iops: 3000 }.' },
);

/**
 * Where brokers and clients run. What belongs to another target is accepted here, and refused by the plan for
 * a lab that cannot do it (src/design/lab-limits.ts).
 */
export const lab = z.strictObject({
  target: z
    .enum(['local', 'kubernetes', 'existing'], { error: 'Expected local, kubernetes or existing.' })
    .default('local')
    .describe("local: processes on the machine of the worker; kubernetes; existing: somebody's cluster"),
  brokers: brokers.prefault({}).describe('the brokers under test'),
  clients: clients.prefault({}).describe('the hosts that loads run on'),
  pin: z
    .union([z.boolean(), z.literal('auto')], { error: 'Expected true, false or auto.' })
    .default('auto')
    .describe(
      'brokers and clients on different cores; auto: where there are four or more, true: from two on',
    ),
  namespace: line(63).optional().describe('kubernetes: the namespace; left out = one of its own'),
  storageClass: storageClass.optional().describe('kubernetes: name of a storage class, or what to create'),
  nodes: z
    .record(z.string(), line(100), { error: 'Expected a map of node labels.' })
    .optional()
    .describe('kubernetes: labels of the nodes to use'),
  bootstrap: z
    .array(line(260), { error: 'Expected a list of host:port.' })
    .min(1, { error: 'An empty list: name at least one broker as host:port.' })
    .optional()
    .describe('existing: brokers to start from, as host:port'),
  clientProperties: line(1_000)
    .optional()
    .describe('existing: path of a client properties file on the machine of the worker'),
});
