import type { Frozen, Plan, SearchPlan } from '../design/plan.ts';
import type { TrialRecord } from '../measure/trial-record.ts';
import { countText } from './format.ts';
import { type Judged, judge } from './judge.ts';

/** What a search does next. Rates are records/s over all loads of the searched producer. */
export type SearchStep =
  | { readonly kind: 'try'; readonly recordsPerS: number; readonly because: string }
  /** The highest rate that passed; the next one above it that failed is within the resolution. */
  | { readonly kind: 'candidate'; readonly recordsPerS: number; readonly because: string }
  /** Even the lowest rate fails. */
  | { readonly kind: 'none'; readonly because: string }
  /** Even the highest rate passes: the capacity is not bracketed. */
  | { readonly kind: 'all-pass'; readonly recordsPerS: number; readonly because: string }
  /** Trials at this rate say nothing, as often as may be tried. */
  | { readonly kind: 'stuck'; readonly recordsPerS: number; readonly because: string };

/**
 * The next step of the search for one target: the lowest rate, the highest, then geometric bisection until the lowest rate that failed
 * is within the resolution above the highest that passed. A trial that says nothing is tried again, `retries` times. Where bisection ends
 * is a candidate for the grid and never an answer: with noise it lands where half of the trials pass.
 *
 * @param trials search trials so far; those of other targets are left out here. The asked rates of their loads say which rate they tried.
 */
export function nextSearchStep(
  plan: Pick<Plan, 'search' | 'retries'>,
  target: string,
  trials: readonly TrialRecord[],
): SearchStep {
  const { search } = plan;
  if (search === null) throw new Error('the plan has no search');
  const look = (recordsPerS: number) => at(search, target, recordsPerS, trials);
  const [from, to] = [askable(search, search.fromPerS), askable(search, search.toPerS)];
  const lowest = look(from);
  if (lowest.outcome === 'unknown') return again(from, lowest, plan.retries, 'the lowest rate');
  if (lowest.outcome === 'failed')
    return { kind: 'none', because: `even ${rateText(from)} fails: ${lowest.because}` };
  const highest = look(to);
  if (highest.outcome === 'unknown') return again(to, highest, plan.retries, 'the highest rate');
  if (highest.outcome === 'passed')
    return { kind: 'all-pass', recordsPerS: to, because: `even ${rateText(to)} passes: ${highest.because}` };
  return bisect(search, look, { passed: from, failed: to }, highest.because, plan.retries);
}

function bisect(
  search: SearchPlan,
  look: (recordsPerS: number) => Tried,
  bracket: { readonly passed: number; readonly failed: number },
  whyFailed: string,
  retries: number,
): SearchStep {
  const { passed, failed } = bracket;
  const middle = askable(search, Math.sqrt(passed * failed));
  const closeEnough = failed / passed <= 1 + search.resolution || middle <= passed || middle >= failed;
  if (closeEnough)
    return {
      kind: 'candidate',
      recordsPerS: passed,
      because: `${rateText(passed)} passed, ${rateText(failed)} failed: ${whyFailed}`,
    };
  const tried = look(middle);
  if (tried.outcome === 'unknown')
    return again(
      middle,
      tried,
      retries,
      `between ${rateText(passed)} (passed) and ${rateText(failed)} (failed)`,
    );
  return tried.outcome === 'passed'
    ? bisect(search, look, { passed: middle, failed }, whyFailed, retries)
    : bisect(search, look, { passed, failed: middle }, tried.because, retries);
}

interface Tried extends Judged {
  readonly attempts: number;
}

/** The first trial at this rate that says something; a later one would be a choice made after seeing the outcome. */
function at(search: SearchPlan, target: string, recordsPerS: number, trials: readonly TrialRecord[]): Tried {
  const grid = search.targets.find((t) => t.scenario === target)?.grid ?? [];
  const judged = trials
    .filter((t) => t.scenario === target || grid.includes(t.scenario))
    .filter((t) => Math.abs((askedRate(search, t) ?? 0) - recordsPerS) < 0.5)
    .map((t) => judge(t, search.pass));
  const known = judged.find((j) => j.outcome !== 'unknown');
  const last = known ?? judged.at(-1) ?? { outcome: 'unknown', because: 'not tried' };
  return { ...last, attempts: judged.length };
}

function again(recordsPerS: number, tried: Tried, retries: number, where: string): SearchStep {
  if (tried.attempts > retries)
    return {
      kind: 'stuck',
      recordsPerS,
      because: `${tried.attempts} trials at ${rateText(recordsPerS)} say nothing: ${tried.because}`,
    };
  const because = tried.attempts === 0 ? where : `again: ${tried.because}`;
  return { kind: 'try', recordsPerS, because };
}

/** What a search trial asked of all searched loads together, records/s; null when its record does not say. */
export function askedRate(search: SearchPlan, trial: TrialRecord): number | null {
  const asked = trial.loads
    .filter((l) => search.loads.includes(l.name))
    .map((l) => l.askedRecordsPerS ?? null);
  if (asked.length === 0 || asked.includes(null)) return null;
  return asked.reduce<number>((sum, perS) => sum + (perS ?? 0), 0);
}

/** Whole records per second for each load. */
function askable(search: SearchPlan, recordsPerS: number): number {
  return search.loads.length * perLoad(search, recordsPerS);
}

function perLoad({ loads }: SearchPlan, recordsPerS: number): number {
  return Math.max(1, Math.round(recordsPerS / Math.max(1, loads.length)));
}

function rateText(recordsPerS: number): string {
  return `${countText(recordsPerS)} records/s`;
}

/** The rate of each searched load when all together ask for `recordsPerS`: for a trial's `rates`. */
export function loadRates(search: SearchPlan, recordsPerS: number): Readonly<Record<string, number>> {
  return Object.fromEntries(search.loads.map((name) => [name, perLoad(search, recordsPerS)]));
}

/** What the candidates fix before block 1: the rates of the grids, and the grids that have none. */
export function gridOf(
  plan: Pick<Plan, 'search' | 'scenarios'>,
  candidates: Readonly<Record<string, number | null>>,
): Pick<Required<Frozen>, 'rates' | 'leftOut'> {
  const { search } = plan;
  const rates: Record<string, Readonly<Record<string, number>>> = {};
  const leftOut: Record<string, string> = {};
  for (const { slug, grid } of search === null ? [] : plan.scenarios) {
    if (grid === undefined || search === null) continue;
    const candidate = candidates[grid.of] ?? null;
    if (candidate === null) leftOut[slug] = `the search ended without a candidate for ${grid.of}`;
    else rates[slug] = loadRates(search, candidate * grid.factor);
  }
  return { rates, leftOut };
}

/** The plan with these rates instead of its own; loads without one keep theirs. */
export function withRates(plan: Plan, rates: NonNullable<Frozen['rates']>): Plan {
  return {
    ...plan,
    scenarios: plan.scenarios.map((scenario) => ({
      ...scenario,
      loads: scenario.loads.map((load) =>
        load.kind === 'producer'
          ? { ...load, recordsPerS: rates[scenario.slug]?.[load.name] ?? load.recordsPerS }
          : load,
      ),
    })),
  };
}
