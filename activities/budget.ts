import { beating } from './beat.ts';
import type { Bench } from './bench.ts';
import type { HostActivities } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { pricesOf } from './prices.ts';
import { budgetHolds, costOf, usdPerHour } from '../src/design/cost.ts';
import { billedParts } from '../src/design/lab-cost.ts';
import { spanOf } from '../src/store/trial-span.ts';
import { loadTrials } from '../src/store/experiment-files.ts';

/** Export and teardown, generously. */
const AFTERWARDS_MS = 10 * 60_000;

/** Money, looked at where a block begins: what has been measured is kept, and no further block is begun. */
export function budgetActivities(deps: ActivityDeps): Pick<HostActivities, 'assessBudget'> {
  return {
    assessBudget: ({ ref, block, sinceMs }) =>
      beating(async () => assessBudget(await deps.benches.open(ref), block, sinceMs)),
  };
}

async function assessBudget(
  bench: Bench,
  block: number,
  sinceMs: number,
): Promise<{ readonly enough: boolean; readonly message: string }> {
  const { lab, spec } = bench.plan;
  const prices = await pricesOf(bench);
  if (prices === null)
    return {
      enough: true,
      message: 'design.budget.usd cannot be watched: no prices are known; write lab.kubernetes.prices',
    };
  const { billed } = billedParts(lab);
  const spans = billed.map((one) => ({ ...one, fromMs: sinceMs, toMs: null }));
  return budgetHolds({
    limitUsd: spec.design.budget.usd ?? null,
    accrued: costOf(spans, prices, Date.now()),
    usdPerHour: billed.reduce((sum, one) => sum + (usdPerHour(one, prices) ?? 0), 0),
    nextBlockMs: await blockMs(bench, block - 1),
    afterwardsMs: AFTERWARDS_MS,
  });
}

/** How long a block took; the next one takes as long. */
async function blockMs({ store }: Bench, block: number): Promise<number> {
  const span = spanOf((await loadTrials(store)).filter((trial) => trial.block === block));
  return span === null ? 0 : span.toMs - span.fromMs;
}
