import type { Frozen, Plan, SearchPlan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import type { CapacityResult, GridPoint } from './analysis.ts';
import { measuredTrials } from './cells.ts';
import { countText, percentText } from './format.ts';
import { conditionText, judge } from './judge.ts';
import { upperProbability } from './statistics/binomial.ts';
import { antitonicFit } from './statistics/isotonic.ts';

/** A rate counts as sustained from this pass probability on (facts: statistics). */
const SUSTAINED = 0.9;
/** Fewest judged blocks of each rate: what the language allows at least. */
const FEWEST_BLOCKS = 3;

/**
 * The capacity of every target of a search, from the measured blocks alone: the search's own trials ended where they did because of their
 * outcomes and are left out. A monotone fit (the pass probability never rises with the rate) over the grid; the capacity is its highest
 * rate with a probability of at least 0.9.
 */
export function capacities(
  plan: Pick<Plan, 'search' | 'scenarios'>,
  frozen: Frozen | null,
  trials: readonly TrialRecord[],
): readonly CapacityResult[] {
  const { search } = plan;
  if (!search) return [];
  return search.targets.map(({ scenario, grid }) => capacityOf(search, scenario, grid, frozen, trials));
}

function capacityOf(
  search: SearchPlan,
  target: string,
  grid: readonly string[],
  frozen: Frozen | null,
  trials: readonly TrialRecord[],
): CapacityResult {
  const candidate = frozen?.candidates?.[target] ?? null;
  const points = gridPoints(search, grid, frozen, trials);
  const known = points.filter((p) => p.blocks > 0);
  const at = known.findLastIndex((p) => (p.probability ?? 0) >= SUSTAINED);
  const best = known[at];
  const above = known[at + 1];
  const stuck = frozen?.stuck?.[target] !== undefined;
  const none = candidate === null && frozen?.candidates !== undefined && !stuck;
  const decided = none || (points.length > 0 && points.every((p) => p.blocks >= FEWEST_BLOCKS));
  const failureBelow = best === undefined ? null : upperProbability(best.blocks - best.passed, best.blocks);
  const result = {
    target,
    candidate,
    points,
    capacity: best?.recordsPerS ?? null,
    failureBelow,
    bracketed: best !== undefined && above !== undefined,
    decided,
  };
  return { ...result, sentence: sentenceOf(search, result, frozen, best, above) };
}

/** Every rate of the grid with its judged blocks, lowest rate first. */
function gridPoints(
  search: SearchPlan,
  grid: readonly string[],
  frozen: Frozen | null,
  trials: readonly TrialRecord[],
): readonly GridPoint[] {
  const points = grid
    .flatMap((slug) => {
      const rates = frozen?.rates?.[slug];
      if (rates === undefined) return [];
      const recordsPerS = search.loads.reduce((sum, name) => sum + (rates[name] ?? 0), 0);
      return [{ scenario: slug, recordsPerS, ...judgedBlocks(search, slug, trials) }];
    })
    .toSorted((a, b) => a.recordsPerS - b.recordsPerS);
  const known = points.filter((p) => p.blocks > 0);
  const fit = antitonicFit(known.map((p) => ({ value: p.passed / p.blocks, weight: p.blocks })));
  return points.map((p) => ({ ...p, probability: fit[known.indexOf(p)] ?? null }));
}

/**
 * Of each block the first attempt that says something about the rate: a later one after the system gave up would be a choice
 * made after seeing the outcome.
 */
function judgedBlocks(
  search: SearchPlan,
  slug: string,
  trials: readonly TrialRecord[],
): { readonly blocks: number; readonly passed: number } {
  const mine = measuredTrials(trials)
    .filter((t) => t.scenario === slug)
    .toSorted((a, b) => a.attempt - b.attempt);
  const outcomes = [...Map.groupBy(mine, (t) => t.block).values()].flatMap(
    (attempts) =>
      attempts.map((t) => judge(t, search.pass).outcome).find((outcome) => outcome !== 'unknown') ?? [],
  );
  return { blocks: outcomes.length, passed: outcomes.filter((o) => o === 'passed').length };
}

function sentenceOf(
  search: SearchPlan,
  { target, candidate, points, failureBelow, decided }: Omit<CapacityResult, 'sentence'>,
  frozen: Frozen | null,
  best: GridPoint | undefined,
  above: GridPoint | undefined,
): string {
  const conditions = conditionText(search.pass);
  if (candidate === null) {
    const stuck = frozen?.stuck?.[target];
    if (stuck !== undefined) return `The capacity of ${target} cannot be decided: ${stuck}.`;
    return frozen?.candidates === undefined
      ? `${target}: the search did not end, so no capacity is known.`
      : `${target}: no rate from ${rate(search.fromPerS)} on was found that passes (${conditions}).`;
  }
  if (!decided) {
    const fewest = Math.min(...points.map((p) => p.blocks), Number.POSITIVE_INFINITY);
    return `The capacity of ${target} cannot be decided: ${Number.isFinite(fewest) ? fewest : 0} blocks of a rate of the grid could be judged, ${FEWEST_BLOCKS} are needed.`;
  }
  if (best === undefined) {
    const lowest = points[0];
    return (
      `${target} does not sustain ${rate(lowest?.recordsPerS ?? 0)}, the lowest rate of the grid (${passedText(lowest)}; ${conditions}): its capacity lies below ` +
      `and is not bracketed; search again from a lower rate.`
    );
  }
  const sure = `${passedText(best)}, which leaves a failure probability of up to ${percentText(failureBelow ?? 1)} possible`;
  if (above === undefined)
    return (
      `${target} sustains at least ${rate(best.recordsPerS)}, the highest rate of the grid (${conditions}; ${sure}): its capacity is not ` +
      `bracketed; search again up to a higher rate.`
    );
  return (
    `${target} sustains ${rate(best.recordsPerS)} (${conditions}; ${sure}); ` +
    `at ${rate(above.recordsPerS)} ${passedText(above)}.`
  );
}

function passedText(point: GridPoint | undefined): string {
  return `${point?.passed ?? 0} of ${point?.blocks ?? 0} trials passed`;
}

function rate(recordsPerS: number): string {
  return `${countText(recordsPerS)} records/s`;
}
