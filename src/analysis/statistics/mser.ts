/**
 * MSER-1 (White 1997; White, Cobb & Spratt 2000): how many points to cut from the front of a series so that
 * the mean of the rest is known best, i.e. the cut d that minimises Σ(x − mean of the rest)² ÷ (n − d)². At least `keep`
 * points stay; null when the series has no more than that, because nothing can be chosen then.
 */
export function mser1(series: readonly number[], keep: number): number | null {
  const n = series.length;
  if (n <= keep) return null;
  let best = { cut: 0, error: Number.POSITIVE_INFINITY };
  let count = 0;
  let centre = 0;
  let squares = 0;
  // Welford's update from the back, so that each cut costs one step and no digits are lost.
  for (let cut = n - 1; cut >= 0; cut--) {
    const value = series[cut] ?? 0;
    count += 1;
    const off = value - centre;
    centre += off / count;
    squares += off * (value - centre);
    const error = squares / count ** 2;
    if (count >= keep && error <= best.error) best = { cut, error };
  }
  return best.cut;
}
