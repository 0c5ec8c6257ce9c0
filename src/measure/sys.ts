/** Counters of a block device (`/sys/block/DEV/stat`). Fields that the kernel does not have are null, never 0. */
export interface BlockCounters {
  readonly reads: number;
  readonly readSectors: number;
  readonly writes: number;
  /** Of 512 bytes, whatever the device. */
  readonly writeSectors: number;
  /** ms in which the device had requests in flight. */
  readonly busyMs: number;
  /** From Linux 4.18 on. */
  readonly discards: number | null;
  /** From Linux 5.5 on. */
  readonly flushes: number | null;
}

/** Bytes of a sector in the kernel's counters. */
export const SECTOR_BYTES = 512;

function whole(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,20}$/.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Reads 11, 15 or 17 columns of a block device's `stat`; null for anything else. */
export function blockStat(text: string): BlockCounters | null {
  return blockColumns(text.trim().split(/\s+/));
}

function blockColumns(columns: readonly string[]): BlockCounters | null {
  if (columns.length !== 11 && columns.length !== 15 && columns.length < 17) return null;
  const values = columns.map(whole);
  if (values.some((value) => value === null)) return null;
  const at = (index: number): number => values[index] ?? 0;
  return {
    reads: at(0),
    readSectors: at(2),
    writes: at(4),
    writeSectors: at(6),
    busyMs: at(9),
    discards: columns.length >= 15 ? at(11) : null,
    flushes: columns.length >= 17 ? at(15) : null,
  };
}

/**
 * The row of one device in `/proc/diskstats` (14, 18 or 20 fields); null when it is absent or a 7-field partition
 * row of old kernels. Never sum rows: partitions and dm devices count the same requests again.
 */
export function diskstatsRow(text: string, device: string): BlockCounters | null {
  for (const line of text.split('\n')) {
    const fields = line.trim().split(/\s+/);
    if (fields[2] === device) {
      const counters = blockColumns(fields.slice(3));
      if (counters !== null) return counters;
    }
  }
  return null;
}

/** `cpu.stat` of a control group; values that the file does not have are null = unknown. */
export interface CgroupCpu {
  readonly version: 1 | 2;
  readonly usageMs: number | null;
  readonly periods: number | null;
  readonly throttledPeriods: number | null;
  /** Summed over cpus: it can exceed wall time. */
  readonly throttledMs: number | null;
}

/** Reads `cpu.stat`: version 2 counts microseconds, version 1 nanoseconds (and has no usage). null when it is neither. */
export function cgroupCpuStat(text: string): CgroupCpu | null {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [key = '', value, more] = line.trim().split(/\s+/);
    const number = whole(value);
    if (number !== null && more === undefined) values.set(key, number);
  }
  const get = (key: string, perMs: number): number | null => {
    const value = values.get(key);
    return value === undefined ? null : value / perMs;
  };
  const periods = get('nr_periods', 1);
  const throttledPeriods = get('nr_throttled', 1);
  if (values.has('throttled_time')) {
    return { version: 1, usageMs: null, periods, throttledPeriods, throttledMs: get('throttled_time', 1e6) };
  }
  if (!values.has('usage_usec')) return null;
  return {
    version: 2,
    usageMs: get('usage_usec', 1e3),
    periods,
    throttledPeriods,
    throttledMs: get('throttled_usec', 1e3),
  };
}

/** Bytes that wait to be written, from `/proc/meminfo` (of the whole machine, also in a pod). */
export interface DirtyMemory {
  readonly dirtyBytes: number | null;
  readonly writebackBytes: number | null;
}

/** Reads Dirty and Writeback by their whole names: WritebackTmp is another counter. */
export function meminfo(text: string): DirtyMemory {
  const bytes = (name: string): number | null => {
    const value = whole(new RegExp(`^${name}:\\s+(\\d+) kB\\s*$`, 'm').exec(text)?.[1]);
    return value === null ? null : value * 1024;
  };
  return { dirtyBytes: bytes('Dirty'), writebackBytes: bytes('Writeback') };
}

/** Pressure stall totals in microseconds; `full` is absent for cpu on older kernels. */
export function pressure(text: string): { readonly someUs: number | null; readonly fullUs: number | null } {
  const total = (kind: string): number | null =>
    whole(
      new RegExp(`^${kind} avg10=[\\d.]+ avg60=[\\d.]+ avg300=[\\d.]+ total=(\\d+)\\s*$`, 'm').exec(
        text,
      )?.[1],
    );
  return { someUs: total('some'), fullUs: total('full') };
}

/** Received and sent bytes by interface from `/proc/net/dev`; the caller leaves `lo` out. */
export function netDev(text: string): Record<string, { readonly rxBytes: number; readonly txBytes: number }> {
  const rows: [string, { rxBytes: number; txBytes: number }][] = [];
  for (const line of text.split('\n')) {
    const found = /^\s*([^\s:|]+):\s*(.*)$/.exec(line);
    const fields = (found?.[2] ?? '').trim().split(/\s+/);
    const rxBytes = whole(fields[0]);
    const txBytes = whole(fields[8]);
    if (found?.[1] !== undefined && rxBytes !== null && txBytes !== null)
      rows.push([found[1], { rxBytes, txBytes }]);
  }
  return Object.fromEntries(rows);
}
