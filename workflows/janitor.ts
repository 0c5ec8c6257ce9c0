import {
  type ActivityInterfaceFor,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  Found,
  JanitorActivities,
  JanitorInput,
  JanitorLook,
  JanitorReport,
  Leftover,
  Removal,
} from '../activities/contract-janitor.ts';
import { messageOf } from './failures.ts';

const MINUTE = 60_000;
const RETRY = { initialInterval: '2s', maximumInterval: '30s', maximumAttempts: 5 } as const;
/** A lab whose pods, volumes and namespace take as long as they may, and their disks after it. */
const REMOVE_MS = 30 * MINUTE;

/**
 * Finds what terminated experiments left, in the cluster, in EC2 and on the machine of the worker, and removes what is
 * provably ours and whose workflow is closed; a dry run unless its input says `delete`. What it found, removed and left, and
 * why, is its result.
 */
export async function janitor(input?: JanitorInput): Promise<JanitorReport> {
  const seen = await activities({ longestMs: 10 * MINUTE }).lookForLeftovers(input ?? {});
  const found: Found[] = [];
  for (const leftover of seen.leftovers) {
    const removal = seen.delete && leftover.verdict.remove ? await removeOne(leftover, seen) : null;
    found.push({ ...leftover, removal });
    setCurrentDetails(details(seen, found));
  }
  return { format: 1, dryRun: !seen.delete, looks: seen.looks, found };
}

/** One that does not go keeps nobody else's from going. */
async function removeOne(leftover: Leftover, { scope, hostQueue }: JanitorLook): Promise<Removal> {
  const summary = `${leftover.place} ${leftover.id}`;
  const where = leftover.place === 'machine' ? { taskQueue: hostQueue } : {};
  try {
    return await activities({ longestMs: REMOVE_MS, summary, ...where }).removeLeftover({ leftover, scope });
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { outcome: 'incomplete', why: messageOf(error), remains: ['unknown: the removal failed'] };
  }
}

function activities(options: {
  readonly longestMs: number;
  readonly taskQueue?: string;
  readonly summary?: string;
}): ActivityInterfaceFor<JanitorActivities> {
  const { longestMs, ...where } = options;
  return proxyActivities<JanitorActivities>({
    startToCloseTimeout: longestMs,
    // Of the machine that was looked at; nobody waits for one that is gone.
    scheduleToStartTimeout: '10 minutes',
    heartbeatTimeout: '10s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: RETRY,
    ...where,
    taskQueue: where.taskQueue ?? workflowInfo().taskQueue,
  });
}

/** What the Temporal UI shows, as Markdown. */
function details({ delete: acts, looks, leftovers }: JanitorLook, found: readonly Found[]): string {
  const head = acts
    ? `**${found.length} of ${leftovers.length} looked after**`
    : '**a dry run: nothing is removed**';
  const rows = found.map(({ place, id, verdict, removal }) => {
    const state = removal?.outcome ?? (verdict.remove ? 'would be removed' : 'kept');
    return `| ${place} | ${id} | ${state} | ${[removal?.why ?? verdict.why, ...(removal?.remains ?? [])].join('; ').replaceAll('|', '/')} |`;
  });
  const table = ['| place | what | outcome | why |', '|---|---|---|---|', ...rows.slice(-50)];
  const seen = looks.map(({ place, state, says }) => `- ${place}: ${state}, ${says}`);
  return [head, table.join('\n'), seen.join('\n')].join('\n\n');
}
