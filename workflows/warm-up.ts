import type { FrozenBrief, PlanBrief, TrialInput } from '../activities/contract.ts';
import { hostActivities } from './activities.ts';
import { keepHistories, runTrial, trialInput } from './attempt.ts';
import type { Controls } from './controls.ts';
import type { Logbook } from './logbook.ts';
import { useUpCredits } from './deplete.ts';
import { pausePoint } from './pause.ts';
import { Plots } from './plots.ts';
import { mend } from './repair.ts';
import { searchCandidates } from './search.ts';

/**
 * Block 0: every scenario once, repeated until two passes agree or the cap is reached; kept, never estimated.
 * Then freezes what only the machines can say: counts, ramp, expected precision.
 */
export async function warmUp(plan: PlanBrief, log: Logbook, controls: Controls): Promise<FrozenBrief> {
  const host = hostActivities(plan.hostQueue);
  let pass = 0;
  for (;;) {
    const next = await host.planPass({ ref: plan.ref, pass: pass + 1 });
    if (next.enough) break;
    pass += 1;
    log.expect(plan.warmupOrders[0]?.length ?? 0);
    log.enter('warming-up', `block 0, pass ${pass} of at most ${plan.maxPasses}`);
    await warmUpPass(plan, log, controls, pass, next);
  }
  await searchCandidates(plan, log, controls);
  const frozen = await host.freezeExperiment({ ref: plan.ref, passes: pass });
  sayLeftOut(frozen, log);
  await useUpCredits(plan, frozen, log, controls);
  return frozen;
}

function sayLeftOut({ leftOut = {} }: FrozenBrief, log: Logbook): void {
  for (const [scenario, why] of Object.entries(leftOut))
    log.notes.push(`${scenario} is not measured: ${why}`);
}

async function warmUpPass(
  plan: PlanBrief,
  log: Logbook,
  controls: Controls,
  pass: number,
  settings: Pick<FrozenBrief, 'counts' | 'loadLimitMs'>,
): Promise<void> {
  const order = plan.warmupOrders[(pass - 1) % plan.warmupOrders.length] ?? plan.scenarios;
  const ran: TrialInput[] = [];
  const plots = new Plots(plan, order, log);
  log.strip.begin(0, pass, order);
  for (const scenario of order) {
    // The first pass is a pilot: whatever it says of the rate, it is a first warm-up itself.
    await plots.enter(scenario, pass === 1 ? null : settings);
    const place = { block: 0, pass, position: ran.length + 1 };
    if (await pausePoint(plan, log, controls, place)) await mend(plan, log);
    const { counts, loadLimitMs } = settings;
    const input = trialInput(
      plan,
      { block: 0, pass, rampMs: 0, counts, loadLimitMs },
      scenario,
      1,
      ran.length + 1,
    );
    ran.push(input);
    const brief = await runTrial(input, log);
    if (!brief.valid) await mend(plan, log);
  }
  await keepHistories(plan, ran);
}
