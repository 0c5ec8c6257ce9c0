import type { Spec } from '../spec/schema.ts';
import type { Estimates, LoadPlan, PayloadPlan, Range, Scenario } from './plan.ts';
import { precision } from './precision.ts';

const MIB = 1024 ** 2;

/**
 * What one unlimited producer process is assumed to send, payload bytes per second: nothing is known before
 * block 0. The high end bounds disk and time; 4 MiB/s is a small batch on two busy cores.
 */
export const ASSUMED_PRODUCER_RATE = { lowBytesPerS: 4 * MIB, highBytesPerS: 150 * MIB } as const;

/** Length, offset, timestamp and key fields of a record in a batch, and its share of the batch header. */
const RECORD_OVERHEAD_BYTES = 16;
/** What a codec leaves at best; JSON logs with padding reach it. */
const BEST_COMPRESSION = 0.05;
/** Bringing the lab up and taking it down; the machine decides within the range. */
const LAB_MS: Range = { low: 15_000, high: 90_000 };
/** Prepare, verify, collect and release of one trial, without settle, load and drain. */
const TRIAL_OVERHEAD_MS: Range = { low: 2_000, high: 10_000 };
/** What `sync` takes beyond the quiet time. */
const SYNC_MS = 15_000;
/** The standard deviations of log ratios shown: a quiet machine, a usual one, a busy one. */
const SHOWN_SDS = [0.05, 0.1, 0.17];

/** Records a load may send: exact for a count, a range for a time. */
function recordsOf(load: LoadPlan, payload: PayloadPlan): Range {
  if (load.count.kind === 'records') return { low: load.count.records, high: load.count.records };
  const seconds = load.count.durationMs / 1000;
  const perS = (bytes: number) => Math.ceil((bytes * seconds) / payload.recordBytes);
  return { low: perS(ASSUMED_PRODUCER_RATE.lowBytesPerS), high: perS(ASSUMED_PRODUCER_RATE.highBytesPerS) };
}

function durationOf(load: LoadPlan, payload: PayloadPlan): Range {
  // What block 0 counts for a time takes about that time, a little more on a slower day.
  if (load.count.kind === 'duration')
    return { low: load.count.durationMs, high: load.count.durationMs * 1.25 };
  const ms = (bytesPerS: number) =>
    load.count.kind === 'records' ? (load.count.records * payload.recordBytes * 1000) / bytesPerS : 0;
  const asked = load.recordsPerS === null ? null : load.recordsPerS * payload.recordBytes;
  if (asked !== null)
    return { low: ms(asked), high: Math.max(ms(asked), ms(ASSUMED_PRODUCER_RATE.lowBytesPerS)) };
  return { low: ms(ASSUMED_PRODUCER_RATE.highBytesPerS), high: ms(ASSUMED_PRODUCER_RATE.lowBytesPerS) };
}

/** Bytes on all disks of the lab that one trial of a scenario writes, all copies. */
function writtenOf(scenario: Scenario, payloads: ReadonlyMap<string, PayloadPlan>): Range {
  const parts = scenario.loads.map((load): Range => {
    const payload = payloads.get(load.payload);
    const topic = scenario.topics.find((t) => t.name === load.topic);
    if (!payload || !topic) return { low: 0, high: 0 };
    const records = recordsOf(load, payload);
    const compressed =
      !['none', undefined].includes(load.config['compression.type']) ||
      (topic.config['compression.type'] ?? 'producer') !== 'producer';
    const bytes = (n: number) => n * (payload.recordBytes + RECORD_OVERHEAD_BYTES) * topic.replication;
    return {
      low: Math.floor(bytes(records.low) * (compressed ? BEST_COMPRESSION : 1)),
      high: bytes(records.high),
    };
  });
  return { low: total(parts.map((p) => p.low)), high: total(parts.map((p) => p.high)) };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, v) => sum + v, 0);
}

/** Inputs of the estimates: what has been drawn so far. */
export interface EstimateInput {
  readonly spec: Spec;
  readonly scenarios: readonly Scenario[];
  readonly payloads: readonly PayloadPlan[];
  readonly blocks: number;
  readonly maxPasses: number;
  readonly contrasts: number;
}

/**
 * Ranges for trials, time and bytes of the whole experiment, new attempts not counted. Low: block 0 agrees
 * after two passes and nothing waits; high: all passes, every wait at its usual limit.
 */
export function estimatesOf(input: EstimateInput): Estimates {
  const { spec, scenarios, blocks, maxPasses } = input;
  const payloads = new Map(input.payloads.map((p) => [p.name, p]));
  const passes: Range = { low: blocks + Math.min(2, maxPasses), high: blocks + maxPasses };
  const written = scenarios.map((s) => writtenOf(s, payloads));
  const limit = spec.design.budget.written ?? null;
  const bounded = (bytes: number) => (limit === null ? bytes : Math.min(bytes, limit));
  const perPass = scenarios.map((s) => trialDuration(spec, s, payloads));
  const precisions = SHOWN_SDS.flatMap((sd) => precision(blocks, input.contrasts, sd) ?? []);
  return {
    trials: scenarios.length * blocks,
    durationMs: {
      low: Math.round(LAB_MS.low + passes.low * total(perPass.map((d) => d.low))),
      high: Math.round(LAB_MS.high + passes.high * total(perPass.map((d) => d.high))),
    },
    writtenBytes: {
      low: bounded(passes.low * total(written.map((w) => w.low))),
      high: bounded(passes.high * total(written.map((w) => w.high))),
    },
    writtenBytesLimit: limit,
    // A topic is deleted before the next trial; under a limit one trial's share is at most what every block can have.
    peakDiskBytes: Math.min(
      Math.max(0, ...written.map((w) => w.high)),
      limit === null ? Number.POSITIVE_INFINITY : Math.ceil(limit / blocks),
    ),
    precision: precisions,
  };
}

function trialDuration(spec: Spec, scenario: Scenario, payloads: ReadonlyMap<string, PayloadPlan>): Range {
  const loads = scenario.loads.flatMap((load) => {
    const payload = payloads.get(load.payload);
    return payload ? [durationOf(load, payload)] : [];
  });
  const { quiet, limit, method, drain } = spec.settle;
  const settled = method === 'sync' ? Math.min(limit, quiet + SYNC_MS) : limit;
  return {
    low: TRIAL_OVERHEAD_MS.low + quiet + Math.max(0, ...loads.map((l) => l.low)),
    high: TRIAL_OVERHEAD_MS.high + settled + drain + Math.max(0, ...loads.map((l) => l.high)),
  };
}

/** Bytes that exact counts write for certain, in the fewest passes; a limit below that can never be kept. */
export function certainlyWrittenBytes(input: EstimateInput): number {
  const payloads = new Map(input.payloads.map((p) => [p.name, p]));
  const exact = input.scenarios.map((s) => ({
    ...s,
    loads: s.loads.filter((l) => l.count.kind === 'records'),
  }));
  return input.blocks * total(exact.map((s) => writtenOf(s, payloads).low));
}
