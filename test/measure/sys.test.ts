import { describe, expect, it } from 'vitest';
import { blockStat, cgroupCpuStat, diskstatsRow, meminfo, netDev, pressure } from '../../src/measure/sys.ts';

describe('block devices', () => {
  it('11 columns: discards and flushes are absent, not 0', () => {
    expect(blockStat('  100 0 800 50 200 0 1600 70 0 90 120\n')).toEqual({
      reads: 100,
      readSectors: 800,
      writes: 200,
      writeSectors: 1600,
      busyMs: 90,
      discards: null,
      flushes: null,
    });
  });
  it('15 and 17 columns', () => {
    expect(blockStat('100 0 800 50 200 0 1600 70 0 90 120 3 0 24 1')).toMatchObject({
      discards: 3,
      flushes: null,
    });
    expect(blockStat('100 0 800 50 200 0 1600 70 0 90 120 3 0 24 1 8 9')).toMatchObject({
      discards: 3,
      flushes: 8,
    });
    expect(blockStat('0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0')).toMatchObject({ writes: 0, flushes: 0 });
  });
  it('anything else is refused', () => {
    for (const text of ['', '1 2 3', '1 2 3 4 5 6 7 8 9 x 11', '1 2 3 4 5 6 7 8 9 10 11 12'])
      expect(blockStat(text)).toBeNull();
  });
  it('diskstats: the row of exactly that device; short partition rows are skipped', () => {
    const text =
      '   8 0 sda 100 0 800 50 200 0 1600 70 0 90 120\n   8 1 sda1 10 20 30 40\n 259 0 nvme0n1p1 1 0 8 5 2 0 16 7 0 9 12 3 0 24 1 8 9\n';
    expect(diskstatsRow(text, 'sda')?.writes).toBe(200);
    expect(diskstatsRow(text, 'sda1')).toBeNull();
    expect(diskstatsRow(text, 'nvme0n1')).toBeNull();
    expect(diskstatsRow(text, 'nvme0n1p1')?.flushes).toBe(8);
  });
});

describe('cpu.stat', () => {
  it('version 2 counts microseconds, version 1 nanoseconds', () => {
    expect(
      cgroupCpuStat(
        'usage_usec 5000\nuser_usec 1\nsystem_usec 2\nnr_periods 10\nnr_throttled 4\nthrottled_usec 7000\nnr_bursts 0\n',
      ),
    ).toEqual({
      version: 2,
      usageMs: 5,
      periods: 10,
      throttledPeriods: 4,
      throttledMs: 7,
    });
    expect(cgroupCpuStat('nr_periods 10\nnr_throttled 4\nthrottled_time 7000000\n')).toEqual({
      version: 1,
      usageMs: null,
      periods: 10,
      throttledPeriods: 4,
      throttledMs: 7,
    });
  });
  it('without the controller throttling is unknown, not 0; strange keys do not matter', () => {
    expect(
      cgroupCpuStat(
        'usage_usec 5000\nuser_usec 1\nsystem_usec 2\nnice_usec 4\ncore_sched.force_idle_usec 0\n',
      ),
    ).toEqual({
      version: 2,
      usageMs: 5,
      periods: null,
      throttledPeriods: null,
      throttledMs: null,
    });
    expect(cgroupCpuStat('hello')).toBeNull();
  });
});

it('meminfo: Writeback is not WritebackTmp, and absent is unknown', () => {
  expect(
    meminfo(
      'MemTotal: 100 kB\nDirty:   768 kB\nNFS_Unstable: 9 kB\nWriteback:    4 kB\nWritebackTmp: 50 kB\n',
    ),
  ).toEqual({ dirtyBytes: 768 * 1024, writebackBytes: 4096 });
  expect(meminfo('WritebackTmp: 50 kB\nHugePages_Total: 0\n')).toEqual({
    dirtyBytes: null,
    writebackBytes: null,
  });
});

it('pressure: totals by kind; full may be missing', () => {
  expect(
    pressure(
      'some avg10=0.10 avg60=0.00 avg300=0.00 total=4711\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=12\n',
    ),
  ).toEqual({ someUs: 4711, fullUs: 12 });
  expect(pressure('some avg10=0.10 avg60=0.00 avg300=0.00 total=4711\n')).toEqual({
    someUs: 4711,
    fullUs: null,
  });
  expect(pressure('')).toEqual({ someUs: null, fullUs: null });
});

it('net/dev: bytes in and out by interface, whatever the padding', () => {
  const text =
    'Inter-|   Receive                                                |  Transmit\n face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n' +
    '    lo: 500 5 0 0 0 0 0 0 500 5 0 0 0 0 0 0\n  eth0:700 7 0 0 0 0 0 0 300 3 0 0 0 0 0 0\n';
  expect(netDev(text)).toEqual({ lo: { rxBytes: 500, txBytes: 500 }, eth0: { rxBytes: 700, txBytes: 300 } });
});
