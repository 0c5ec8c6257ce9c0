/** A value with its weight, e.g. a share and the number of trials behind it. */
export interface Weighted {
  readonly value: number;
  readonly weight: number;
}

/**
 * The least-squares fit that never rises, by pooling adjacent violators (Ayer, Brunk, Ewing, Reid & Silverman 1955;
 * Barlow et al. 1972): one fitted value for each given one, in the same order. For shares it is the maximum-likelihood fit.
 */
export function antitonicFit(points: readonly Weighted[]): readonly number[] {
  const pools: { value: number; weight: number; length: number }[] = [];
  for (const { value, weight } of points) {
    let pool = { value, weight, length: 1 };
    for (let last = pools.at(-1); last !== undefined && last.value < pool.value; last = pools.at(-1)) {
      const sum = last.weight + pool.weight;
      pool = {
        value: sum === 0 ? pool.value : (last.value * last.weight + pool.value * pool.weight) / sum,
        weight: sum,
        length: last.length + pool.length,
      };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap((pool) => Array.from({ length: pool.length }, () => pool.value));
}
