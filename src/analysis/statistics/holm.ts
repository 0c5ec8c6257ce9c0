/** Holm's step-down adjusted p values (Holm 1979), in the order given; reject where ≤ α. Controls the family-wise error. */
export function holm(pValues: readonly number[]): readonly number[] {
  const m = pValues.length;
  const ascending = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const adjusted = Array.from({ length: m }, () => 1);
  let largest = 0;
  ascending.forEach(({ p, index }, i) => {
    largest = Math.max(largest, Math.min(1, (m - i) * p));
    adjusted[index] = largest;
  });
  return adjusted;
}
