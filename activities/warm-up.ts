import { beating } from './beat.ts';
import type { Bench } from './bench.ts';
import type { FrozenBrief, HostActivities, PassPlan } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { beforeFreeze } from '../src/analysis/before-freeze.ts';
import { blocksWithinBudget } from '../src/analysis/budget.ts';
import { countsForPass, freeze } from '../src/analysis/freeze.ts';
import { loadLimitsMs } from '../src/analysis/load-limits.ts';
import { passesAgree } from '../src/analysis/warm.ts';
import type { TrialRecord } from '../src/measure/trial-record.ts';
import { asJson, FILES, loadTrials } from '../src/store/experiment-files.ts';

/** Decides how long block 0 goes on, and freezes what only the machines can say. Everything decided is stored. */
export function warmUpActivities(deps: ActivityDeps): Pick<HostActivities, 'planPass' | 'freezeExperiment'> {
  return {
    planPass: ({ ref, pass }) => beating(async () => planPass(await deps.benches.open(ref), pass)),
    freezeExperiment: ({ ref, passes }) =>
      beating(async () => freezeExperiment(await deps.benches.open(ref), passes)),
  };
}

async function planPass(bench: Bench, pass: number): Promise<PassPlan> {
  const { plan } = bench;
  const done = (await loadTrials(bench.store)).filter((t) => t.block === 0);
  const before = done.filter((t) => t.pass === pass - 1);
  const stop = pass > 1 ? whyEnough(plan.warmup, done, pass) : null;
  if (stop !== null) return { enough: true, message: stop, counts: {}, loadLimitMs: {} };
  const counts = countsForPass(plan, pass, before);
  return { enough: false, message: `pass ${pass}`, counts, loadLimitMs: loadLimitsMs(plan, counts, before) };
}

/** Why block 0 ends before this pass; null when another pass is needed. */
function whyEnough(
  warmup: Bench['plan']['warmup'],
  done: readonly TrialRecord[],
  pass: number,
): string | null {
  const last = done.filter((t) => t.pass === pass - 1);
  const { agree, moved } = passesAgree(
    done.filter((t) => t.pass === pass - 2),
    last,
    warmup.agreeWithin,
  );
  if (pass > 2 && agree) return `Block 0 is warm: passes ${pass - 2} and ${pass - 1} agree.`;
  if (pass <= warmup.maxPasses) return null;
  return `Block 0 ended at its cap of ${warmup.maxPasses} passes; still moving: ${moved.join(', ') || 'nothing comparable'}.`;
}

async function freezeExperiment(bench: Bench, passes: number): Promise<FrozenBrief> {
  const block0 = beforeFreeze(await loadTrials(bench.store));
  const frozen = freeze(bench.plan, bench.planSha256, block0);
  const stored = await bench.store.put(FILES.frozen, asJson(frozen));
  const { rampMs, warm, stillWarming, counts, expectedHalfWidth } = frozen;
  const last = block0.filter((t) => t.pass === passes);
  return {
    frozenSha256: stored.sha256,
    rampMs,
    warm,
    stillWarming,
    counts,
    expectedHalfWidth,
    passes: frozen.passes,
    ...(frozen.rates === undefined ? {} : { rates: frozen.rates }),
    ...(frozen.leftOut === undefined ? {} : { leftOut: frozen.leftOut }),
    mostBlocks: blocksWithinBudget(bench.plan, counts, block0),
    loadLimitMs: loadLimitsMs(bench.plan, counts, last),
  };
}
