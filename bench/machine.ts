import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { run } from './run.ts';

const GIB = 1024 ** 3;

/** What the figures were taken on, in one line. */
export async function machineText(): Promise<string> {
  const cores = cpus();
  const java = await run('java', ['-version']);
  const version = /version "([^"]+)"/.exec(java.stderr)?.[1] ?? 'unknown';
  const model = cores[0]?.model.trim() || 'unknown processor';
  return `${cores.length} cores (${model}), ${(totalmem() / GIB).toFixed(0)} GiB of memory, Linux ${release()}, Java ${version}, Node ${process.versions.node}`;
}

/** Load average of the last minute. */
export function loadNow(): number {
  return loadavg()[0] ?? 0;
}

/** Share of all CPU time from now on that the hypervisor gave to others; null where the kernel does not say. */
export function stealWatch(): () => number | null {
  const before = cpuTicks();
  return () => {
    const after = cpuTicks();
    const total = after.total - before.total;
    return total <= 0 ? null : (after.steal - before.steal) / total;
  };
}

function cpuTicks(): { total: number; steal: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
  // user nice system idle iowait irq softirq steal; guest time is inside user already
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { total: ticks.reduce((sum, t) => sum + t, 0), steal: ticks[7] ?? 0 };
}
