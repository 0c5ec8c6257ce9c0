import {
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import { experimentKey } from '../src/design/names.ts';
import { type ExperimentResult, HOST_MEMO, HOST_QUEUE } from '../src/temporal/status.ts';
import type { FrozenBrief, PlanBrief } from '../activities/contract.ts';
import { hostActivities, planActivities } from './activities.ts';
import { markRehearsal } from './attributes.ts';
import { measureBlock } from './block.ts';
import { concludeExperiment, type Ending } from './conclude.ts';
import { type ControlPages, Controls } from './controls.ts';
import { type Aborted, listen } from './listen.ts';
import { changeLab } from './labs.ts';
import { Logbook, type LogbookPages } from './logbook.ts';
import { takeMachine } from './machine.ts';
import { pausePoint } from './pause.ts';
import { repairIfNeeded } from './repair.ts';
import { warmUp } from './warm-up.ts';

const MINUTE = 60_000;
const PROVISION_MS = 20 * MINUTE;
/** Blocks in a row without one long enough window after which going on is pointless (docs/decisions/0008). */
const TOO_SHORT_BLOCKS = 2;
const TOO_SHORT = `Every trial of ${TOO_SHORT_BLOCKS} blocks in a row was void for a steady window that is too short`;

/** What an experiment hands to its next run when its history grows long; only at a block boundary. */
export interface Carried {
  readonly plan: PlanBrief;
  readonly frozen: FrozenBrief;
  readonly nextBlock: number;
  readonly log: LogbookPages;
  readonly controls?: ControlPages;
}

/**
 * The whole story of an experiment: plan → lease → provision → warm up → freeze → blocks of trials → analyse →
 * export → teardown → verify gone. Its first argument is the spec as JSON; `carried` is its own.
 */
export async function experiment(spec: unknown, carried?: Carried): Promise<ExperimentResult> {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const key = experimentKey(workflowId, firstExecutionRunId);
  const log = new Logbook(key, carried?.log, Date.now());
  const controls = new Controls(carried?.controls);
  controls.plan = log.plan = carried?.plan ?? null;
  controls.frozen = carried?.frozen ?? null;
  const abortable = new CancellationScope();
  const aborted = listen(log, controls, abortable);

  const plan = carried?.plan ?? (await planActivities(askedHost()).planExperiment({ spec, key, workflowId }));
  controls.plan = log.plan = plan;
  markRehearsal(plan);
  let ending: Ending = { kind: 'completed' };
  try {
    await abortable.run(async () => {
      const frozen = carried?.frozen ?? (await prepareLab(plan, log, controls));
      await measureBlocks(spec, plan, frozen, carried?.nextBlock ?? 1, log, controls);
    });
  } catch (error) {
    ending = await endingOf(error, aborted);
  }
  return CancellationScope.nonCancellable(() => concludeExperiment(plan, log, controls, ending));
}

/** The host that `assay run` names: the home from which it was started. Without one any worker may become the host. */
function askedHost(): string | undefined {
  const host = workflowInfo().memo?.[HOST_MEMO];
  return typeof host === 'string' && HOST_QUEUE.test(host) ? host : undefined;
}

/** From nothing to a warm lab with everything frozen that block 1 needs. */
async function prepareLab(plan: PlanBrief, log: Logbook, controls: Controls): Promise<FrozenBrief> {
  log.expect(plan.orders.flat().length);
  await takeMachine(plan, log);
  log.enter('provisioning', 'starting the brokers');
  const lab = await hostActivities(plan.hostQueue, PROVISION_MS).provisionLab(plan.ref);
  log.enter('warming-up', `${lab.brokers} brokers of Kafka ${lab.kafkaVersion} are up; block 0 warms them`);
  controls.frozen = await warmUp(plan, log, controls);
  log.expect(controls.measured(plan.orders).length - plan.orders.flat().length);
  return controls.frozen;
}

async function measureBlocks(
  spec: unknown,
  plan: PlanBrief,
  frozen: FrozenBrief,
  firstBlock: number,
  log: Logbook,
  controls: Controls,
): Promise<void> {
  log.enter('measuring', `block ${firstBlock} of ${controls.lastBlock}`);
  for (let block = firstBlock; block <= controls.lastBlock; block += 1) {
    const paused = await pausePoint(plan, log, controls, { block, pass: null, position: 1 });
    if (paused && !(await repairIfNeeded(plan, frozen, log))) return;
    if (block > controls.lastBlock) return;
    if (Date.now() > log.startedAtMs + plan.deadlineMs) {
      log.notes.push(`The deadline came before block ${block}: the experiment ends with what it has.`);
      return;
    }
    if (await tooDear(plan, block, log)) return;
    await changeLab(plan, frozen, block, log);
    const { labLives, allTooShort } = await measureBlock(plan, frozen, block, log, controls);
    if (!labLives) return;
    log.blocksTooShort = allTooShort ? log.blocksTooShort + 1 : 0;
    if (log.blocksTooShort >= TOO_SHORT_BLOCKS) {
      log.notes.push(
        `${TOO_SHORT}, the last of them block ${block}: the experiment ends, more blocks would be void alike.`,
      );
      return;
    }
    if (await narrowEnough(plan, block, log)) return;
    if (workflowInfo().continueAsNewSuggested && block < controls.lastBlock) {
      await condition(allHandlersFinished);
      const carried = { plan, frozen, nextBlock: block + 1, log: log.pages(), controls: controls.pages() };
      await continueAsNew<typeof experiment>(spec, carried);
    }
  }
}

/** The budget of money: block 1 is what the experiment is for, later ones are begun while they can be paid. */
async function tooDear(plan: PlanBrief, block: number, log: Logbook): Promise<boolean> {
  if (plan.costs === undefined || block === 1) return false;
  const input = { ref: plan.ref, block, sinceMs: log.startedAtMs };
  const { enough, message } = await hostActivities(plan.hostQueue).assessBudget(input);
  if (!enough) log.notes.push(`The experiment ends before block ${block}: ${message}.`);
  return !enough;
}

/** The stopping rule: looked at only at the end of blocks, and not before there are enough of them. */
async function narrowEnough(plan: PlanBrief, block: number, log: Logbook): Promise<boolean> {
  if (plan.stopFrom === undefined || block < plan.stopFrom || block >= plan.orders.length) return false;
  const { enough, message } = await hostActivities(plan.hostQueue).assessBlocks({ ref: plan.ref, block });
  if (enough) log.notes.push(message);
  return enough;
}

async function endingOf(error: unknown, aborted: Aborted): Promise<Ending> {
  if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
  if (aborted.reason !== null) return { kind: 'aborted', message: `aborted: ${aborted.reason}` };
  if (isCancellation(error)) return { kind: 'aborted', message: 'cancelled from outside' };
  return { kind: 'failed', error };
}
