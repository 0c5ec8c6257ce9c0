import { mean, sampleSd } from './describe.ts';
import { studentTTwoSidedP } from '../../design/statistics/student-t.ts';

/** Mean of differences with its spread; everything in the unit of the differences. */
export interface PairedT {
  readonly n: number;
  readonly mean: number;
  readonly sd: number;
  /** Two-sided p of "the mean is 0". */
  readonly p: number;
}

/** Student's paired t test on the differences (one per block); needs two of them. */
export function pairedT(differences: readonly number[]): PairedT {
  const n = differences.length;
  const centre = mean(differences);
  const sd = sampleSd(differences);
  // Identical differences: t is infinite, or 0 ÷ 0 when they are all 0.
  const t = sd === 0 ? (centre === 0 ? 0 : Number.POSITIVE_INFINITY) : (centre / sd) * Math.sqrt(n);
  return { n, mean: centre, sd, p: studentTTwoSidedP(t, n - 1) };
}
