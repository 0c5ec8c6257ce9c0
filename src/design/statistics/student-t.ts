import { incompleteBeta } from './special.ts';

/** P(T ≤ t) of Student's t with `df` > 0 degrees of freedom, through the incomplete beta function (Abramowitz & Stegun 26.7.1). */
export function studentTCdf(t: number, df: number): number {
  const upper = upperTail(Math.abs(t), df);
  return t >= 0 ? 1 - upper : upper;
}

/** Two-sided p of a t statistic: P(|T| ≥ |t|); keeps its digits far out in the tail. */
export function studentTTwoSidedP(t: number, df: number): number {
  return Math.min(1, 2 * upperTail(Math.abs(t), df));
}

function upperTail(t: number, df: number): number {
  if (!(df > 0)) throw new RangeError('Student t needs df > 0');
  if (t === Number.POSITIVE_INFINITY) return 0;
  // Near 0 the mirrored form avoids losing the digits of t² in df ÷ (df + t²).
  if (t * t < df) return 0.5 - 0.5 * incompleteBeta((t * t) / (df + t * t), 0.5, df / 2);
  return 0.5 * incompleteBeta(df / (df + t * t), df / 2, 0.5);
}

/** The t with P(T ≤ t) = p, 0 < p < 1, good to 1e-9 relative; found by bisection on the tail, which cannot diverge. */
export function studentTQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError('Student t quantile needs 0 < p < 1');
  if (p === 0.5) return 0;
  if (p < 0.5) return -quantileOfTail(p, df);
  return quantileOfTail(1 - p, df);
}

function quantileOfTail(tail: number, df: number): number {
  let low = 0;
  let high = 1;
  while (upperTail(high, df) > tail) {
    low = high;
    high *= 2;
  }
  for (let i = 0; i < 200 && high - low > 1e-14 * high; i++) {
    const middle = (low + high) / 2;
    if (upperTail(middle, df) > tail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
