import type { FrozenBrief, PlanBrief, TrialInput } from '../activities/contract.ts';
import { keepHistories, runTrial, trialInput } from './attempt.ts';
import type { Logbook } from './logbook.ts';

/** What the trials of such a pass are given. */
export type PassCounts = Pick<FrozenBrief, 'counts' | 'loadLimitMs'> & Pick<FrozenBrief, 'rates'>;

/**
 * Runs these scenarios once, as a pass of block 0: brokers that have just started are slow. Kept, never estimated. Of a
 * rehearsal the first one only, since nothing need be warm.
 */
export async function warmAgain(
  plan: PlanBrief,
  { counts, loadLimitMs, rates }: PassCounts,
  wanted: readonly string[],
  pass: number,
  log: Logbook,
): Promise<void> {
  const scenarios = plan.smoke === true ? wanted.slice(0, 1) : wanted;
  log.expect(scenarios.length);
  log.strip.aside(0, pass, scenarios);
  const settings = {
    block: 0,
    pass,
    rampMs: 0,
    counts,
    loadLimitMs,
    lab: log.lab,
    ...(rates === undefined ? {} : { rates }),
  };
  const ran: TrialInput[] = [];
  for (const [index, scenario] of scenarios.entries()) {
    const input = trialInput(plan, settings, scenario, 1, index + 1);
    ran.push(input);
    await runTrial(input, log);
  }
  log.strip.back();
  await keepHistories(plan, ran);
}
