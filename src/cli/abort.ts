import type { Command } from '@commander-js/extra-typings';
import { ABORT_UPDATE, type AbortRequest } from '../temporal/status.ts';
import { type Context, withTemporal } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { CommandFailure, unknownExperiment } from './failure.ts';

/** `assay abort ID`: asks for the end, then shows the teardown. */
export function addAbort(program: Command, context: Context): void {
  program
    .command('abort')
    .description(
      'end an experiment: the running trial is void, the lab is torn down, what was measured is kept',
    )
    .argument('<id>', 'workflow id of the experiment')
    .option('-r, --reason <text>', 'why, for the record', 'asked for on the command line')
    .option('-d, --detach', 'do not wait for the teardown')
    .action(async (id, options) => {
      await withTemporal(context, false, async (session) => {
        const handle = session.client.workflow.getHandle(id);
        await requireRunning(id, () => handle.describe());
        const request: AbortRequest = { reason: options.reason };
        const update = () => handle.executeUpdate(ABORT_UPDATE, { args: [request] });
        await accepted(() => session.client.withDeadline(Date.now() + 60_000, update));
        context.terminal.say(`${id} is being aborted.`);
        if (options.detach) return;
        const { followToEnd } = await import('./follow-to-end.ts');
        const code = await followToEnd(context, session, id, { json: false, quiet: true });
        // Aborted is what was asked for here.
        context.exitWith(code === EXIT.aborted ? EXIT.ok : code);
      });
    });
}

async function requireRunning(
  id: string,
  describe: () => Promise<{ status: { name: string } }>,
): Promise<void> {
  let state: string;
  try {
    state = (await describe()).status.name;
  } catch (error) {
    if ((error as Error).name === 'WorkflowNotFoundError') throw unknownExperiment(id);
    throw error;
  }
  if (state !== 'RUNNING')
    throw new CommandFailure(EXIT.usage, `${id} has ended already (${state.toLowerCase()}).`);
}

async function accepted(update: () => Promise<unknown>): Promise<void> {
  try {
    await update();
  } catch (error) {
    const { name, message, cause } = error as Error;
    if (name === 'WorkflowUpdateFailedError') {
      const why = cause instanceof Error ? cause.message : message;
      throw new CommandFailure(EXIT.usage, `The experiment refused: ${why}`);
    }
    throw new CommandFailure(
      EXIT.infrastructure,
      `No worker took the request within a minute (${message.split('\n')[0]}). \`assay up\` starts one; then ask again.`,
    );
  }
}
