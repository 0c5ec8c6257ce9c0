import type { Contrast, Frozen, Metric, Plan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { type Cell, whyNoValue } from './cells.ts';
import { latencyHindrance } from './latency.ts';
import { isLatency } from './metrics.ts';
import { unequalVoiding } from './voiding.ts';

/** Why a rehearsal decides nothing, however its figures turn out. */
export const REHEARSED = 'this is a rehearsal: nothing was measured';

/** Why a contrast has no number at all: one side was left out, or the two have no common measure. */
export function noNumber(
  contrast: Contrast,
  frozen: Frozen | null,
  cells: readonly (readonly Cell[])[],
): string | null {
  const left = [contrast.numerator, contrast.denominator].find((s) => frozen?.leftOut?.[s] !== undefined);
  if (left !== undefined) return `${left} was not measured: ${frozen?.leftOut?.[left]}`;
  return contrast.incomparable ?? unlike(contrast, cells);
}

/**
 * Cells of different units or taken over different times are different things (facts: statistics). The interval common
 * to the loads of a trial with one load is that load's own.
 */
export function unlike(
  contrast: Pick<Contrast, 'numerator' | 'denominator'>,
  cells: readonly (readonly Cell[])[],
): string | null {
  const all = cells.flat();
  const kinds = (of: readonly Cell[]): string =>
    [...new Set(of.map((c) => `${c.unit} over ${OVER[c.over]}`))].toSorted().join(' and ');
  if (new Set(all.map((c) => c.unit)).size <= 1) {
    if (new Set(all.map((c) => c.over)).size <= 1) return null;
    if (all.every((c) => c.over === 'overlap' || c.trial.loads.length <= 1)) return null;
  }
  const [above, below] = cells.map(kinds);
  return `${contrast.numerator} is measured in ${above}, ${contrast.denominator} in ${below}: different things`;
}

const OVER = {
  own: "each load's own window",
  overlap: 'the common interval',
  fetch: 'fetch time',
  'whole-load': 'the whole load',
} as const;

/** Why a contrast has a number but no verdict; null when one may be given. */
export function noVerdict(
  plan: Pick<Plan, 'scenarios' | 'smoke'>,
  metric: Metric,
  contrast: Contrast,
  frozen: Frozen | null,
  cells: readonly Cell[],
  trials: readonly TrialRecord[],
): string | null {
  if (plan.smoke === true) return REHEARSED;
  const pair = [contrast.numerator, contrast.denominator];
  const latency = isLatency(metric)
    ? latencyHindrance(
        plan,
        frozen,
        pair,
        cells.map((c) => c.trial),
      )
    : null;
  return latency ?? unequalGaps(pair, metric, trials) ?? unequalVoiding(trials, pair[0] ?? '', pair[1] ?? '');
}

/** Valid trials without a value: what is left may be a selection, and the reason belongs into the answer. */
function unequalGaps(
  scenarios: readonly string[],
  metric: Metric,
  trials: readonly TrialRecord[],
): string | null {
  const gaps = scenarios.map((slug) => ({ slug, why: whyNoValue(trials, slug, metric) }));
  const hit = gaps.find((g) => g.why.length > 0);
  if (hit === undefined) return null;
  return `${hit.why.length} valid ${hit.why.length === 1 ? 'trial' : 'trials'} of ${hit.slug} ${hit.why.length === 1 ? 'has' : 'have'} no value: ${hit.why[0]}`;
}
