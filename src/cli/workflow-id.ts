import { trialWorkflowId } from '../design/names.ts';
import type { Plan } from '../design/plan.ts';
import { unseenCharacter } from '../spec/visible.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure } from './failure.ts';

/** Temporal takes 1000 bytes, but the columns of its SQL stores, which lists and filters read, hold 255. */
const MAX_BYTES = 255;

/**
 * Refuses a workflow id that Temporal or our own names could not use, before anything starts.
 *
 * @throws CommandFailure with the reason, exit code 2.
 */
export function requireUsableId(id: string, plan: Plan): void {
  const problem = idProblem(id, longestTail(plan));
  if (problem === null) return;
  throw new CommandFailure(
    EXIT.usage,
    `--id: ${problem}. Take letters, digits, - _ and dots, e.g. codec-2; nothing was started.`,
  );
}

/** Why an id cannot name an experiment whose trials add at most `tailBytes` to it; null = it can. Pure. */
export function idProblem(id: string, tailBytes: number): string | null {
  if (id.trim() === '') return 'it is empty';
  const unseen = unseenCharacter(id, false);
  if (unseen !== null) return `it holds the unseen character ${unseen}`;
  if (!id.isWellFormed()) return 'it is no valid Unicode text';
  if (id !== id.trim()) return `"${id}" begins or ends with a space`;
  if (id.startsWith('-')) return `"${id}" begins with a dash, so other commands would take it for an option`;
  if (/\/b\d+(\.p\d+)?\/[^/]+\/\d+$/.test(id)) return `"${id}" has the form of a trial's id`;
  const most = MAX_BYTES - tailBytes;
  const bytes = Buffer.byteLength(id);
  if (bytes > most) return `it has ${bytes} bytes; at most ${most} leave room for the names of its trials`;
  return null;
}

/** Bytes that the longest id of a trial has beyond the experiment's. */
function longestTail(plan: Plan): number {
  const tails = plan.scenarios.map(({ slug }) =>
    Buffer.byteLength(trialWorkflowId('', { block: 9999, pass: null, scenario: slug, attempt: 99 })),
  );
  return Math.max(...tails);
}
