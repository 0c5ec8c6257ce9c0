import { readFileSync } from 'node:fs';

/** Cores of brokers and clients, as lists for taskset (`1`, `2-5`); null = not pinned. */
export interface Pinning {
  readonly brokers: string | null;
  readonly clients: string | null;
}

const AUTO_FROM_CORES = 4;

export const NOT_PINNED: Pinning = { brokers: null, clients: null };

/**
 * Brokers and clients on different cores, so that neither takes time from the other: one core of three for the
 * clients (at least one), from the low end, the rest for the brokers. On two cores: clients 0, brokers 1. `auto` pins
 * from four cores on: three brokers on one core compile for minutes before they are warm (docs/decisions/0005).
 */
export function choosePinning(allowed: readonly number[], pin: boolean | 'auto'): Pinning {
  if (!willPin(allowed, pin)) return NOT_PINNED;
  const sorted = [...allowed].sort((a, b) => a - b);
  const clients = Math.max(1, Math.round(sorted.length / 3));
  return { clients: formatCores(sorted.slice(0, clients)), brokers: formatCores(sorted.slice(clients)) };
}

/** Whether brokers and clients are pinned apart on these cores. */
export function willPin(allowed: readonly number[], pin: boolean | 'auto'): boolean {
  return pin === 'auto' ? allowed.length >= AUTO_FROM_CORES : pin && allowed.length >= 2;
}

/** Cores this process may use: in a container fewer than the machine has. */
export function allowedCores(status = readFileSync('/proc/self/status', 'utf8')): readonly number[] {
  return parseCores(/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '0');
}

/** `0-2,5` → [0, 1, 2, 5]. */
export function parseCores(list: string): readonly number[] {
  return list.split(',').flatMap((part) => {
    const [from, to] = part.split('-').map(Number);
    if (from === undefined || Number.isNaN(from)) return [];
    return Array.from({ length: (to ?? from) - from + 1 }, (_, i) => from + i);
  });
}

/** [0, 1, 2, 5] → `0-2,5`. */
export function formatCores(cores: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const core of cores) {
    const last = runs.at(-1);
    if (last !== undefined && core === last[1] + 1) last[1] = core;
    else runs.push([core, core]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
