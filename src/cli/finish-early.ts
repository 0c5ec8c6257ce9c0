import type { Command } from '@commander-js/extra-typings';
import type { Context } from './context.ts';
import { ask, DEFAULT_REASON } from './control.ts';

/** `assay finish-early ID`: the current block is the last; then report and teardown as ever. */
export function addFinishEarly(program: Command, context: Context): void {
  program
    .command('finish-early')
    .description('let the current block be the last one; recorded as a deviation from the plan')
    .argument('<id>', 'workflow id of the experiment')
    .option('-r, --reason <text>', 'why, for the record', DEFAULT_REASON)
    .action((id, { reason }) => ask(context, id, 'finish-early', { reason }));
}
