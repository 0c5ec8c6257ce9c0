import { clientNames } from '../spec/check-scenario.ts';
import type { ProducerSpec, Spec } from '../spec/schema.ts';
import type { CountPlan, LoadPlan, PayloadPlan } from './plan.ts';

/** The loads of one scenario and the files of records that they read. */
export interface ScenarioLoads {
  readonly loads: readonly LoadPlan[];
  readonly payloads: readonly PayloadPlan[];
}

/**
 * One load for each process of each enabled producer: records and rate are totals over the processes,
 * which take the hosts in turn. Side-by-side loads get differently ordered files, because the perf tool
 * draws lines in one fixed sequence for every producer.
 */
export function loadsOf(spec: Spec): ScenarioLoads {
  const enabled = Object.entries(spec.producers).filter(([, load]) => load.enabled);
  const processes = enabled.flatMap(([name, load]) =>
    Array.from({ length: load.processes }, (_, index) => ({ name, load, index })),
  );
  const payloads = processes.map((_, variant) => payloadOf(spec, variant));
  const loads = processes.map(({ name, load, index }, i): LoadPlan => {
    const hosts = load.on ?? clientNames(spec);
    return {
      name: load.processes === 1 ? name : `${name}-${index + 1}`,
      kind: 'producer',
      topic: load.topic,
      on: hosts[index % hosts.length] ?? 'c1',
      count: countOf(spec, load, index),
      recordsPerS: perSecond(spec, load) === null ? null : (perSecond(spec, load) ?? 0) / load.processes,
      payload: payloads[i]?.name ?? '',
      config: load.config,
    };
  });
  return { loads, payloads };
}

/** Records per second over all processes; null = as fast as it can. */
function perSecond(spec: Spec, load: ProducerSpec): number | null {
  if (load.rate.kind === 'max') return null;
  return load.rate.kind === 'records' ? load.rate.recordsPerS : load.rate.bytesPerS / spec.payload.json.size;
}

/** A time at a fixed rate is a count already; only an unlimited one waits for block 0. */
function countOf(spec: Spec, load: ProducerSpec, index: number): CountPlan {
  const recordsPerS = perSecond(spec, load);
  if (load.for !== undefined && recordsPerS === null) return { kind: 'duration', durationMs: load.for };
  const total =
    load.records ??
    (load.for !== undefined
      ? Math.ceil(((recordsPerS ?? 0) * load.for) / 1000)
      : Math.ceil((load.bytes ?? 0) / spec.payload.json.size));
  // What does not divide evenly goes to the first processes, one record each.
  const share = Math.floor(total / load.processes) + (index < total % load.processes ? 1 : 0);
  return { kind: 'records', records: Math.max(1, share) };
}

function payloadOf(spec: Spec, variant: number): PayloadPlan {
  const { lines, size, padding, seed } = spec.payload.json;
  const name = `json-${size}B-${lines}l-p${Math.round(padding * 10_000)}-s${seed}${variant === 0 ? '' : `-v${variant}`}`;
  return {
    name,
    kind: 'json',
    lines,
    recordBytes: size,
    padding,
    seed,
    ...(variant === 0 ? {} : { variant }),
  };
}
