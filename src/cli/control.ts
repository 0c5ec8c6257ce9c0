import type { WorkflowHandle } from '@temporalio/client';
import type { Control } from '../temporal/controls.ts';
import { type Context, type Session, withTemporal } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure, unknownExperiment } from './failure.ts';

const ANSWER_MS = 60_000;

/** The reason when the command line gives none. */
export const DEFAULT_REASON = 'asked for on the command line';

/** A whole command: asks a running experiment for something and says what it answered. */
export async function ask(context: Context, id: string, control: Control, request: object): Promise<void> {
  await withTemporal(context, false, async (session) => {
    context.terminal.say(`${id} ${await sendControl(session, id, control, request)}.`);
  });
}

/**
 * Sends an update to a running experiment; returns its answer, a phrase.
 *
 * @throws CommandFailure when there is no such experiment, it has ended, it refuses, or no worker answers.
 */
export async function sendControl(
  { client }: Session,
  id: string,
  control: Control,
  request: object,
): Promise<string> {
  const handle = client.workflow.getHandle(id);
  await requireRunning(id, handle);
  try {
    return await client.withDeadline(Date.now() + ANSWER_MS, () =>
      handle.executeUpdate<string, [object]>(control, { args: [request] }),
    );
  } catch (error) {
    throw refusal(error as Error);
  }
}

async function requireRunning(id: string, handle: WorkflowHandle): Promise<void> {
  let state: string;
  try {
    state = (await handle.describe()).status.name;
  } catch (error) {
    if ((error as Error).name === 'WorkflowNotFoundError') throw unknownExperiment(id);
    throw error;
  }
  if (state !== 'RUNNING')
    throw new CommandFailure(EXIT.usage, `${id} has ended already (${state.toLowerCase()}).`);
}

function refusal({ name, message, cause }: Error): CommandFailure {
  if (name === 'WorkflowUpdateFailedError') {
    const why = cause instanceof Error ? cause.message : message;
    return new CommandFailure(EXIT.usage, `The experiment refused: ${why}`);
  }
  return new CommandFailure(
    EXIT.infrastructure,
    `No worker took the request within a minute (${message.split('\n')[0]}). \`assay up\` starts one; then ask again.`,
  );
}
