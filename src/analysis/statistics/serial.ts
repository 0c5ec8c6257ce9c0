import { mean } from './describe.ts';
import { studentTTwoSidedP } from '../../design/statistics/student-t.ts';

/** Lag-1 autocorrelation of values in time order; null with fewer than 3 values or no spread. */
export function lag1Correlation(values: readonly number[]): number | null {
  if (values.length < 3) return null;
  const centre = mean(values);
  const deviations = values.map((v) => v - centre);
  const spread = deviations.reduce((sum, d) => sum + d * d, 0);
  if (spread === 0) return null;
  const lagged = deviations.slice(1).reduce((sum, d, i) => sum + d * (deviations[i] ?? 0), 0);
  return lagged / spread;
}

/**
 * Above this a lag-1 correlation is larger than independent values show in 95 of 100 cases, one-sided
 * (Anderson 1942). Only positive correlation makes an interval too narrow.
 */
export function lag1Limit(n: number): number {
  return (-1 + 1.645 * Math.sqrt(n - 2)) / (n - 1);
}

export interface Trend {
  /** Change of the value for each unit of x. */
  readonly slope: number;
  /** Two-sided p of "no trend". */
  readonly p: number;
}

/** Least-squares line through (x, y) with the t test of its slope; null with fewer than 4 points or no spread in x. */
export function trend(x: readonly number[], y: readonly number[]): Trend | null {
  const n = x.length;
  if (n !== y.length) throw new RangeError('trend needs one y for each x');
  if (n < 4) return null;
  const mx = mean(x);
  const my = mean(y);
  const sxx = x.reduce((sum, v) => sum + (v - mx) ** 2, 0);
  if (sxx === 0) return null;
  const slope = x.reduce((sum, v, i) => sum + (v - mx) * ((y[i] ?? my) - my), 0) / sxx;
  const residual = x.reduce((sum, v, i) => sum + ((y[i] ?? my) - my - slope * (v - mx)) ** 2, 0);
  const error = Math.sqrt(residual / (n - 2) / sxx);
  const t = error === 0 ? (slope === 0 ? 0 : Number.POSITIVE_INFINITY) : slope / error;
  return { slope, p: studentTTwoSidedP(t, n - 2) };
}
