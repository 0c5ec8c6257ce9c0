import type { Metric } from '../spec/schema.ts';
import { loadsOfMetric } from './incomparable.ts';
import type { Scenario } from './plan.ts';
import { detectableEffect, expectedHalfWidth } from './statistics/power.ts';

/** Error of all primary contrasts together. */
const ALPHA = 0.05;
/** Intervals of an experiment that may stop early are wider by this (facts: statistics): 95.3 % simulated, from eight blocks on. */
export const STOPPING_WIDENING = 1.1;
/** Nobody runs more; above it a target counts as out of reach. */
const MOST_BLOCKS = 100_000;

/**
 * How much blocks vary, as standard deviations of log ratios (facts: statistics): at a rate that every load keeps; without
 * a limit on a quiet machine; without a limit on a machine that others share, or with two cores for everything.
 */
export const VARIATION = { fixedRate: 0.05, quiet: 0.1, shared: 0.17 } as const;

/** Metrics that the perf tool gives in whole milliseconds. */
export const LATENCIES: readonly Metric[] = ['p50', 'p95', 'p99', 'p999'];

/** The latency below which one whole millisecond is more than this share: `20 ms` for 5 %. */
export function wholeMsAt(share: number): string {
  return `${Math.ceil(Number((1 / share).toPrecision(6)))} ms`;
}

/** What is usual for these scenarios, before anything has been measured. */
export function usualVariation(metric: Metric, scenarios: readonly Scenario[]): number {
  const loads = scenarios.flatMap((scenario) => loadsOfMetric(metric, scenario));
  const limited = loads.every((load) => load.kind === 'producer' && load.recordsPerS !== null);
  return limited && loads.length > 0 ? VARIATION.fixedRate : VARIATION.quiet;
}

/** What n blocks give when the log ratios of one contrast have this standard deviation. */
export interface Precision {
  readonly sd: number;
  readonly halfWidth: number;
  readonly detectable: number;
}

/**
 * Expected half-width of the simultaneous interval, e^h − 1, and the smallest drop, 1 − e^−δ, that is found
 * with 80 % power; both as shares. `contrasts` = m primary ones (Bonferroni). Null below two blocks.
 */
export function precision(blocks: number, contrasts: number, sd: number): Precision | null {
  if (blocks < 2) return null;
  const alpha = ALPHA / Math.max(1, contrasts);
  return {
    sd,
    halfWidth: expectedHalfWidth(sd, blocks, alpha),
    detectable: detectableEffect(sd, blocks, alpha),
  };
}

/** What a target half-width asks for, before anything has been measured. */
export interface Target {
  /** A share, e.g. 0.03. */
  readonly halfWidth: number;
  /** Primary contrasts: the interval is simultaneous over them. */
  readonly contrasts: number;
  /** Standard deviation of the log ratios within blocks. */
  readonly sd: number;
  /** `STOPPING_WIDENING` where the experiment may stop early; 1 otherwise. */
  readonly widening?: number;
}

/**
 * Fewest blocks whose interval is expected to be as narrow as the target: ± 3 % at an sd of 17 % takes 130 of them.
 * Infinity: more than anybody runs. For advice at plan time; power is never computed from a result.
 */
export function blocksForHalfWidth(target: Target): number {
  const alpha = ALPHA / Math.max(1, target.contrasts);
  const wide = (blocks: number) =>
    expectedHalfWidth((target.widening ?? 1) * target.sd, blocks, alpha) > target.halfWidth;
  if (wide(MOST_BLOCKS)) return Number.POSITIVE_INFINITY;
  let [low, high] = [1, MOST_BLOCKS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (wide(middle)) low = middle;
    else high = middle;
  }
  return high;
}
