import type { MeasuredProducer } from '../../src/measure/trial-rate.ts';
import { readProducer } from './helpers.ts';

/** Writes what kafka-producer-perf-test would print for given intervals, stamped or not. */
export interface PrintedLoad {
  readonly intervals: readonly { readonly records: number; readonly ms: number }[];
  /** Records and time after the last printed interval. */
  readonly rest: { readonly records: number; readonly ms: number };
  readonly recordBytes: number;
  /** First send, wall clock ms; stamps follow from it. */
  readonly startedAtMs: number;
}

export function printLoad(load: PrintedLoad): string {
  let atMs = 0;
  let records = 0;
  const stamp = (): string =>
    `${((load.startedAtMs + atMs) / 1000).toFixed(6)} ${(1000 + atMs / 1000).toFixed(2)}`;
  const mib = (perS: number): string => ((perS * load.recordBytes) / 1024 / 1024).toFixed(2);
  const lines = load.intervals.map((line) => {
    atMs += line.ms;
    records += line.records;
    const perS = (line.records / line.ms) * 1000;
    return `${stamp()} ${line.records} records sent, ${perS.toFixed(1)} records/sec (${mib(perS)} MB/sec), 10.0 ms avg latency, 50.0 ms max latency.`;
  });
  atMs += load.rest.ms;
  records += load.rest.records;
  const perS = (records / atMs) * 1000;
  lines.push(
    `${stamp()} ${records} records sent, ${perS.toFixed(6)} records/sec (${mib(perS)} MB/sec), 10.00 ms avg latency, 50.00 ms max latency, 9 ms 50th, 20 ms 95th, 40 ms 99th, 50 ms 99.9th.`,
  );
  return `${lines.join('\n')}\n`;
}

/** `seconds` intervals of one second at one rate. */
export function steadyLoad(seconds: number, perS: number, startedAtMs = 1_796_038_829_000): PrintedLoad {
  return {
    intervals: Array.from({ length: seconds }, () => ({ records: perS, ms: 1000 })),
    rest: { records: Math.round(perS / 2), ms: 500 },
    recordBytes: 1008,
    startedAtMs,
  };
}

/** A producer that printed this load, as fast as it could, with the default buffer. */
export function measuredProducer(load: PrintedLoad, name = 'p'): MeasuredProducer {
  return {
    kind: 'producer',
    name,
    output: readProducer(printLoad(load), true),
    intervalMs: 1000,
    recordBytes: load.recordBytes,
    bufferBytes: 33_554_432,
    askedRecordsPerS: null,
    endedAtMs: null,
  };
}
