import { incompleteBeta } from '../../design/statistics/special.ts';

/**
 * Upper end of the exact one-sided interval of a probability (Clopper & Pearson 1934) after `events` in n trials: without any
 * event 1 − alpha^(1/n), so 39 % after 0 of 6 and 5 % after 0 of 59.
 */
export function upperProbability(events: number, n: number, alpha = 0.05): number {
  if (!(n > 0) || events >= n) return 1;
  // P(X ≤ events | p) = I₁₋ₚ(n − events, events + 1) falls in p; the end is where it is alpha.
  let low = 0;
  let high = 1;
  for (let i = 0; i < 100; i++) {
    const p = (low + high) / 2;
    if (incompleteBeta(1 - p, n - events, events + 1) > alpha) low = p;
    else high = p;
  }
  return (low + high) / 2;
}
