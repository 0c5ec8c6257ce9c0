import { CancellationScope, isCancellation } from '@temporalio/workflow';
import type { PlanBrief } from '../activities/contract.ts';
import type { Place } from '../src/design/deviation.ts';
import { PAUSE_MOST_MS } from '../src/temporal/controls.ts';
import { hostActivities } from './activities.ts';
import type { Controls, RunningPause } from './controls.ts';
import { messageOf } from './failures.ts';
import type { Logbook } from './logbook.ts';
import { takeMachine } from './machine.ts';

/** A pause may be given a new limit again and again; the deadline of the experiment bounds it, this is only a guard. */
const HOLD_MS = 30 * PAUSE_MOST_MS;

/**
 * Between two trials: waits while somebody wants the experiment to pause. The lab stays up and the machine stays
 * ours. Returns whether it waited: then the brokers have to be looked at before the next trial.
 *
 * @param place of the trial that comes next.
 */
export async function pausePoint(
  plan: PlanBrief,
  log: Logbook,
  controls: Controls,
  place: Place,
): Promise<boolean> {
  controls.place = place;
  if (!controls.pauseBegins(Date.now())) return false;
  const { phase, message } = log;
  try {
    await keepingMachine(plan, log, async () => {
      for (let now = controls.paused; now !== null && now.over === null; now = controls.paused) {
        log.enter('paused', pauseText(now));
        await controls.pauseChanges();
      }
    });
  } finally {
    controls.pauseEnds(Date.now());
  }
  await takeMachine(plan, log);
  log.enter(phase, message);
  return true;
}

function pauseText({ untilMs, reason }: RunningPause): string {
  return `paused until ${new Date(untilMs).toISOString().slice(0, 19)}Z at the latest: ${reason}`;
}

/** Keeps the machine ours for as long as `wait` takes: nothing else renews the lease while no trial runs. */
export async function keepingMachine(
  plan: PlanBrief,
  log: Logbook,
  wait: () => Promise<unknown>,
): Promise<void> {
  const holding = new CancellationScope();
  const held = holding.run(() => holdMachine(plan, log));
  try {
    await wait();
  } finally {
    holding.cancel();
    await held;
  }
}

/** Renews the lease until it is cancelled. When that fails the machine is taken anew after the pause. */
async function holdMachine(plan: PlanBrief, log: Logbook): Promise<void> {
  try {
    await hostActivities(plan.hostQueue, HOLD_MS, 'keeps the machine ours').holdLease(plan.ref);
  } catch (error) {
    if (isCancellation(error)) return;
    log.notes.push(`The lease of the machine could not be kept: ${messageOf(error)}.`);
  }
}
