/** Arithmetic mean; throws on an empty list, because a mean of nothing is a bug of the caller. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('mean of an empty list');
  return values.reduce((sum, v) => sum + v, 0) / values.length;
}

/** Sample standard deviation (divisor n − 1), in the unit of the values; needs two values. */
export function sampleSd(values: readonly number[]): number {
  if (values.length < 2) throw new RangeError('standard deviation of fewer than two values');
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, v) => sum + (v - centre) ** 2, 0) / (values.length - 1));
}

/** The middle value, or the mean of the two middle values. Descriptive only: no verdict rests on it. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('median of an empty list');
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length / 2;
  return mean(sorted.slice(Math.ceil(half) - 1, Math.floor(half) + 1));
}
