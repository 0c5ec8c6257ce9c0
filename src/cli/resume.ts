import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { ask } from './control.ts';

/** `assay resume ID`: ends a pause before its limit. */
export function addResume(program: Command, context: Context): void {
  program
    .command('resume')
    .description('let a paused experiment go on')
    .argument('<id>', 'workflow id of the experiment')
    .action((id) => ask(context, id, 'resume', {}));
}
