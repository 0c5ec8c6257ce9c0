import { beating } from './beat.ts';
import type { Bench } from './bench.ts';
import type { Counts, FrozenBrief, HostActivities, PassPlan } from './contract.ts';
import type { ActivityDeps } from './deps.ts';
import { beforeFreeze } from '../src/analysis/before-freeze.ts';
import { blocksWithinBudget } from '../src/analysis/budget.ts';
import { countsForPass, freeze } from '../src/analysis/freeze.ts';
import { passesAgree } from '../src/analysis/warm.ts';
import type { LoadPlan, Plan } from '../src/design/plan.ts';
import { loadLimitMs } from '../src/design/load-limit.ts';
import type { TrialRecord } from '../src/measure/trial-record.ts';
import { asJson, FILES, loadTrials } from '../src/store/experiment-files.ts';

/** A load may wait for others that start before it. */
const JOIN_FIRST_MS = 10_000;

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
  return { enough: false, message: `pass ${pass}`, counts, loadLimitMs: limits(plan, counts, before) };
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
    loadLimitMs: limits(bench.plan, counts, last),
  };
}

/** Scenario → hard deadline of its loads: of the slowest, by its own rate in the pass before or the one it is asked for. */
function limits(
  plan: Plan,
  counts: Readonly<Record<string, Counts>>,
  before: readonly TrialRecord[],
): Record<string, number> {
  return Object.fromEntries(
    plan.scenarios.map(({ slug, loads }) => {
      const ran = before.findLast((t) => t.scenario === slug)?.loads ?? [];
      const each = loads.map((load) => {
        const records = counts[slug]?.[load.name] ?? 0;
        const seen = ran.find((l) => l.name === load.name);
        const rate = seen?.steady?.recordsPerS ?? seen?.totalRecordsPerS ?? askedRate(load);
        return loadLimitMs(records, rate, recordBytesOf(plan, load));
      });
      return [slug, JOIN_FIRST_MS + Math.max(0, ...each)];
    }),
  );
}

function askedRate(load: LoadPlan): number | null {
  return load.kind === 'producer' ? load.recordsPerS : null;
}

function recordBytesOf(plan: Plan, load: LoadPlan): number {
  const payload = load.kind === 'producer' ? load.payload : '';
  return plan.payloads.find((p) => p.name === payload)?.recordBytes ?? 0;
}
