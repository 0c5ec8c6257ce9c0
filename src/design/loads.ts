import { clientNames, consumerRuns, producerRuns } from '../spec/check-loads.ts';
import { recordBytesOf } from '../spec/payload-size.ts';
import type { ConsumerSpec, ProducerSpec, Spec } from '../spec/schema.ts';
import { payloadPlan } from './payloads.ts';
import type { ConsumerLoad, CountPlan, FillPlan, LoadPlan, PayloadPlan, ProducerLoad } from './plan.ts';

/** The loads of one scenario, what is filled in beforehand, and the files of records for both. */
export interface ScenarioLoads {
  readonly loads: readonly LoadPlan[];
  /** By topic. */
  readonly fills: Readonly<Record<string, FillPlan>>;
  readonly payloads: readonly PayloadPlan[];
}

/**
 * Of the equal share of a member of a group so much is asked: partitions are never quite even, and a member that
 * asks for more than it gets would wait until its idle time is over.
 */
export const SHARE_OF_MEMBER = 0.9;

/** One load for each process of each producer and consumer that runs; records and rate are totals over processes. */
export function loadsOf(spec: Spec): ScenarioLoads {
  const producers = Object.entries(spec.producers)
    .filter(([, load]) => producerRuns(load))
    .flatMap(([name, load]) => Array.from({ length: load.processes }, (_, index) => ({ name, load, index })));
  const payloads = producers.map((_, variant) => payloadPlan(spec.payload, variant));
  const written = producers.map(({ name, load, index }, i) =>
    producerLoad(spec, name, load, index, payloads[i]?.name ?? ''),
  );
  const read = Object.entries(spec.consumers)
    .filter(([, load]) => consumerRuns(load))
    .flatMap(([name, load]) => consumerLoads(spec, name, load));
  const fills = fillsOf(spec, new Set([...written, ...read].map((load) => load.topic)));
  return {
    loads: [...written, ...read],
    fills: Object.fromEntries(fills.map(({ topic, fill }) => [topic, fill])),
    payloads: [...payloads, ...fills.map(({ payload }) => payload)],
  };
}

function fillsOf(
  spec: Spec,
  used: ReadonlySet<string>,
): readonly { topic: string; fill: FillPlan; payload: PayloadPlan }[] {
  return Object.entries(spec.topics).flatMap(([topic, { fill }]) => {
    if (fill === undefined || !used.has(topic)) return [];
    const payload = payloadPlan(fill.payload);
    const { records, each, cache } = fill;
    return [{ topic, fill: { records, payload: payload.name, each, cache }, payload }];
  });
}

function hostOf(spec: Spec, on: readonly string[] | undefined, index: number): string {
  const hosts = on ?? clientNames(spec);
  return hosts[index % hosts.length] ?? 'c1';
}

function producerLoad(
  spec: Spec,
  name: string,
  load: ProducerSpec,
  index: number,
  payload: string,
): ProducerLoad {
  const rate = perSecond(spec, load);
  return {
    name: load.processes === 1 ? name : `${name}-${index + 1}`,
    kind: 'producer',
    topic: load.topic,
    on: hostOf(spec, load.on, index),
    heapBytes: spec.lab.clients.heap,
    count: countOf(spec, load, index),
    recordsPerS: rate === null ? null : rate / load.processes,
    payload,
    transactionMs: load.transactional ?? null,
    config: load.config,
  };
}

/** Records per second over all processes; null = as fast as it can. */
function perSecond(spec: Spec, load: ProducerSpec): number | null {
  if (load.rate.kind === 'max') return null;
  return load.rate.kind === 'records'
    ? load.rate.recordsPerS
    : load.rate.bytesPerS / Math.max(1, recordBytesOf(spec.payload) ?? 1);
}

/** A time at a fixed rate is a count already; only an unlimited one waits for block 0. */
function countOf(spec: Spec, load: ProducerSpec, index: number): CountPlan {
  const recordsPerS = perSecond(spec, load);
  if (load.for !== undefined && recordsPerS === null) return { kind: 'duration', durationMs: load.for };
  const total =
    load.records ??
    (load.for !== undefined
      ? Math.ceil(((recordsPerS ?? 0) * load.for) / 1000)
      : Math.ceil((load.bytes ?? 0) / Math.max(1, recordBytesOf(spec.payload) ?? 1)));
  return { kind: 'records', records: shareOf(total, load.processes, index) };
}

/** What does not divide evenly goes to the first processes, one record each. */
function shareOf(total: number, processes: number, index: number): number {
  return Math.max(1, Math.floor(total / processes) + (index < total % processes ? 1 : 0));
}

/** Each group reads everything; the members of one share it. */
function consumerLoads(spec: Spec, name: string, load: ConsumerSpec): readonly ConsumerLoad[] {
  const { groups, processes } = load;
  return Array.from({ length: groups * processes }, (_, index): ConsumerLoad => {
    const group = groups === 1 ? name : `${name}-g${Math.floor(index / processes) + 1}`;
    return {
      name: groups * processes === 1 ? name : `${name}-${index + 1}`,
      kind: 'consumer',
      topic: load.topic,
      on: hostOf(spec, load.on, index),
      heapBytes: spec.lab.clients.heap,
      count: consumerCount(spec, load),
      group,
      members: processes,
      from: load.from,
      idleMs: load.idle,
      config: load.config,
    };
  });
}

function consumerCount(spec: Spec, load: ConsumerSpec): ConsumerLoad['count'] {
  const share = load.processes === 1 ? 1 : SHARE_OF_MEMBER / load.processes;
  if (load.for !== undefined) return { kind: 'duration', durationMs: load.for };
  const bytes = recordBytesOf(spec.topics[load.topic]?.fill?.payload ?? spec.payload) ?? 1;
  const total =
    load.records ?? (load.bytes === undefined ? null : Math.ceil(load.bytes / Math.max(1, bytes)));
  if (total === null) return { kind: 'topic', share };
  return { kind: 'records', records: Math.max(1, Math.floor(total * share)) };
}
