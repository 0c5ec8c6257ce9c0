import type { Command } from '@commander-js/extra-typings';
import { type Context, withTemporal } from './context.ts';
import { DEFAULT_REASON, sendControl } from './control.ts';
import { EXIT } from './exit-codes.ts';

/** `assay abort ID`: asks for the end, then shows the teardown. */
export function addAbort(program: Command, context: Context): void {
  program
    .command('abort')
    .description(
      'end an experiment: the running trial is void, the lab is torn down, what was measured is kept',
    )
    .argument('<id>', 'workflow id of the experiment')
    .option('-r, --reason <text>', 'why, for the record', DEFAULT_REASON)
    .option('-d, --detach', 'do not wait for the teardown')
    .action(async (id, { reason, detach }) => {
      await withTemporal(context, false, async (session) => {
        await sendControl(session, id, 'abort', { reason });
        context.terminal.say(`${id} is being aborted.`);
        if (detach) return;
        const { followToEnd } = await import('./follow-to-end.ts');
        const code = await followToEnd(context, session, id, { json: false, quiet: true });
        // Aborted is what was asked for here.
        context.exitWith(code === EXIT.aborted ? EXIT.ok : code);
      });
    });
}
