/** Distribution function of Wilcoxon's W⁺ for n untied differences: cdf[w] = P(W⁺ ≤ w), exact, by convolution. */
export function signedRankCdf(n: number): readonly number[] {
  const most = (n * (n + 1)) / 2;
  const probability = Array.from({ length: most + 1 }, () => 0);
  probability[0] = 1;
  for (let rank = 1; rank <= n; rank++) {
    for (let w = (rank * (rank + 1)) / 2; w >= 0; w--) {
      const without = probability[w] ?? 0;
      const withRank = w >= rank ? (probability[w - rank] ?? 0) : 0;
      probability[w] = (without + withRank) / 2;
    }
  }
  let sum = 0;
  return probability.map((p) => (sum += p));
}

/** A two-sided interval for the centre of the differences, in their unit, with the confidence it really has. */
export interface SignedRankInterval {
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/**
 * Exact interval for the centre of symmetric differences by inverting Wilcoxon's signed-rank test: the
 * k-th smallest and k-th largest Walsh average (Hollander & Wolfe, §3.3). The distribution is discrete: the
 * real confidence is at least 1 − alpha. null: so few differences that no interval reaches it (n = 5 at 95 %).
 */
export function signedRankInterval(differences: readonly number[], alpha: number): SignedRankInterval | null {
  const cdf = signedRankCdf(differences.length);
  const k = cdf.findIndex((p) => p > alpha / 2);
  if (k < 1) return null;
  const walsh = differences
    .flatMap((a, i) => differences.slice(i).map((b) => (a + b) / 2))
    .sort((a, b) => a - b);
  const low = walsh[k - 1];
  const high = walsh[walsh.length - k];
  if (low === undefined || high === undefined) return null;
  return { low, high, confidence: 1 - 2 * (cdf[k - 1] ?? 0) };
}
