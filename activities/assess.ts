import { beating } from './beat.ts';
import type { Bench } from './bench.ts';
import type { HostActivities } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { voids } from './errors.ts';
import { depleted, depletionReadings } from '../src/analysis/depletion.ts';
import { enough } from '../src/analysis/stopping.ts';
import { isDepletionPass } from '../src/design/passes.ts';
import { loadFrozen, loadTrials } from '../src/store/experiment-files.ts';

/** Decisions that the data make while an experiment runs: each by a rule that the plan fixed beforehand. */
export function assessActivities(deps: ActivityDeps): Pick<HostActivities, 'assessBlocks' | 'planDepletion'> {
  return {
    assessBlocks: ({ ref, block }) => beating(async () => assess(await deps.benches.open(ref), block)),
    planDepletion: ({ ref, startedAtMs }) =>
      beating(async () => depletion(await deps.benches.open(ref), startedAtMs)),
  };
}

async function assess(
  { plan, store }: Bench,
  block: number,
): Promise<{ readonly enough: boolean; readonly message: string }> {
  const frozen = (await loadFrozen(store))?.frozen ?? null;
  const look = enough(plan, await loadTrials(store), block, frozen);
  return { enough: look.enough, message: `After block ${block}: ${look.because}.` };
}

const MIB = 1024 ** 2;

async function depletion(
  { plan, store }: Bench,
  startedAtMs: number,
): Promise<{ readonly over: boolean; readonly message: string }> {
  if (plan.deplete === null) throw voids('bug', 'the plan asks for no depletion');
  const trials = (await loadTrials(store)).filter((t) => isDepletionPass(t.pass));
  const readings = depletionReadings(plan, trials, startedAtMs);
  const outcome = depleted(plan.deplete, readings, Date.now() - startedAtMs);
  const last = readings.at(-1);
  const now = last === undefined ? '' : ` (now ${(last.bytesPerS / MIB).toFixed(1)} MiB/s)`;
  const bounds = `above ${(plan.deplete.upperBytesPerS / MIB).toFixed(1)}, then below ${(plan.deplete.lowerBytesPerS / MIB).toFixed(1)} MiB/s`;
  const words = {
    depleted: `Burst credits are used up: the rate was ${bounds}${now}.`,
    limit: `Burst credits may not be used up: the rate was not ${bounds} within ${Number((plan.deplete.limitMs / 60_000).toPrecision(3))} min${now}.`,
    'going-on': `using up burst credits, until the rate was ${bounds}${now}`,
  };
  return { over: outcome !== 'going-on', message: words[outcome] };
}
