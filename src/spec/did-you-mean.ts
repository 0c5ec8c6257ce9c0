/** Edit distance with neighbouring letters swapped counting as one (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(
        (previous[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/**
 * The known name that was most likely meant, or null when none is near.
 * Near = at most a third of the longer name's letters differ; ties go to the first.
 */
export function closest(name: string, known: Iterable<string>): string | null {
  // Longer texts are no slips of the hand, and the comparison is quadratic.
  if (name.length > 80) return null;
  const wanted = name.toLowerCase();
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const d = distance(wanted, candidate.toLowerCase());
    if (d < bestDistance && d <= Math.max(wanted.length, candidate.length) / 3) {
      best = candidate;
      bestDistance = d;
    }
  }
  return best;
}

/** ` Did you mean "x"?` or ` Known: a, b, c.`, to stand at the end of a message; empty when there is nothing to say. */
export function suggestion(name: string, known: readonly string[]): string {
  const near = closest(name, known);
  if (near !== null) return `Did you mean "${near}"?`;
  if (known.length === 0 || known.length > 16) return '';
  return `Known here: ${known.join(', ')}.`;
}
