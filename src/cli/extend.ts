import { type Command, InvalidArgumentError } from '@commander-js/extra-typings';
import type { ExtendRequest } from '../temporal/controls.ts';
import type { Context } from './context.ts';
import { ask, DEFAULT_REASON } from './control.ts';

/** `assay extend ID --blocks N`: more blocks than planned; every contrast is flagged for it. */
export function addExtend(program: Command, context: Context): void {
  program
    .command('extend')
    .description('run more blocks than planned; recorded as a deviation from the plan, flagged in the report')
    .argument('<id>', 'workflow id of the experiment')
    .requiredOption('--blocks <n>', 'how many more', wholeNumber)
    .option('-r, --reason <text>', 'why, for the record', DEFAULT_REASON)
    .action(async (id, { blocks, reason }) => {
      const request: ExtendRequest = { blocks, reason };
      await ask(context, id, 'extend', request);
    });
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('A whole number is needed, e.g. 4.');
  return Number(text);
}
