import { z } from 'zod';
import { kafkaConfig, line, size, whole } from '../values.ts';
import { kubernetes, TEMPLATE_HEAP_BYTES, templateBrokerConfig } from './kubernetes.ts';

/** Fixed heap of a JVM; below 64 MiB not even the perf tool starts. What is left out depends on the target. */
const heap = (leastMiB: number) => size(leastMiB * 1024 ** 2).optional();
const LOCAL_HEAP_BYTES = 512 * 1024 ** 2;

const brokers = z.strictObject({
  count: whole(1, 9).default(3).describe('brokers, each a controller too (KRaft)'),
  /** Becomes a Maven version: nothing but digits and dots. */
  kafka: z
    .string({ error: 'Expected a Kafka version such as 4.3.1.' })
    .regex(/^\d{1,2}\.\d{1,2}\.\d{1,2}$/, { error: 'Expected a Kafka version such as 4.3.1.' })
    .default('4.3.1')
    .describe('version of the brokers and of the perf tool'),
  heap: heap(256).describe('heap of each broker, fixed; left out = 512MiB, in a kubernetes lab 4GiB'),
  jit: z
    .enum(['full', 'c1'], { error: 'Expected full or c1.' })
    .default('full')
    .describe(
      'full: as in production; c1: the fast compiler only, which starts sooner and is no measure of a real broker',
    ),
  config: kafkaConfig('broker').prefault({}).describe('broker properties, by their Kafka names'),
});

const clients = z.strictObject({
  count: whole(1, 16).default(1).describe('client hosts, called c1, c2, …'),
  apart: z
    .enum(['none', 'node'], { error: 'Expected none or node.' })
    .default('none')
    .describe('node: each client host on a node of its own; a local lab has one machine and refuses it'),
  heap: heap(64).describe('heap of each perf tool; left out = 512MiB, in a kubernetes lab 2GiB'),
});

const written = z.strictObject({
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
  kubernetes: kubernetes.optional().describe('what only a kubernetes lab has'),
  bootstrap: z
    .array(line(260), { error: 'Expected a list of host:port.' })
    .min(1, { error: 'An empty list: name at least one broker as host:port.' })
    .optional()
    .describe('existing: brokers to start from, as host:port'),
  clientProperties: line(1_000)
    .optional()
    .describe('existing: path of a client properties file on the machine of the worker'),
});

type Written = z.output<typeof written>;

/** Fills in what a spec leaves out: it depends on the target. Keys keep their order: a plan's hash is that of its bytes. */
function forItsTarget(lab: Written) {
  const { count, kafka, jit, config } = lab.brokers;
  const onKubernetes = lab.target === 'kubernetes';
  const heaps = onKubernetes ? TEMPLATE_HEAP_BYTES : { brokers: LOCAL_HEAP_BYTES, clients: LOCAL_HEAP_BYTES };
  return {
    ...lab,
    brokers: {
      count,
      kafka,
      heap: lab.brokers.heap ?? heaps.brokers,
      jit,
      config: onKubernetes ? sorted({ ...templateBrokerConfig(count), ...config }) : config,
    },
    clients: { ...lab.clients, heap: lab.clients.heap ?? heaps.clients },
    ...(onKubernetes ? { kubernetes: lab.kubernetes ?? kubernetes.parse({}) } : {}),
  };
}

function sorted(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Where brokers and clients run. What belongs to another target is accepted here, and refused by the plan for
 * a lab that cannot do it (src/design/lab-limits.ts).
 */
export const lab = written.transform(forItsTarget);
