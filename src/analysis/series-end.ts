import type { Plan, SeriesPlan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { metricOf } from './metrics.ts';

/**
 * Scenarios that are not measured, and why: those of a series (`while` of a factor) that come after the first one that
 * fell short of its asked rate in block 0's last pass. A scenario whose share is not known ends no series.
 *
 * @param lastPass trials of block 0's last pass, all attempts.
 */
export function leftOut(
  plan: Pick<Plan, 'series'>,
  lastPass: readonly TrialRecord[],
): Readonly<Record<string, string>> {
  return Object.fromEntries((plan.series ?? []).flatMap((series) => leftOutOf(series, lastPass)));
}

function leftOutOf(
  { factor, scenarios, achievedMin }: SeriesPlan,
  lastPass: readonly TrialRecord[],
): readonly (readonly [string, string])[] {
  const shares = scenarios.map((slug) => achievedIn(lastPass, slug));
  const end = shares.findIndex((share) => share !== null && share < achievedMin);
  if (end < 0) return [];
  const why =
    `the series of ${factor} ended at ${scenarios[end]}, which achieved ${share(shares[end] ?? 0)} of its asked rate ` +
    `in block 0 (${share(achievedMin)} is needed)`;
  return scenarios.slice(end + 1).map((slug) => [slug, why] as const);
}

/** The share of the asked rate in the last attempt that has one; a void attempt shows it as well. */
function achievedIn(trials: readonly TrialRecord[], slug: string): number | null {
  return trials
    .filter((t) => t.scenario === slug)
    .toSorted((a, b) => a.attempt - b.attempt)
    .map((t) => metricOf(t, 'achieved')?.value ?? null)
    .reduce((last, share) => share ?? last, null);
}

function share(value: number): string {
  return `${Number((100 * value).toFixed(1))} %`;
}
