import { normalCdf } from './normal.ts';
import { logGamma } from './special.ts';
import { studentTQuantile } from './student-t.ts';

/** Half-width to expect of the interval of a ratio, as a share (0.08 = reaches 8 % above the estimate), from sd(d) of log ratios. */
export function expectedHalfWidth(sdLog: number, blocks: number, alpha = 0.05): number {
  return Math.expm1(tHalfWidth(sdLog, blocks, alpha));
}

/** Half-width t₍n−1₎·s/√n of the two-sided interval with error `alpha` (use alpha ÷ m for Bonferroni-t over m contrasts). */
export function tHalfWidth(sd: number, n: number, alpha: number): number {
  return (studentTQuantile(1 - alpha / 2, n - 1) * sd) / Math.sqrt(n);
}

/**
 * The smallest drop in rate, as a share (0.13 = 13 % slower), that the two-sided paired t test on log ratios
 * finds with the given power. The log-ratio is solved from the exact (noncentral t) power; as a rise the same
 * log-ratio is the larger share exp(δ) − 1.
 */
export function detectableEffect(sdLog: number, blocks: number, alpha = 0.05, power = 0.8): number {
  return -Math.expm1(-detectableShift(blocks, alpha, power) * sdLog);
}

/** The same shift serves every sd of one plan, and takes a while. */
const SHIFTS = new Map<string, number>();

/** The smallest mean, in standard deviations, that the test finds with this power. */
function detectableShift(blocks: number, alpha: number, power: number): number {
  const key = `${blocks} ${alpha} ${power}`;
  const known = SHIFTS.get(key);
  if (known !== undefined) return known;
  let low = 0;
  let high = 1;
  const critical = studentTQuantile(1 - alpha / 2, blocks - 1);
  const misses = (effect: number) => powerBeyond(critical, effect, blocks) < power;
  while (misses(high)) high *= 2;
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (misses(middle)) low = middle;
    else high = middle;
  }
  SHIFTS.set(key, high);
  return high;
}

/**
 * Power of the two-sided one-sample t test for a mean of `effect` standard deviations: the noncentral t,
 * as the mean over S = √(χ²/ν) of Φ(λ − c·S) + Φ(−λ − c·S), by Simpson's rule.
 */
export function pairedTPower(effect: number, n: number, alpha: number): number {
  return powerBeyond(studentTQuantile(1 - alpha / 2, n - 1), effect, n);
}

/** P(|T| > critical) of the noncentral t. */
function powerBeyond(critical: number, effect: number, n: number): number {
  const df = n - 1;
  const shift = effect * Math.sqrt(n);
  const logFront = Math.log(2) + (df / 2) * Math.log(df / 2) - logGamma(df / 2);
  const at = (s: number): number => {
    if (s === 0 && df > 1) return 0;
    const density = Math.exp(logFront + (df > 1 ? (df - 1) * Math.log(s) : 0) - (df * s * s) / 2);
    return density * (normalCdf(shift - critical * s) + normalCdf(-shift - critical * s));
  };
  const steps = 400;
  const width = (1 + 9 / Math.sqrt(df)) / steps;
  let sum = at(0) + at(steps * width);
  for (let i = 1; i < steps; i++) sum += at(i * width) * (i % 2 === 1 ? 4 : 2);
  return (sum * width) / 3;
}
