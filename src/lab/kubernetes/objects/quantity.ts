import type { PodResources } from '../../../design/kubernetes-plan.ts';

const UNITS: readonly (readonly [unit: string, bytes: number])[] = [
  ['Ti', 1024 ** 4],
  ['Gi', 1024 ** 3],
  ['Mi', 1024 ** 2],
  ['Ki', 1024],
];

/** Bytes as a quantity of Kubernetes in the largest unit that is exact: 2500 MiB → `2500Mi`, 1 GiB → `1Gi`. */
export function quantityOf(bytes: number): string {
  const unit = UNITS.find(([, size]) => bytes >= size && bytes % size === 0);
  return unit === undefined ? String(bytes) : `${bytes / unit[1]}${unit[0]}`;
}

const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 1024,
  Mi: 1024 ** 2,
  Gi: 1024 ** 3,
  Ti: 1024 ** 4,
  Pi: 1024 ** 5,
  Ei: 1024 ** 6,
};

/** A quantity of Kubernetes as a number: `100m` → 0.1, `10Gi` → bytes, `1e3` → 1000; NaN for anything else. */
export function numberOf(quantity: string): number {
  const match = /^([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?)([A-Za-z]{0,2})$/.exec(quantity);
  const factor = FACTORS[match?.[2] ?? '?'];
  return match === null || factor === undefined ? Number.NaN : Number(match[1]) * factor;
}

/** Resources of a container as Kubernetes writes them. */
export function resourceQuantities({ cpu, memoryBytes }: PodResources): Record<string, string> {
  return { cpu, memory: quantityOf(memoryBytes) };
}
