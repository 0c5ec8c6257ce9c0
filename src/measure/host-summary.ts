import type { Samples } from './sample.ts';
import type { SampleInterval } from './sample-intervals.ts';
import { sampleIntervals } from './sample-intervals.ts';
import { partsOf, rate, type SamplePart } from './sample-parts.ts';
import type { HostSummary } from './trial-record.ts';

/** Samples must cover this share of the window. */
export const MIN_COVERAGE = 0.95;

export interface WallWindow {
  /** Wall clock, ms since the epoch. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** Which of the sampler's processes are brokers and which are clients of the trial. */
export interface Roles {
  readonly brokers: readonly string[];
  readonly clients: readonly string[];
}

/**
 * What a machine did inside a window. Each figure is a sum over the intervals in which it is known ÷ the time of
 * those intervals; null = never known there.
 * CPU outside the lab is what user, nice and system time hold beyond the lab's processes; interrupts are left out,
 * since the lab's own network and disk cause them.
 */
export function hostSummary(samples: Samples, window: WallWindow, roles: Roles): HostSummary {
  const { intervals, gapsAtMs } = sampleIntervals(samples);
  const parts = partsOf(intervals, window);
  const hz = samples.header?.hz ?? null;
  const lengthMs = Math.max(0, window.toMs - window.fromMs);
  const coveredMs = parts.reduce((sum, part) => sum + part.interval.elapsedMs * part.share, 0);
  const cores = (pick: (interval: SampleInterval) => number | null): number | null => {
    const perMs = rate(parts, pick);
    return perMs === null || hz === null ? null : (perMs * 1000) / hz;
  };
  const coresOf = (names: readonly string[]): Record<string, number | null> =>
    Object.fromEntries(names.map((name) => [name, cores((interval) => interval.processTicks[name] ?? null)]));
  const perS = (pick: (interval: SampleInterval) => number | null): number | null =>
    scaled(rate(parts, pick), 1000);
  return {
    coverage: lengthMs === 0 ? 0 : Math.min(1, coveredMs / lengthMs),
    samples: parts.length,
    busyCores: cores((interval) =>
      interval.cpu === null ? null : interval.cpu.busy + interval.cpu.interrupts,
    ),
    stealShare: tickShare(parts, (cpu) => cpu.steal),
    outsideLabShare: outsideShare(parts, roles),
    brokerCores: coresOf(roles.brokers),
    clientCores: coresOf(roles.clients),
    deviceWriteBytesPerS: perS((interval) => interval.writeBytes),
    deviceReadBytesPerS: perS((interval) => interval.readBytes),
    deviceBusyShare: atMostOne(rate(parts, (interval) => interval.deviceBusyMs)),
    network: {
      receivedBytesPerS: perS((interval) => allInterfaces(interval, 'rxBytes')),
      sentBytesPerS: perS((interval) => allInterfaces(interval, 'txBytes')),
    },
    dirtyBytesMax: parts.reduce<number | null>((max, { interval }) => {
      if (interval.dirtyBytes === null) return max;
      return Math.max(max ?? 0, interval.dirtyBytes);
    }, null),
    psi: {
      cpuSomeShare: atMostOne(
        scaled(
          rate(parts, (interval) => interval.psiCpuUs),
          1 / 1000,
        ),
      ),
      ioSomeShare: atMostOne(
        scaled(
          rate(parts, (interval) => interval.psiIoUs),
          1 / 1000,
        ),
      ),
    },
    clockSteps: parts.filter(({ interval }) => interval.clockStep).length,
    gaps: gapsAtMs.filter((at) => at >= window.fromMs && at <= window.toMs).length,
  };
}

/** Share of the window's time in which the control group was throttled (over all its cpus, so it may pass 1); null = unknown. */
export function throttledShare(samples: Samples, window: WallWindow): number | null {
  const parts = partsOf(sampleIntervals(samples).intervals, window);
  return scaled(
    rate(parts, (interval) => interval.throttledUs),
    1 / 1000,
  );
}

function tickShare(
  parts: readonly SamplePart[],
  pick: (cpu: NonNullable<SampleInterval['cpu']>) => number | null,
): number | null {
  let ticks = 0;
  let all = 0;
  for (const { interval, share } of parts) {
    const value = interval.cpu === null ? null : pick(interval.cpu);
    if (interval.cpu === null || value === null) continue;
    ticks += value * share;
    all += interval.cpu.all * share;
  }
  return all > 0 ? ticks / all : null;
}

/** Unknown for an interval in which any process of the lab could not be read: its work would look like a stranger's. */
function outsideShare(parts: readonly SamplePart[], roles: Roles): number | null {
  const names = [...roles.brokers, ...roles.clients];
  let outside = 0;
  let all = 0;
  for (const { interval, share } of parts) {
    const lab = names.map((name) => interval.processTicks[name] ?? null);
    if (interval.cpu === null || lab.some((ticks) => ticks === null)) continue;
    // Signed: ticks of a process and of the machine are counted at different moments, and the errors cancel in the sum.
    outside += (interval.cpu.busy - lab.reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0)) * share;
    all += interval.cpu.all * share;
  }
  return all > 0 ? Math.max(0, outside / all) : null;
}

/** Bytes over all interfaces of an interval; unknown without any, or when one could not be read. */
function allInterfaces({ net }: SampleInterval, way: 'rxBytes' | 'txBytes'): number | null {
  const rises = Object.values(net).map((one) => one[way]);
  if (rises.length === 0 || rises.includes(null)) return null;
  return rises.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

function scaled(value: number | null, factor: number): number | null {
  return value === null ? null : value * factor;
}

function atMostOne(value: number | null): number | null {
  return value === null ? null : Math.min(1, value);
}
