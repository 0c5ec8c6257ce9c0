import { beating } from './beat.ts';
import type { Bench } from './bench.ts';
import type { HostActivities, SearchStep } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { countsForPass } from '../src/analysis/counts.ts';
import { loadRates, nextSearchStep, withRates } from '../src/analysis/search.ts';
import { loadLimitMs } from '../src/design/load-limit.ts';
import { isSearchPass } from '../src/design/passes.ts';
import { loadTrials } from '../src/store/experiment-files.ts';

/** What a search runs next, from what it ran so far. */
export function searchActivities(deps: ActivityDeps): Pick<HostActivities, 'planSearch'> {
  return { planSearch: (ref) => beating(async () => planSearch(await deps.benches.open(ref))) };
}

async function planSearch({ plan, store }: Bench): Promise<SearchStep> {
  const runs = (await loadTrials(store)).filter((t) => isSearchPass(t.pass));
  for (const { scenario: target } of plan.search?.targets ?? []) {
    const step = nextSearchStep(plan, target, runs);
    if (step.kind === 'try') return runAt(plan, target, step);
  }
  return { message: 'the search is over', trial: null };
}

/** The scenario of the middle of the grid is the target itself, at any rate. */
function runAt(
  plan: Bench['plan'],
  target: string,
  step: { readonly recordsPerS: number; readonly because: string },
): SearchStep {
  const slug = plan.scenarios.find((s) => s.grid?.of === target && s.grid.factor === 1)?.slug ?? target;
  const rates = plan.search === null ? {} : loadRates(plan.search, step.recordsPerS);
  // As in any later pass of block 0: the whole time, at the asked rate.
  const counts = countsForPass(withRates(plan, { [slug]: rates }), 2, [])[slug] ?? {};
  const records = Object.values(counts).reduce((sum, n) => sum + n, 0);
  return {
    message: `searching ${target}: ${Math.round(step.recordsPerS)} records/s (${step.because})`,
    trial: { scenario: slug, counts, rates, loadLimitMs: loadLimitMs(records, step.recordsPerS) },
  };
}
