/**
 * Fewest blocks with which the exact sign-flip test can reach `alpha` for each of m contrasts (Bonferroni):
 * its smallest two-sided p is 2 ÷ 2ⁿ, so n ≥ log₂(2m ÷ alpha). 1 → 6, 2–3 → 7, 4–6 → 8, 7–12 → 9 at 0.05.
 */
export function minimumBlocks(contrasts: number, alpha = 0.05): number {
  return Math.ceil(Math.log2((2 * Math.max(1, contrasts)) / alpha));
}
