import type { Frozen, Plan } from '../design/plan.ts';
import { stampOf } from '../design/smoke.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { countsForBlocks, writtenBytesOf } from './counts.ts';
import { ALPHA } from './decide.ts';
import { percentText } from './format.ts';
import { isSearchPass } from '../design/passes.ts';
import { wideningOf } from './interval.ts';
import { isLatency } from './metrics.ts';
import { chooseRamp } from './ramp.ts';
import { gridOf, nextSearchStep, withRates } from './search.ts';
import { leftOut } from './series-end.ts';
import { pairLoads, steadyLines } from './series.ts';
import { sampleSd } from './statistics/describe.ts';
import { expectedHalfWidth } from '../design/statistics/power.ts';
import { ofPass, warmth } from './warm.ts';

// Counts of a pass and the frozen counts are one decision to those who run block 0.
export { countsForPass } from './counts.ts';

/**
 * Fixes, between block 0 and block 1, what only the machines can say: the ramp, whether the lab is warm, and the records of every
 * load, the same in every block (design §3). Pure: the same block 0 gives the same result.
 *
 * @param block0 every trial of block 0, all passes and attempts.
 */
export function freeze(plan: Plan, planSha256: string, block0: readonly TrialRecord[]): Frozen {
  const { passes, agree, moved, changes } = warmth(block0, plan.warmup.agreeWithin);
  const lastPass = ofPass(block0, passes);
  const ramp =
    plan.window.rampMs === null ? chooseRamp(plan, lastPass) : { rampMs: plan.window.rampMs, note: null };
  const chosen = choose(plan, block0, lastPass);
  const written = writtenBytesOf(plan, block0);
  const { counts, notes } = countsForBlocks(chosen.plan, ramp.rampMs, lastPass, written, agree);
  const halfWidth = guessHalfWidth(plan, ramp.rampMs, lastPass);
  return {
    format: 1,
    ...stampOf(plan),
    planSha256,
    rampMs: ramp.rampMs,
    rampFrom: plan.window.rampMs === null ? 'block-0' : 'spec',
    passes,
    warm: agree,
    stillWarming: moved,
    counts,
    expectedHalfWidth: halfWidth,
    ...chosen.fixed,
    notes: [
      ...(ramp.note === null ? [] : [ramp.note]),
      ...moved.map((m) => movedNote(m, changes[m] ?? null, plan.warmup.agreeWithin)),
      ...chosen.notes,
      ...notes,
      ...(halfWidth === null ? [] : [guessNote(halfWidth)]),
    ],
  };
}

interface Chosen {
  /** The plan as it is measured: rates of the grid in place, scenarios that are left out gone. */
  readonly plan: Plan;
  readonly fixed: Pick<Frozen, 'candidates' | 'stuck' | 'rates' | 'leftOut'>;
  readonly notes: readonly string[];
}

/** What block 0 decides beyond counts: where the grid of a search lies, and where a series ends. */
function choose(plan: Plan, block0: readonly TrialRecord[], lastPass: readonly TrialRecord[]): Chosen {
  const ended = leftOut(plan, lastPass);
  const { candidates, stuck, notes } = candidatesOf(plan, block0);
  const grid = gridOf(plan, candidates);
  const out = { ...ended, ...grid.leftOut };
  const measured = plan.scenarios.filter((s) => !Object.hasOwn(out, s.slug));
  return {
    plan: withRates({ ...plan, scenarios: measured }, grid.rates),
    fixed: {
      ...(plan.search === null ? {} : { candidates, rates: grid.rates }),
      ...(Object.keys(stuck).length === 0 ? {} : { stuck }),
      ...(Object.keys(out).length === 0 ? {} : { leftOut: out }),
    },
    notes: [
      ...notes,
      ...Object.entries(ended).map(([scenario, why]) => `${scenario} is not measured: ${why}`),
    ],
  };
}

/** The candidate of every target, from the runs of the search; null where even the lowest rate fails. */
function candidatesOf(
  plan: Plan,
  block0: readonly TrialRecord[],
): {
  readonly candidates: NonNullable<Frozen['candidates']>;
  readonly stuck: NonNullable<Frozen['stuck']>;
  readonly notes: readonly string[];
} {
  const runs = block0.filter((t) => isSearchPass(t.pass));
  const steps = (plan.search?.targets ?? []).map(
    ({ scenario }) => [scenario, nextSearchStep(plan, scenario, runs)] as const,
  );
  return {
    candidates: Object.fromEntries(
      steps.map(([scenario, step]) => [
        scenario,
        step.kind === 'candidate' || step.kind === 'all-pass' ? step.recordsPerS : null,
      ]),
    ),
    stuck: Object.fromEntries(
      steps.flatMap(([scenario, step]) => (step.kind === 'stuck' ? [[scenario, step.because]] : [])),
    ),
    notes: steps.map(([scenario, step]) => `${scenario}: the search ended: ${step.because}`),
  };
}

function movedNote(scenario: string, change: number | null, within: number): string {
  if (change === null) return `${scenario}: block 0 has no steady rate in its last two passes to compare`;
  return `${scenario}: the rate moved by ${percentText(change)} in the last pass of block 0 (${percentText(within)} is allowed)`;
}

function guessNote(halfWidth: number): string {
  return (
    `intervals of about ± ${percentText(halfWidth)} are expected: a first guess from how much the rate varies within the trials of ` +
    `block 0, which says little about how it varies between trials`
  );
}

/**
 * Half-width of the simultaneous interval (a share) for the worst contrast, from sd(d)² = sd² + sd² of the log rates of single lines. Lines of one
 * trial are alike, so their spread is not divided by their number: the windows of one run are no repeats.
 */
function guessHalfWidth(plan: Plan, rampMs: number, lastPass: readonly TrialRecord[]): number | null {
  const blocks = plan.orders.length;
  // The spread of a rate within a trial says nothing about that of a percentile.
  if (blocks < 2 || isLatency(plan.metric)) return null;
  const sds = plan.contrasts.flatMap(({ numerator, denominator }) => {
    const [a, b] = [numerator, denominator].map((s) => spreadWithin(plan, rampMs, lastPass, s));
    return a == null || b == null ? [] : [Math.hypot(a, b)];
  });
  if (sds.length === 0) return null;
  return expectedHalfWidth(wideningOf(plan) * Math.max(...sds), blocks, ALPHA / plan.contrasts.length);
}

/** Standard deviation of the log rates of steady lines of a scenario's loads (the largest of them). */
function spreadWithin(
  plan: Plan,
  rampMs: number,
  lastPass: readonly TrialRecord[],
  scenario: string,
): number | null {
  const sds = lastPass
    .filter((t) => t.scenario === scenario && t.verdict.valid)
    .flatMap((t) => pairLoads(plan, t))
    .map((pair) => steadyLines(pair, rampMs).filter((l) => l.records > 0))
    .filter((lines) => lines.length >= 5)
    .map((lines) => sampleSd(lines.map((l) => Math.log(l.records / l.lengthMs))));
  return sds.length === 0 ? null : Math.max(...sds);
}
