import { z } from 'zod';
import { kafkaConfig, line, size, whole } from '../values.ts';

/** Fixed heap of a JVM; below 64 MiB not even the perf tool starts. */
const heap = (leastMiB: number) => size(leastMiB * 1024 ** 2).prefault('512MiB');

const resources = z.strictObject({
  cpu: z.union([z.string(), z.number()], { error: 'Expected cores, e.g. 2 or "500m".' }).optional(),
  memory: size(64 * 1024 ** 2).optional(),
});

const brokers = z.strictObject({
  count: whole(1, 9).default(3),
  /** Becomes a Maven version: nothing but digits and dots. */
  kafka: z
    .string()
    .regex(/^\d{1,2}\.\d{1,2}\.\d{1,2}$/, { error: 'Expected a Kafka version such as 4.3.1.' })
    .default('4.3.1'),
  heap: heap(256),
  jit: z.enum(['full', 'c1'], { error: 'Expected full or c1.' }).default('full'),
  config: kafkaConfig('broker').prefault({}),
  image: line(300).optional(),
  resources: resources.optional(),
});

const clients = z.strictObject({
  count: whole(1, 16).default(1),
  apart: z.enum(['none', 'node'], { error: 'Expected none or node.' }).default('none'),
  heap: heap(64),
  image: line(300).optional(),
  resources: resources.optional(),
});

const storageClass = z.union(
  [
    line(63),
    z.strictObject({
      type: line(20).default('gp3'),
      size: size(1024 ** 3).optional(),
      iops: whole(100, 256_000).optional(),
      throughput: size(1024 ** 2).optional(),
      encrypted: z.boolean({ error: 'Expected true or false.' }).default(true),
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
    .default('local'),
  brokers: brokers.prefault({}),
  clients: clients.prefault({}),
  pin: z.union([z.boolean(), z.literal('auto')], { error: 'Expected true, false or auto.' }).default('auto'),
  namespace: line(63).optional(),
  storageClass: storageClass.optional(),
  nodes: z.record(z.string(), line(100), { error: 'Expected a map of node labels.' }).optional(),
  bootstrap: z
    .array(line(260), { error: 'Expected a list of host:port.' })
    .min(1, { error: 'An empty list: name at least one broker as host:port.' })
    .optional(),
  /** Path of a client properties file on the machine of the worker. */
  clientProperties: line(1_000).optional(),
});
