import type { Contrast, Frozen, Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { EffectResult, Interval } from './analysis.ts';
import { type Cell, validCells } from './cells.ts';
import { ALPHA, decide } from './decide.ts';
import { noNumber, noVerdict } from './hindrance.ts';
import { tInterval, wideningOf } from './interval.ts';
import { replicatesOf } from './replicates.ts';
import { mean } from './statistics/describe.ts';
import { holm } from './statistics/holm.ts';
import { pairedT } from './statistics/paired-t.ts';
import { signFlipP } from './statistics/sign-flip.ts';
import { signedRankInterval } from './statistics/signed-rank.ts';
import { timeFlags } from './time-flags.ts';

/** What the estimates need of a plan. */
export type EffectPlan = Pick<
  Plan,
  'contrasts' | 'smallestEffectOfInterest' | 'metric' | 'labs' | 'until' | 'scenarios' | 'smoke'
>;

/**
 * Every planned contrast of the primary metric, decided by the rules of docs/statistics.md: t on the log of the within-block ratio,
 * simultaneous over the planned contrasts (also those that turn out to have no data: the plan fixes m, not the outcome).
 *
 * @param frozen says which scenarios were left out and which rates were asked; null when block 0 did not end.
 */
export function estimateEffects(
  plan: EffectPlan,
  trials: readonly TrialRecord[],
  frozen: Frozen | null = null,
): readonly EffectResult[] {
  const effects = plan.contrasts.map((c) => estimate(plan, c, trials, frozen));
  const adjusted = holm(effects.map((e) => e.tP ?? 1));
  return effects.map((e, i) => ({ ...e, holmP: e.tP === null ? null : (adjusted[i] ?? null) }));
}

function estimate(
  plan: EffectPlan,
  contrast: Contrast,
  trials: readonly TrialRecord[],
  frozen: Frozen | null,
): EffectResult {
  const m = plan.contrasts.length;
  const cells = [contrast.numerator, contrast.denominator].map((s) => [
    ...validCells(trials, s, plan.metric).values(),
  ]);
  const nothing = noNumber(contrast, frozen, cells);
  const ratios = nothing === null ? blockRatios(cells[0] ?? [], cells[1] ?? []) : [];
  const repeats = replicatesOf(
    plan.labs,
    ratios.map(({ block, lab, ratio }) => ({ block, lab, log: Math.log(ratio) })),
  );
  const { logs: d, unit } = repeats;
  const t = d.length >= 2 ? pairedT(d) : null;
  const widening = wideningOf(plan);
  const simultaneous = t && tInterval(t, m, widening);
  const rank = signedRankInterval(d, ALPHA / m);
  const signedRank = rank && ratioInterval(rank);
  const acrossPlots = plotOf(plan, contrast.numerator) !== plotOf(plan, contrast.denominator);
  const hindrance =
    nothing ?? noVerdict(plan, plan.metric, contrast, frozen, pairedCells(cells, ratios), trials);
  const margin = plan.smallestEffectOfInterest;
  const { word, because } = decide({
    d,
    unit,
    m,
    margin,
    acrossPlots,
    simultaneous,
    signedRank,
    hindrance,
  });
  return {
    contrast: contrast.name,
    numerator: contrast.numerator,
    denominator: contrast.denominator,
    confounded: contrast.confounded,
    primary: true,
    metric: plan.metric,
    n: d.length,
    unit,
    ratios: ratios.map(({ block, ratio }) => ({ block, ratio })),
    ...(plan.labs > 1 ? { labRatios: labRatios(ratios) } : {}),
    ...(acrossPlots ? { acrossPlots } : {}),
    ...(widening === 1 ? {} : { widening }),
    ratio: t && Math.exp(t.mean),
    interval: t && tInterval(t, 1, widening),
    simultaneous,
    sdLog: t && t.sd,
    signFlipP: d.length === 0 ? null : signFlipP(d),
    signedRank,
    holmP: null,
    tP: t && t.p,
    higherIn: d.filter((v) => v > 0).length,
    word,
    because,
    flags: timeFlags(repeats),
  };
}

/** The ratio within one block. */
export interface BlockRatio {
  readonly block: number;
  readonly lab: number;
  readonly ratio: number;
}

/** Within-block ratios in block order; a block with a missing cell drops out. */
export function blockRatios(above: readonly Cell[], below: readonly Cell[]): readonly BlockRatio[] {
  return above
    .flatMap(({ trial, value }) => {
      const other = below.find((cell) => cell.trial.block === trial.block);
      return other === undefined
        ? []
        : [{ block: trial.block, lab: trial.lab ?? 1, ratio: value / other.value }];
    })
    .toSorted((a, b) => a.block - b.block);
}

function pairedCells(cells: readonly (readonly Cell[])[], ratios: readonly BlockRatio[]): readonly Cell[] {
  const blocks = new Set(ratios.map((r) => r.block));
  return cells.flat().filter((c) => blocks.has(c.trial.block));
}

function labRatios(ratios: readonly BlockRatio[]): NonNullable<EffectResult['labRatios']> {
  return [...Map.groupBy(ratios, (r) => r.lab)]
    .toSorted(([a], [b]) => a - b)
    .map(([lab, inside]) => ({
      lab,
      blocks: inside.length,
      ratio: Math.exp(mean(inside.map((r) => Math.log(r.ratio)))),
    }));
}

function ratioInterval(log: Interval): Interval {
  return { low: Math.exp(log.low), high: Math.exp(log.high), confidence: log.confidence };
}

function plotOf(plan: EffectPlan, slug: string): string | undefined {
  return plan.scenarios.find((s) => s.slug === slug)?.plot;
}
