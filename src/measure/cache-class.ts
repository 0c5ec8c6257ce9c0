import type { CacheClass, HostSummary, SteadyRate } from './trial-record.ts';

/** Up to this share of what is consumed comes from the disk: hot. From the other on: cold. */
export const HOT_SHARE = 0.1;
export const COLD_SHARE = 0.8;

export interface CacheReading {
  /** Disk bytes read ÷ bytes consumed, both inside the window and of the whole machine; null = unknown. */
  readonly diskReadShare: number | null;
  readonly cache: CacheClass | null;
}

export const UNKNOWN_CACHE: CacheReading = { diskReadShare: null, cache: null };

/** A consumer as far as its cache needs it. */
export interface Consumed {
  /** Its fetch-time rate, taken as uniform. */
  readonly rate: SteadyRate;
  /** Bytes of a record as it lies on disk, compressed; null = as large as the tool counts it. */
  readonly diskBytesPerRecord: number | null;
}

/**
 * Where the consumers of a trial found their records (design §7). The disk is the machine's: what anything else read
 * there counts too, so a class is of the trial and not of one consumer.
 */
export function cacheReading(
  host: HostSummary | null,
  window: { readonly fromMs: number; readonly toMs: number },
  consumers: readonly Consumed[],
): CacheReading {
  const lengthMs = window.toMs - window.fromMs;
  if (host === null || host.deviceReadBytesPerS === null || lengthMs <= 0) return UNKNOWN_CACHE;
  const consumedBytesPerS = consumers.reduce((sum, { rate, diskBytesPerRecord }) => {
    const insideMs = Math.min(window.toMs, rate.toMs) - Math.max(window.fromMs, rate.fromMs);
    const bytesPerS = diskBytesPerRecord === null ? rate.bytesPerS : rate.recordsPerS * diskBytesPerRecord;
    return sum + bytesPerS * Math.max(0, insideMs / lengthMs);
  }, 0);
  if (consumedBytesPerS <= 0) return UNKNOWN_CACHE;
  const diskReadShare = host.deviceReadBytesPerS / consumedBytesPerS;
  return { diskReadShare, cache: cacheClass(diskReadShare) };
}

export function cacheClass(diskReadShare: number): CacheClass {
  if (diskReadShare <= HOT_SHARE) return 'hot';
  return diskReadShare >= COLD_SHARE ? 'cold' : 'partial';
}
