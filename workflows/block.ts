import type { FrozenBrief, PlanBrief, TrialBrief, TrialInput } from '../activities/contract.ts';
import { keepHistories, runTrial, trialInput } from './attempt.ts';
import type { Controls } from './controls.ts';
import type { Logbook } from './logbook.ts';
import { pausePoint } from './pause.ts';
import { Plots } from './plots.ts';
import { repairIfNeeded } from './repair.ts';

/** How a block ended. */
export interface BlockEnd {
  /** False: the lab died and could not be repaired. */
  readonly labLives: boolean;
  /** Every trial of the block was void because its window was too short. */
  readonly allTooShort: boolean;
}

const LAB_LOST: BlockEnd = { labLives: false, allTooShort: false };

/**
 * One block: every scenario once, in the block's drawn order; voided attempts are tried anew at the block's
 * end. Between two trials it may be paused, and trials may be skipped.
 */
export async function measureBlock(
  plan: PlanBrief,
  frozen: FrozenBrief,
  block: number,
  log: Logbook,
  controls: Controls,
): Promise<BlockEnd> {
  const { rampMs, counts, loadLimitMs, rates = {} } = frozen;
  const settings = { block, pass: null, rampMs, counts, loadLimitMs, rates, lab: log.lab };
  const order = controls.measured(controls.orders.slice(block - 1, block));
  const plots = new Plots(plan, order, log);
  const queue = order.map((scenario) => ({ scenario, attempt: 1 }));
  const ran: TrialInput[] = [];
  let tooShort = 0;
  controls.blockBegun = block;
  log.strip.begin(block, null, order);
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const position = ran.length + 1;
    const paused = await pausePoint(plan, log, controls, { block, pass: null, position });
    const alike = plots.scenariosLike(next.scenario);
    if (paused && !(await repairIfNeeded(plan, frozen, log, alike))) return LAB_LOST;
    const input = trialInput(plan, settings, next.scenario, next.attempt, position);
    if (controls.takeSkip(input, Date.now()) !== null) {
      log.trialSkipped(input);
      continue;
    }
    await plots.enter(next.scenario, frozen);
    ran.push(input);
    const brief = await runTrial(input, log);
    if (isTooShort(brief)) tooShort += noteTooShort(brief, log);
    if (!brief.valid && brief.newAttempt && next.attempt <= plan.retries) {
      queue.push({ scenario: next.scenario, attempt: next.attempt + 1 });
      log.attemptExpected(next.scenario, next.attempt + 1);
    }
    if (!brief.valid && !(await repairIfNeeded(plan, frozen, log, alike))) return LAB_LOST;
  }
  if (ran.length > 0) await keepHistories(plan, ran);
  return { labLives: true, allTooShort: ran.length > 0 && tooShort === ran.length };
}

function isTooShort({ reasons }: TrialBrief): boolean {
  return reasons.some((r) => r.code === 'window-too-short');
}

/** Says once a scenario what a new attempt would not mend: it would send the same records. Returns 1. */
function noteTooShort({ scenario, reasons }: TrialBrief, log: Logbook): 1 {
  const head = `${scenario}: the steady window was too short`;
  if (log.notes.some((note) => note.startsWith(head))) return 1;
  const seen = reasons.find((r) => r.code === 'window-too-short')?.message ?? '';
  log.notes.push(
    `${head} (${seen}). No new attempt: it would send the same records. Give its load a longer \`for\` or more records, or lower window.ramp or window.min, and run again.`,
  );
  return 1;
}
