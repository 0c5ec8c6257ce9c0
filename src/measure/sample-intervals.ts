import type { Sample, Samples } from './sample.ts';
import { CLOCK_STEP_MS } from './stamped.ts';
import { SECTOR_BYTES } from './sys.ts';

/** Two samples further apart than this have a gap between them, not an interval (they come once a second). */
export const GAP_MS = 2_500;

/** What happened between two neighbouring samples. Counts of the interval, not rates; null = unknown or reset. */
export interface SampleInterval {
  /** Wall clock of the interval's ends, ms since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Δwall when it agrees with Δuptime within 30 ms, else Δuptime. */
  readonly elapsedMs: number;
  readonly clockStep: boolean;
  /** Ticks of all cpus: busy (user, nice, system), interrupts, steal and everything. */
  readonly cpu: {
    readonly busy: number;
    readonly interrupts: number;
    readonly steal: number;
    readonly all: number;
  } | null;
  readonly writeBytes: number | null;
  readonly readBytes: number | null;
  /** Operations that the device ended, merged ones once. */
  readonly writeOps: number | null;
  readonly readOps: number | null;
  readonly deviceBusyMs: number | null;
  readonly flushes: number | null;
  readonly psiCpuUs: number | null;
  readonly psiIoUs: number | null;
  readonly throttledUs: number | null;
  /** Process → ticks; null when it could not be read at both ends or is another process now. */
  readonly processTicks: Readonly<Record<string, number | null>>;
  readonly net: Readonly<
    Record<string, { readonly rxBytes: number | null; readonly txBytes: number | null }>
  >;
  /** At the interval's end. */
  readonly dirtyBytes: number | null;
}

export interface SampleIntervals {
  readonly intervals: readonly SampleInterval[];
  /** Wall-clock times at which readings are missing: late samples, another boot, a counter that fell. */
  readonly gapsAtMs: readonly number[];
}

/** Middle of a reading: the counters were read somewhere between its start and its end. */
function middle(pair: readonly [number, number]): number {
  return (pair[0] + pair[1]) / 2;
}

/** Dirty + Writeback; null when neither is known. */
export function waitingBytes(sample: Sample): number | null {
  if (sample.dirtyBytes === null) return null;
  return sample.dirtyBytes + (sample.writebackBytes ?? 0);
}

/** The interval between two samples; null when there is a gap between them. */
export function intervalBetween(before: Sample, after: Sample): SampleInterval | null {
  const wall = middle(after.wallMs) - middle(before.wallMs);
  const uptime = middle(after.uptimeMs) - middle(before.uptimeMs);
  const clockStep = Math.abs(wall - uptime) > CLOCK_STEP_MS;
  const elapsedMs = clockStep ? uptime : wall;
  if (elapsedMs <= 0 || elapsedMs > GAP_MS) return null;
  const toMs = middle(after.wallMs);
  const disk = diskBetween(before, after);
  return {
    fromMs: toMs - elapsedMs,
    toMs,
    elapsedMs,
    clockStep,
    cpu: cpuBetween(before, after),
    ...disk,
    psiCpuUs: rise(before.psi?.cpuUs, after.psi?.cpuUs),
    psiIoUs: rise(before.psi?.ioUs, after.psi?.ioUs),
    throttledUs: rise(before.throttledUs, after.throttledUs),
    processTicks: processesBetween(before, after),
    net: netBetween(before, after),
    dirtyBytes: waitingBytes(after),
  };
}

/** All intervals of a sampler's output, with the gaps between them. */
export function sampleIntervals(samples: Samples): SampleIntervals {
  const intervals: SampleInterval[] = [];
  const gapsAtMs: number[] = [];
  const breaks = new Set(samples.breaks);
  for (let at = 1; at < samples.samples.length; at += 1) {
    const before = samples.samples[at - 1];
    const after = samples.samples[at];
    if (before === undefined || after === undefined) continue;
    const interval = breaks.has(at) ? null : intervalBetween(before, after);
    if (interval === null) gapsAtMs.push(middle(after.wallMs));
    else {
      intervals.push(interval);
      if (hasReset(before, after, interval)) gapsAtMs.push(interval.toMs);
    }
  }
  return { intervals, gapsAtMs };
}

/** A counter that fell was reset (another boot, a device put anew): the rise is unknown, never a wrap. */
function rise(before: number | null | undefined, after: number | null | undefined): number | null {
  if (before == null || after == null || after < before) return null;
  return after - before;
}

function hasReset(before: Sample, after: Sample, interval: SampleInterval): boolean {
  const disk = before.disk !== null && after.disk !== null && interval.writeBytes === null;
  const cpu = before.cpu !== null && after.cpu !== null && interval.cpu === null;
  return disk || cpu;
}

function cpuBetween(before: Sample, after: Sample): SampleInterval['cpu'] {
  if (before.cpu === null || after.cpu === null) return null;
  const [user, nice, system, idle, iowait, irq, softirq, steal] = after.cpu.map(
    (value, at) => value - (before.cpu?.[at] ?? 0),
  );
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return null;
  if (iowait === undefined || irq === undefined || softirq === undefined || steal === undefined) return null;
  // iowait may fall by a little on its own (proc(5)); the others only rise.
  if (Math.min(user, nice, system, irq, softirq, steal) < 0 || idle < -1) return null;
  const busy = user + nice + system;
  const all = busy + Math.max(0, idle) + Math.max(0, iowait) + irq + softirq + steal;
  return all <= 0 ? null : { busy, interrupts: irq + softirq, steal, all };
}

function diskBetween(
  before: Sample,
  after: Sample,
): Pick<SampleInterval, 'writeBytes' | 'readBytes' | 'writeOps' | 'readOps' | 'deviceBusyMs' | 'flushes'> {
  const old = before.disk;
  const now = after.disk;
  const unknown = {
    writeBytes: null,
    readBytes: null,
    writeOps: null,
    readOps: null,
    deviceBusyMs: null,
    flushes: null,
  };
  if (old === null || now === null) return unknown;
  const written = rise(old.writeSectors, now.writeSectors);
  const read = rise(old.readSectors, now.readSectors);
  const busy = rise(old.busyMs, now.busyMs);
  const [writeOps, readOps] = [rise(old.writes, now.writes), rise(old.reads, now.reads)];
  // They fall together: one that fell makes the others unknown too.
  if (written === null || read === null || busy === null || writeOps === null || readOps === null)
    return unknown;
  return {
    writeBytes: written * SECTOR_BYTES,
    readBytes: read * SECTOR_BYTES,
    writeOps,
    readOps,
    deviceBusyMs: busy,
    flushes: rise(old.flushes, now.flushes),
  };
}

function processesBetween(before: Sample, after: Sample): SampleInterval['processTicks'] {
  const rows = Object.entries(after.processes).map(([name, now]) => {
    const old = before.processes[name] ?? null;
    if (now === null || old === null || now.start !== old.start) return [name, null] as const;
    return [name, rise(old.userTicks + old.systemTicks, now.userTicks + now.systemTicks)] as const;
  });
  return Object.fromEntries(rows);
}

function netBetween(before: Sample, after: Sample): SampleInterval['net'] {
  const rows = Object.entries(after.net).map(([name, now]) => {
    const old = before.net[name];
    return [
      name,
      { rxBytes: rise(old?.rxBytes, now.rxBytes), txBytes: rise(old?.txBytes, now.txBytes) },
    ] as const;
  });
  return Object.fromEntries(rows);
}
