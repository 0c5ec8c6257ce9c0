import {
  CancellationScope,
  allHandlersFinished,
  condition,
  continueAsNew,
  defineQuery,
  defineUpdate,
  isCancellation,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { experimentKey } from '../src/design/names.ts';
import { ABORT_UPDATE, STATUS_QUERY } from '../src/temporal/status.ts';
import type { AbortRequest, ExperimentResult, ExperimentStatus } from '../src/temporal/status.ts';
import type { FrozenBrief, PlanBrief } from '../activities/contract.ts';
import { hostActivities, planExperiment } from './activities.ts';
import { measureBlock } from './block.ts';
import { concludeExperiment, type Ending } from './conclude.ts';
import { Logbook, type LogbookPages } from './logbook.ts';
import { warmUp } from './warm-up.ts';

const MINUTE = 60_000;
/** Waiting for another experiment to leave the machine may take as long as that experiment. */
const LEASE_WAIT_MS = 24 * 60 * MINUTE;
const PROVISION_MS = 20 * MINUTE;

/** What an experiment hands to its next run when its history grows long; only at a block boundary. */
export interface Carried {
  readonly plan: PlanBrief;
  readonly frozen: FrozenBrief;
  readonly nextBlock: number;
  readonly log: LogbookPages;
}

const statusQuery = defineQuery<ExperimentStatus>(STATUS_QUERY);
const abortUpdate = defineUpdate<string, [AbortRequest]>(ABORT_UPDATE);

/**
 * The whole story of an experiment: plan → lease → provision → warm up → freeze → blocks of trials → analyse →
 * export → teardown → verify gone. Its first argument is the spec as JSON; `carried` is its own.
 */
export async function experiment(spec: unknown, carried?: Carried): Promise<ExperimentResult> {
  const { workflowId, firstExecutionRunId } = workflowInfo();
  const key = experimentKey(workflowId, firstExecutionRunId);
  const log = new Logbook(key, carried?.log, Date.now());
  const abortable = new CancellationScope();
  const aborted = listen(log, abortable);

  const plan = carried?.plan ?? (await planExperiment({ spec, key, workflowId }));
  log.plan = plan;
  let ending: Ending = { kind: 'completed' };
  try {
    await abortable.run(async () => {
      const frozen = carried?.frozen ?? (await prepareLab(plan, log));
      await measureBlocks(spec, plan, frozen, carried?.nextBlock ?? 1, log);
    });
  } catch (error) {
    ending = await endingOf(error, aborted);
  }
  return CancellationScope.nonCancellable(() => concludeExperiment(plan, log, ending));
}

/** From nothing to a warm lab with everything frozen that block 1 needs. */
async function prepareLab(plan: PlanBrief, log: Logbook): Promise<FrozenBrief> {
  log.expect(plan.orders.flat().length);
  await takeMachine(plan, log);
  log.enter('provisioning', 'starting the brokers');
  const lab = await hostActivities(plan.hostQueue, PROVISION_MS).provisionLab(plan.ref);
  log.enter('warming-up', `${lab.brokers} brokers of Kafka ${lab.kafkaVersion} are up; block 0 warms them`);
  return warmUp(plan, log);
}

/** One experiment measures a machine at a time; who waits says for whom. */
async function takeMachine(plan: PlanBrief, log: Logbook): Promise<void> {
  log.enter('waiting-for-lease', 'taking the machine');
  const { holder } = await hostActivities(plan.hostQueue).tryLease(plan.ref);
  if (holder === null) return;
  log.leaseHolder = holder;
  log.enter('waiting-for-lease', holder);
  await hostActivities(plan.hostQueue, LEASE_WAIT_MS).waitForLease(plan.ref);
  log.leaseHolder = null;
}

async function measureBlocks(
  spec: unknown,
  plan: PlanBrief,
  frozen: FrozenBrief,
  firstBlock: number,
  log: Logbook,
): Promise<void> {
  log.enter('measuring', `block ${firstBlock} of ${plan.orders.length}`);
  for (let block = firstBlock; block <= plan.orders.length; block += 1) {
    if (Date.now() > log.startedAtMs + plan.deadlineMs) {
      log.notes.push(`The deadline came before block ${block}: the experiment ends with what it has.`);
      return;
    }
    const labLives = await measureBlock(plan, frozen, block, log);
    if (!labLives) return;
    if (workflowInfo().continueAsNewSuggested && block < plan.orders.length) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof experiment>(spec, { plan, frozen, nextBlock: block + 1, log: log.pages() });
    }
  }
}

/** Registers the query and the update; returns what was asked for, if an abort was. */
function listen(log: Logbook, abortable: CancellationScope): { reason: string | null } {
  const aborted: { reason: string | null } = { reason: null };
  setHandler(statusQuery, () => log.status(Date.now()));
  setHandler(
    abortUpdate,
    (request) => {
      aborted.reason = request.reason;
      abortable.cancel();
      return 'aborting: loads end, what was measured is kept, the lab is torn down';
    },
    {
      validator: (_request: AbortRequest) => {
        if (log.outcome !== null) throw new Error('The experiment has ended; there is nothing to abort.');
      },
    },
  );
  return aborted;
}

async function endingOf(error: unknown, aborted: { reason: string | null }): Promise<Ending> {
  if (error instanceof Error && error.name === 'ContinueAsNew') throw error;
  if (aborted.reason !== null) return { kind: 'aborted', message: `aborted: ${aborted.reason}` };
  if (isCancellation(error)) return { kind: 'aborted', message: 'cancelled from outside' };
  return { kind: 'failed', error };
}
