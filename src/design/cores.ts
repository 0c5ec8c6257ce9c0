/** Cores of a quantity of Kubernetes: `3` → 3, `1900m` → 1.9. */
export function coresOf(quantity: string): number {
  return quantity.endsWith('m') ? Number(quantity.slice(0, -1)) / 1000 : Number(quantity);
}
