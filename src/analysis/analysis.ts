import type { Flag } from '../measure/reasons.ts';

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

/** One contrast, decided. Ratios are numerator ÷ denominator; 1 = no difference. */
export interface EffectResult {
  readonly contrast: string;
  readonly numerator: string;
  readonly denominator: string;
  readonly confounded: boolean;
  readonly primary: boolean;
  /** Blocks in which both cells are valid. */
  readonly n: number;
  readonly ratios: readonly { readonly block: number; readonly ratio: number }[];
  /** Geometric mean over blocks of the within-block ratio; null when n < 2. */
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
}

export interface Analysis {
  readonly format: 1;
  readonly planSha256: string;
  readonly frozenSha256: string | null;
  readonly metric: 'rate';
  readonly blocksPlanned: number;
  readonly blocksRun: number;
  readonly scenarios: readonly ScenarioSummary[];
  readonly effects: readonly EffectResult[];
  /** The answer to the question in one or two plain sentences, interval included. */
  readonly answer: string;
  /** What the answer does not prove. */
  readonly limits: readonly string[];
  readonly flags: readonly Flag[];
  readonly decided: boolean;
}
