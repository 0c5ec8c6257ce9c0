import { signFlipP } from './statistics/sign-flip.ts';

/** What an interval or a test says about a contrast. */
export type Word = 'higher' | 'lower' | 'no difference larger than the margin' | 'inconclusive';

/**
 * The word for an interval of the log ratio. Inside ± the margin comes first: an effect too small to matter is "no
 * difference larger than the margin" even when the interval excludes 0. The margin is [1/(1+m), 1+m] on the ratio.
 */
export function wordOfInterval(interval: { low: number; high: number }, margin: number): Word {
  const limit = Math.log1p(margin);
  if (interval.low > -limit && interval.high < limit) return 'no difference larger than the margin';
  if (interval.low > 0) return 'higher';
  if (interval.high < 0) return 'lower';
  return 'inconclusive';
}

/**
 * The word of the exact sign-flip test at level `alpha`, by the same rule: inside the margin when it rejects both ends
 * of the margin with the mean between them (the inversion of the test), beyond 0 when it rejects 0.
 */
export function wordOfSignFlip(logRatios: readonly number[], margin: number, alpha: number): Word {
  const limit = Math.log1p(margin);
  const centre = logRatios.reduce((sum, d) => sum + d, 0) / logRatios.length;
  const rejects = (value: number): boolean => signFlipP(logRatios.map((d) => d - value)) <= alpha;
  if (Math.abs(centre) < limit && rejects(limit) && rejects(-limit))
    return 'no difference larger than the margin';
  if (!rejects(0)) return 'inconclusive';
  return centre > 0 ? 'higher' : 'lower';
}
