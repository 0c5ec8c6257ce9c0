import type { Command } from '@commander-js/extra-typings';
import { type Context, withTemporal } from './context.ts';

/** `assay watch ID`: what `assay run` shows, for any experiment that runs; Ctrl-C leaves it alone. */
export function addWatch(program: Command, context: Context): void {
  program
    .command('watch')
    .description('follow a running experiment to its report; Ctrl-C leaves without ending anything')
    .argument('<id>', 'workflow id of the experiment')
    .action(async (id) => {
      await withTemporal(context, false, async (session) => {
        const { followToEnd } = await import('./follow-to-end.ts');
        context.exitWith(await followToEnd(context, session, id, { json: false }));
      });
    });
}
