/**
 * A Latin square of k numbers, 0 to k − 1: each stands once in every row and in every column. For an even k each number
 * comes right after each other one exactly once; for an odd k twice, over this square and the one of its reversed rows.
 * Source: E. J. Williams, Australian Journal of Scientific Research A 2 (1949), designs balanced for residual effects.
 */
export function balancedSquare(k: number): readonly (readonly number[])[] {
  // 0, 1, k − 1, 2, k − 2, …: neighbours differ by every amount once.
  const first = Array.from({ length: k }, (_, i) => (i % 2 === 0 ? k - i / 2 : (i + 1) / 2) % k);
  return Array.from({ length: k }, (_, row) => first.map((n) => (n + row) % k));
}
