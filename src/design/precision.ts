/*
 * What an experiment of n blocks could see, before anything is known: from the noncentral t distribution,
 * integrated numerically. T = (Z + δ) ÷ W, W = √(χ²ᵥ ÷ v), so P(T > c) = ∫ Φ(δ − c·w) f(w) dw.
 */

/** Φ, the standard normal distribution function; Abramowitz & Stegun 26.2.17, error below 7.5e-8. */
function normalBelow(x: number): number {
  const k = 1 / (1 + 0.2316419 * Math.abs(x));
  const poly =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
  const upper = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * poly;
  return x >= 0 ? 1 - upper : upper;
}

/** ln Γ of half a whole number, by recurrence from Γ(1) and Γ(½). */
function lnGammaHalf(twice: number): number {
  let sum = twice % 2 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let x = twice % 2 === 0 ? 1 : 0.5; x < twice / 2; x += 1) sum += Math.log(x);
  return sum;
}

/** P(T > c) of the noncentral t with `df` degrees of freedom and noncentrality `shift`. */
function tAbove(c: number, df: number, shift: number): number {
  const lnScale = Math.log(2) + (df / 2) * Math.log(df / 2) - lnGammaHalf(df);
  const density = (w: number) => (w <= 0 ? 0 : Math.exp(lnScale + (df - 1) * Math.log(w) - (df * w * w) / 2));
  // In u = √w the points crowd near 0, where Φ turns sharply for few degrees of freedom.
  const from = Math.sqrt(Math.max(0, 1 - 8 / Math.sqrt(df)));
  const to = Math.sqrt(1 + 8 / Math.sqrt(df));
  const steps = 400;
  const h = (to - from) / steps;
  let sum = 0;
  for (let i = 0; i <= steps; i += 1) {
    const u = from + i * h;
    const w = u * u;
    // Simpson's weights: 1 4 2 4 … 4 1.
    const weight = i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * normalBelow(shift - c * w) * density(w) * 2 * u;
  }
  return (sum * h) / 3;
}

function bisect(low: number, high: number, tooLow: (x: number) => boolean): number {
  let a = low;
  let b = high;
  for (let i = 0; i < 60; i += 1) {
    const middle = (a + b) / 2;
    if (tooLow(middle)) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

/** The two-sided t quantile: P(|T| > t) = alpha. */
export function tQuantile(alpha: number, df: number): number {
  return bisect(0, 1_000, (t) => tAbove(t, df, 0) > alpha / 2);
}

/** What n blocks give when the log ratios of one contrast have this standard deviation. */
export interface Precision {
  readonly sd: number;
  readonly halfWidth: number;
  readonly detectable: number;
}

/**
 * Expected half-width of the simultaneous interval, e^h − 1, and the smallest drop, 1 − e^−δ, that is found
 * with 80 % power; both as shares. `contrasts` = m primary ones (Bonferroni). Null below two blocks.
 */
export function precision(blocks: number, contrasts: number, sd: number): Precision | null {
  if (blocks < 2) return null;
  const df = blocks - 1;
  const t = tQuantile(0.05 / Math.max(1, contrasts), df);
  const shift = bisect(0, 2_000, (x) => tAbove(t, df, x) < 0.8);
  const perBlock = sd / Math.sqrt(blocks);
  return { sd, halfWidth: Math.exp(t * perBlock) - 1, detectable: 1 - Math.exp(-shift * perBlock) };
}
