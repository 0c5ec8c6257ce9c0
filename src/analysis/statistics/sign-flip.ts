import { normalCdf } from '../../design/statistics/normal.ts';

/** Up to here every sign assignment is counted; above it the normal limit is used (see below). */
const SIGN_FLIP_EXACT_UP_TO = 30;

/**
 * Two-sided p of the sign-flip (Fisher randomisation) test of "the differences are symmetric about 0":
 * the share of all 2ⁿ sign assignments whose |sum| is at least the observed one. Exact for n ≤ 30: the
 * list is halved and the sums of the halves are matched (Horowitz & Sahni 1974), so 2¹⁵ sums suffice.
 * Above, the normal limit with variance Σd²: near 0.05 it is within about a tenth of the exact p at
 * that n (0.032 for 0.031), farther out it errs on the side of a larger p.
 */
export function signFlipP(differences: readonly number[]): number {
  const n = differences.length;
  if (n === 0) throw new RangeError('sign-flip test of no differences');
  const observed = Math.abs(differences.reduce((sum, d) => sum + d, 0));
  // Sums that are equal on paper differ in their last bits by the order of adding.
  const scale = differences.reduce((sum, d) => sum + Math.abs(d), 0);
  const atLeast = observed - 1e-10 * scale;
  if (atLeast <= 0) return 1;
  if (n > SIGN_FLIP_EXACT_UP_TO) {
    const sd = Math.sqrt(differences.reduce((sum, d) => sum + d * d, 0));
    return Math.min(1, 2 * normalCdf(-observed / sd));
  }
  const half = Math.ceil(n / 2);
  const left = signedSums(differences.slice(0, half)).sort();
  const right = signedSums(differences.slice(half)).sort();
  return Math.min(1, (2 * pairsAtLeast(left, right, atLeast)) / 2 ** n);
}

/** All 2ᵏ sums ±d₁ ± … ± dₖ. */
function signedSums(differences: readonly number[]): Float64Array {
  let sums = Float64Array.of(0);
  for (const d of differences) {
    const next = new Float64Array(sums.length * 2);
    sums.forEach((sum, i) => {
      next[2 * i] = sum + d;
      next[2 * i + 1] = sum - d;
    });
    sums = next;
  }
  return sums;
}

/** How many pairs of two ascending lists add up to at least `limit`. */
function pairsAtLeast(left: Float64Array, right: Float64Array, limit: number): number {
  let count = 0;
  let from = right.length;
  for (const a of left) {
    while (from > 0 && a + (right[from - 1] ?? 0) >= limit) from--;
    count += right.length - from;
  }
  return count;
}
