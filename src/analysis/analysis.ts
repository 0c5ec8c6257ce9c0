import type { Metric } from '../design/plan.ts';
import type { Stamped } from '../design/smoke.ts';
import type { Flag } from '../measure/reasons.ts';
import type { MetricValue } from '../measure/trial-record.ts';

/** The words a contrast may end with (facts: statistics). */
export type EffectWord =
  | 'higher'
  | 'lower'
  | 'no difference larger than the margin'
  | 'inconclusive'
  | 'cannot be decided';

export interface Interval {
  readonly low: number;
  readonly high: number;
  /** E.g. 0.95. */
  readonly confidence: number;
}

/**
 * One contrast, decided. Ratios are numerator ÷ denominator of the metric; 1 = no difference. `higher` is not always
 * better: a higher p99 is worse. Optional fields are absent in analyses made before they were there.
 */
export interface EffectResult {
  readonly contrast: string;
  readonly numerator: string;
  readonly denominator: string;
  readonly confounded: boolean;
  readonly primary: boolean;
  readonly metric?: Metric;
  /** Independent repeats: blocks in which both cells are valid, or labs with such blocks (`unit`). */
  readonly n: number;
  /** What `n` counts; absent = block. */
  readonly unit?: 'block' | 'lab';
  readonly ratios: readonly { readonly block: number; readonly ratio: number }[];
  /** Of several labs: geometric mean over the blocks of each; they are the repeats where `unit` is lab. */
  readonly labRatios?: readonly { readonly lab: number; readonly blocks: number; readonly ratio: number }[];
  /** True: the two run under different broker settings, which are applied anew in every block (a split plot). */
  readonly acrossPlots?: boolean;
  /** Both t intervals are wider by this, because the experiment may stop early; absent = 1. */
  readonly widening?: number;
  /** Geometric mean over `n` repeats of the within-block ratio; null when n < 2. */
  readonly ratio: number | null;
  /** 95 % t interval of this contrast alone. */
  readonly interval: Interval | null;
  /** Bonferroni-t over the m primary contrasts: it decides. */
  readonly simultaneous: Interval | null;
  readonly sdLog: number | null;
  /** Exact two-sided sign-flip p. */
  readonly signFlipP: number | null;
  /** Exact signed-rank interval (Hodges–Lehmann), as ratios; null when n is too small for the confidence. */
  readonly signedRank: Interval | null;
  readonly holmP: number | null;
  readonly tP: number | null;
  readonly higherIn: number;
  readonly word: EffectWord;
  /** Why this word, in one sentence; for `cannot be decided` and `inconclusive` what is missing. */
  readonly because: string;
  readonly flags: readonly Flag[];
}

/** Descriptive summary of a scenario over its valid trials; medians carry no verdict. */
export interface ScenarioSummary {
  readonly scenario: string;
  readonly valid: number;
  readonly voided: number;
  readonly medianRecordsPerS: number | null;
  readonly medianBytesPerS: number | null;
  readonly minRecordsPerS: number | null;
  readonly maxRecordsPerS: number | null;
  /** Coefficient of variation over blocks. */
  readonly cv: number | null;
  readonly reasons: Readonly<Record<string, number>>;
  /** Every metric that valid trials have, the primary one first. */
  readonly metrics?: readonly MetricSummary[];
  /** Why it was not measured; null or absent = it was. */
  readonly leftOut?: string | null;
}

/** One metric of a scenario over its valid trials, one for each block; never averaged or summed over loads. */
export interface MetricSummary {
  readonly metric: Metric;
  readonly unit: MetricValue['unit'];
  /** What the values are over; more than one = they are not alike. */
  readonly over: readonly MetricValue['over'][];
  /** Blocks with a value. */
  readonly n: number;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Coefficient of variation over blocks; null below two. */
  readonly cv: number | null;
}

/** What the spec expected, and what came out. */
export interface ExpectationResult {
  /** As the plan words it: `rate of codec=lz4 ≥ 60 MiB/s`. */
  readonly text: string;
  /** passed: the whole interval is inside the bounds; failed: wholly outside; else inconclusive. */
  readonly outcome: 'passed' | 'failed' | 'inconclusive';
  readonly metric: Metric;
  /** Geometric mean over blocks, of the value or of the ratio within blocks; null when n < 2. */
  readonly estimate: number | null;
  /** Simultaneous over all expectations, in `unit`. */
  readonly interval: Interval | null;
  readonly unit: MetricValue['unit'] | 'ratio';
  /** Blocks, or labs where there are six or more. */
  readonly n: number;
  readonly because: string;
}

/** One rate of the grid around a candidate. */
export interface GridPoint {
  readonly scenario: string;
  /** Asked, over all loads of the searched producer. */
  readonly recordsPerS: number;
  /** Blocks that were judged, and that passed. */
  readonly blocks: number;
  readonly passed: number;
  /** Pass probability by the monotone fit; null without a judged block. */
  readonly probability: number | null;
}

/** What a capacity search came to. */
export interface CapacityResult {
  /** The scenario as the spec makes it. */
  readonly target: string;
  /** Where bisection ended, records/s; null = no rate passed. Never the capacity: it lands where half of the trials pass. */
  readonly candidate: number | null;
  readonly points: readonly GridPoint[];
  /** Highest rate of the grid whose estimated pass probability is at least 0.9, records/s; null = none. */
  readonly capacity: number | null;
  /** Highest failure probability at that rate that its passes leave possible, with 95 % confidence; null = no capacity. */
  readonly failureBelow: number | null;
  /** Whether a higher rate of the grid does not pass as well; otherwise the capacity lies above the grid, or below it. */
  readonly bracketed: boolean;
  readonly decided: boolean;
  readonly sentence: string;
}

/**
 * For renderers: `expectations` come first (✓ and ✗), then `capacities` where a search was asked for, then effects. Optional fields are
 * absent in analyses made before they were there.
 */
export interface Analysis extends Stamped {
  readonly format: 1;
  readonly planSha256: string;
  readonly frozenSha256: string | null;
  readonly metric: Metric;
  readonly blocksPlanned: number;
  readonly blocksRun: number;
  readonly scenarios: readonly ScenarioSummary[];
  readonly effects: readonly EffectResult[];
  readonly expectations?: readonly ExpectationResult[];
  readonly capacities?: readonly CapacityResult[];
  /** True: the stopping rule ended the measuring, at `blocksRun` of at most `blocksPlanned`. */
  readonly stoppedByRule?: boolean;
  /** The answer to the question in one or two plain sentences, interval included. */
  readonly answer: string;
  /** What the answer does not prove. */
  readonly limits: readonly string[];
  readonly flags: readonly Flag[];
  /** False: too few valid blocks, or an expectation stays inconclusive. */
  readonly decided: boolean;
}
